package embed

import (
	"strings"
	"testing"
)

func TestFromEnvironment(t *testing.T) {
	for _, c := range []struct {
		name        string
		environment map[string]string
		model, fail string
	}{
		{"nothing means built-in", nil, BuiltInModel, ""},
		{"off", map[string]string{"TOOLKIT_EMBEDDER": "off"}, OffModel, ""},
		{"local means built-in", map[string]string{"TOOLKIT_EMBEDDER": "local"}, BuiltInModel, ""},
		{"openai", map[string]string{"TOOLKIT_EMBEDDER": "openai", "OPENAI_API_KEY": "k"}, "openai:text-embedding-3-small", ""},
		{"openai with another model", map[string]string{"TOOLKIT_EMBEDDER": "openai", "OPENAI_API_KEY": "k", "TOOLKIT_EMBED_MODEL": "m"}, "openai:m", ""},
		{"a compatible service without a key", map[string]string{"TOOLKIT_EMBEDDER": "openai", "TOOLKIT_EMBED_URL": "http://localhost:8080/v1", "TOOLKIT_EMBED_MODEL": "m"}, "openai:m@localhost:8080", ""},
		{"ollama", map[string]string{"TOOLKIT_EMBEDDER": "ollama"}, "openai:nomic-embed-text@localhost:11434", ""},
		{"ollama at an address of its own", map[string]string{"TOOLKIT_EMBEDDER": "ollama", "TOOLKIT_EMBED_URL": "http://box:11434/api/"}, "openai:nomic-embed-text@box:11434", ""},
		{"static means built-in", map[string]string{"TOOLKIT_EMBEDDER": "static"}, BuiltInModel, ""},
		{"openai without a key", map[string]string{"TOOLKIT_EMBEDDER": "openai"}, "", "OPENAI_API_KEY"},
		{"an unknown name", map[string]string{"TOOLKIT_EMBEDDER": "Local"}, "", `"Local" is unknown: use built-in, openai or off`},
		{"a URL without a scheme", map[string]string{"TOOLKIT_EMBEDDER": "ollama", "TOOLKIT_EMBED_URL": "localhost:11434"}, "", "TOOLKIT_EMBED_URL: the embedding URL is not an address"},
		{"a URL with a password", map[string]string{"TOOLKIT_EMBEDDER": "ollama", "TOOLKIT_EMBED_URL": "http://me:hidden@host"}, "", "must not carry a user"},
		{"a URL that is none", map[string]string{"TOOLKIT_EMBEDDER": "ollama", "TOOLKIT_EMBED_URL": "http://hidden\x7f"}, "", "is not an address"},
	} {
		t.Run(c.name, func(t *testing.T) {
			embedder, err := FromEnvironment(func(name string) string { return c.environment[name] })
			if c.fail != "" {
				if err == nil || !strings.Contains(err.Error(), c.fail) || strings.Contains(err.Error(), "hidden") {
					t.Errorf("error %v, want %q", err, c.fail)
				}
				return
			}
			if err != nil || !strings.HasPrefix(embedder.Model(), c.model) {
				t.Errorf("%v, %v; want %s", embedder, err, c.model)
			}
		})
	}
}

func TestWarningNamesWhatReplacesAnEarlierValue(t *testing.T) {
	for value, want := range map[string]string{"": "", "local": "is read as built-in", "openai": "", "ollama": "TOOLKIT_EMBED_URL=http://localhost:11434/v1", "static": "is read as built-in"} {
		got := OldSettingWarning(func(name string) string { return map[string]string{"TOOLKIT_EMBEDDER": value}[name] })
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q", value, got)
		}
	}
	box := map[string]string{"TOOLKIT_EMBEDDER": "ollama", "TOOLKIT_EMBED_URL": "http://box:11434/api"}
	if got := OldSettingWarning(func(name string) string { return box[name] }); !strings.HasSuffix(got, "TOOLKIT_EMBED_URL=http://box:11434/v1") {
		t.Errorf("Ollama on another machine: %q", got)
	}
}
