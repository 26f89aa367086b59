package embed

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"toolkit/internal/outgoing"
)

const (
	// OllamaBase is the URL used when none is given.
	OllamaBase = "http://localhost:11434"
	// OllamaModel is the model used when none is given.
	OllamaModel = "nomic-embed-text"
)

// Ollama returns the embedder of an Ollama server (0.3 or later: its
// /api/embed takes batches). base may end in /api or not; an empty base or
// model means the default.
func Ollama(base, model string, client *outgoing.Client) (Embedder, error) {
	model = cmp.Or(model, OllamaModel)
	parsed, err := parseBase(strings.TrimSuffix(strings.TrimRight(cmp.Or(base, OllamaBase), "/"), "/api"))
	if err != nil {
		return nil, err
	}
	return newRemote(protocol{
		provider: "ollama", path: "/api/embed",
		request: func(texts []string) any {
			return map[string]any{"model": model, "input": texts, "truncate": true}
		},
		answer: ollamaAnswer,
		explain: func(status int, body []byte) (string, bool) {
			message := ollamaExplain(body)
			if status == http.StatusNotFound && strings.Contains(message, "not found") {
				message += fmt.Sprintf("; run: ollama pull %s", model)
			}
			return message, false
		},
	}, parsed, "ollama:"+model, "", client), nil
}

func ollamaAnswer(body []byte, texts int) ([][]float32, error) {
	var answer struct {
		Embeddings [][]float32 `json:"embeddings"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, errors.New("the answer is not the documented JSON")
	}
	if len(answer.Embeddings) != texts {
		return nil, fmt.Errorf("the answer covers %d of %d texts", len(answer.Embeddings), texts)
	}
	return answer.Embeddings, nil
}

func ollamaExplain(body []byte) string {
	var answer struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return ""
	}
	return answer.Error
}
