package embed

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
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
func Ollama(base, model string, options RemoteOptions) (Embedder, error) {
	if base == "" {
		base = OllamaBase
	}
	if model == "" {
		model = OllamaModel
	}
	parsed, err := parseBase(strings.TrimSuffix(strings.TrimRight(base, "/"), "/api"))
	if err != nil {
		return nil, err
	}
	space := "ollama:" + model
	if options.Dimension > 0 {
		space += fmt.Sprintf("/%d", options.Dimension)
	}
	r := newRemote("ollama", space, parsed.String()+"/api/embed", "", 0, options)
	r.request = func(texts []string) any {
		return ollamaRequest{Model: model, Input: texts, Truncate: true, Dimensions: options.Dimension}
	}
	r.answer = ollamaAnswer
	r.explain = func(status int, body []byte) (string, bool) {
		message := ollamaExplain(body)
		if status == http.StatusNotFound && strings.Contains(message, "not found") {
			message += fmt.Sprintf("; run: ollama pull %s", model)
		}
		return message, false
	}
	return r, nil
}

type ollamaRequest struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Truncate   bool     `json:"truncate"`
	Dimensions int      `json:"dimensions,omitempty"`
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
