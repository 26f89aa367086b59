# Two commands do everything: `make serve` builds and serves, `make test` passes
# the tests. Both install what they need.

GO          ?= go
BIN         := bin/toolkit
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@latest
TARGETS     := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
FUZZTIME    ?= 60s
export CGO_ENABLED ?= 0

.PHONY: build serve test check unit cross e2e docs golden bench fuzz soak vuln clean

build:
	$(GO) build -trimpath -o $(BIN) .

serve: build
	./$(BIN) serve --stdio

test: check unit cross e2e

check:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

# The race detector needs cgo; nothing else does.
unit:
	CGO_ENABLED=1 $(GO) test -race -timeout 15m ./...

cross:
	@set -e; for target in $(TARGETS); do \
		echo "build $$target"; \
		GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) build -o /dev/null .; \
	done

e2e: build scripts/e2e/node_modules
	cd scripts/e2e && npm test --silent

scripts/e2e/node_modules: scripts/e2e/package-lock.json
	cd scripts/e2e && npm ci --no-audit --no-fund --silent
	@touch $@

# Renew docs/tools.md and the snapshots of the tool definitions.
docs:
	$(GO) run ./scripts/docs

golden:
	$(GO) test ./internal/app -run Golden -update

# Go benchmarks, then real processes side by side with a peer.
bench: build scripts/e2e/node_modules
	$(GO) test -run '^$$' -bench . -benchmem ./...
	node scripts/bench/memory-server.mjs

# Every fuzz target for FUZZTIME each.
fuzz:
	@set -e; for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "fuzz $$package $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package; \
		done; \
	done

# Four servers on one file under load and kills for ten minutes; the short form is a test.
soak: build
	./$(BIN) bench soak --processes 4 --for 10m --kill-every 30s

vuln:
	$(GO) run $(GOVULNCHECK) ./...

clean:
	rm -rf bin dist scripts/e2e/node_modules
