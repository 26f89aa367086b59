class Toolkit < Formula
  desc "Local memory and workbench for AI assistants"
  homepage "{homepage}"
  version "{version}"
  license "{license}"

  on_macos do
    on_arm do
      url "{downloads}/toolkit_{version}_darwin_arm64.tar.gz"
      sha256 "{darwin_arm64}"
    end
    on_intel do
      url "{downloads}/toolkit_{version}_darwin_amd64.tar.gz"
      sha256 "{darwin_amd64}"
    end
  end

  on_linux do
    on_arm do
      url "{downloads}/toolkit_{version}_linux_arm64.tar.gz"
      sha256 "{linux_arm64}"
    end
    on_intel do
      url "{downloads}/toolkit_{version}_linux_amd64.tar.gz"
      sha256 "{linux_amd64}"
    end
  end

  def install
    bin.install "toolkit"
    generate_completions_from_executable(bin/"toolkit", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/toolkit version")
  end
end
