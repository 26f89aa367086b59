package embed

import (
	"errors"
	"fmt"

	"toolkit/internal/outgoing"
)

// FromEnvironment returns the embedder that the environment asks for:
//
//	TOOLKIT_EMBEDDER     local (default), openai, ollama or static
//	TOOLKIT_EMBED_URL    base URL of an OpenAI-compatible service or of Ollama
//	TOOLKIT_EMBED_MODEL  name of the remote model
//	OPENAI_API_KEY       key; required unless TOOLKIT_EMBED_URL is set
//	TOOLKIT_EMBED_PATH   folder of a static model
//
// A static model is read at once, which takes a moment for a large one.
func FromEnvironment(getenv func(string) string) (Embedder, error) {
	base, model := getenv("TOOLKIT_EMBED_URL"), getenv("TOOLKIT_EMBED_MODEL")
	switch name := getenv("TOOLKIT_EMBEDDER"); name {
	case "", "local":
		return Local(), nil
	case "openai":
		key := getenv("OPENAI_API_KEY")
		if key == "" && base == "" {
			return nil, errors.New("TOOLKIT_EMBEDDER=openai needs OPENAI_API_KEY, or TOOLKIT_EMBED_URL of a service that takes no key")
		}
		return named("TOOLKIT_EMBED_URL")(OpenAI(base, key, model, &outgoing.Client{}))
	case "ollama":
		return named("TOOLKIT_EMBED_URL")(Ollama(base, model, &outgoing.Client{}))
	case "static":
		path := getenv("TOOLKIT_EMBED_PATH")
		if path == "" {
			return nil, errors.New("TOOLKIT_EMBEDDER=static needs TOOLKIT_EMBED_PATH: a folder with model.safetensors and tokenizer.json")
		}
		return named("TOOLKIT_EMBED_PATH")(Static(path))
	default:
		return nil, fmt.Errorf("TOOLKIT_EMBEDDER=%q is unknown: use local, openai, ollama or static", name)
	}
}

// named prefixes an error with the variable to correct.
func named(variable string) func(Embedder, error) (Embedder, error) {
	return func(embedder Embedder, err error) (Embedder, error) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", variable, err)
		}
		return embedder, nil
	}
}
