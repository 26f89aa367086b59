package embed

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"toolkit/internal/httpclient"
)

const (
	// ollamaBase is where Ollama listens when no address is given. It answers in
	// OpenAI's form below /v1.
	ollamaBase = "http://localhost:11434"
	// ollamaModel is the model asked of Ollama when none is given.
	ollamaModel = "nomic-embed-text"
)

// FromEnvironment returns the embedder that the environment asks for:
//
//	TOOLKIT_EMBEDDER     built-in (default), openai or off
//	TOOLKIT_EMBED_URL    base URL of an OpenAI-compatible service
//	TOOLKIT_EMBED_MODEL  name of the remote model
//	OPENAI_API_KEY       key; required unless TOOLKIT_EMBED_URL is set
//
// Values of earlier versions select what is nearest: ollama asks Ollama through its
// OpenAI-compatible address, local and static are built-in. Warning says so.
func FromEnvironment(getenv func(string) string) (Embedder, error) {
	base, model := getenv("TOOLKIT_EMBED_URL"), getenv("TOOLKIT_EMBED_MODEL")
	switch name := getenv("TOOLKIT_EMBEDDER"); name {
	case "", "built-in", "local", "static":
		return BuiltIn(), nil
	case "off":
		return Off(), nil
	case "openai":
		key := getenv("OPENAI_API_KEY")
		if key == "" && base == "" {
			return nil, errors.New("TOOLKIT_EMBEDDER=openai needs OPENAI_API_KEY, or TOOLKIT_EMBED_URL of a service that takes no key")
		}
		return openAIAt(base, key, model)
	case "ollama":
		return openAIAt(ollamaAddress(base), "", cmp.Or(model, ollamaModel))
	default:
		return nil, fmt.Errorf("TOOLKIT_EMBEDDER=%q is unknown: use built-in, openai or off", name)
	}
}

// OldSettingWarning says what is used instead of a value that earlier versions knew, or is empty.
func OldSettingWarning(getenv func(string) string) string {
	switch getenv("TOOLKIT_EMBEDDER") {
	case "ollama":
		return "TOOLKIT_EMBEDDER=ollama is read as openai at Ollama's own /v1 address; set TOOLKIT_EMBEDDER=openai and TOOLKIT_EMBED_URL=" + ollamaAddress(getenv("TOOLKIT_EMBED_URL"))
	case "static", "local":
		return "TOOLKIT_EMBEDDER=" + getenv("TOOLKIT_EMBEDDER") + " is read as built-in, the sentence model of the program; off searches by words alone"
	}
	return ""
}

func openAIAt(base, key, model string) (Embedder, error) {
	embedder, err := OpenAI(base, key, model, &httpclient.Client{})
	if err != nil {
		return nil, fmt.Errorf("TOOLKIT_EMBED_URL: %w", err)
	}
	return embedder, nil
}

// ollamaAddress is the OpenAI-compatible address of an Ollama that was given by its own:
// with or without /api.
func ollamaAddress(base string) string {
	base = strings.TrimRight(cmp.Or(base, ollamaBase), "/")
	if strings.HasSuffix(base, "/v1") {
		return base
	}
	return strings.TrimSuffix(base, "/api") + "/v1"
}
