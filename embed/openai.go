package embed

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"toolkit/internal/httpclient"
)

const (
	// OpenAIBase is the base URL used when none is given.
	OpenAIBase = "https://api.openai.com/v1"
	// OpenAIModel is the model used when none is given.
	OpenAIModel = "text-embedding-3-small"

	// openAIInterval keeps to three requests a second.
	openAIInterval = time.Second / 3
)

// openAIDimensions are the documented lengths of OpenAI's own models.
var openAIDimensions = map[string]int64{
	"text-embedding-3-small": 1536,
	"text-embedding-3-large": 3072,
	"text-embedding-ada-002": 1536,
}

// OpenAI returns the embedder of an OpenAI-compatible service: base is its URL
// up to and without /embeddings. An empty base or model means OpenAI's own. The
// key may be empty for services that need none; it appears in no error. The
// name of the vector space includes the host unless it is OpenAI's.
func OpenAI(base, key, model string, client *httpclient.Client) (Embedder, error) {
	model = cmp.Or(model, OpenAIModel)
	parsed, err := parseBase(cmp.Or(base, OpenAIBase))
	if err != nil {
		return nil, err
	}
	space, dimension := "openai:"+model, openAIDimensions[model]
	if parsed.String() != OpenAIBase {
		space, dimension = space+"@"+parsed.Host, 0
	}
	r := newRemote(protocol{
		provider: "openai", path: "/embeddings", every: openAIInterval,
		request: func(texts []string) any {
			return map[string]any{"model": model, "input": texts, "encoding_format": "float"}
		},
		answer: parseOpenAIAnswer, explain: parseOpenAIError,
	}, parsed, space, key, client)
	r.dimension.Store(dimension)
	return r, nil
}

func parseOpenAIAnswer(body []byte, texts int) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, errors.New("the answer is not the documented JSON")
	}
	vectors := make([][]float32, texts)
	found := 0
	for _, item := range answer.Data {
		if item.Index < 0 || item.Index >= texts || vectors[item.Index] != nil || len(item.Embedding) == 0 {
			return nil, fmt.Errorf("the answer's item %d is out of range, double or empty", item.Index)
		}
		vectors[item.Index] = item.Embedding
		found++
	}
	if found != texts {
		return nil, fmt.Errorf("the answer covers %d of %d texts", found, texts)
	}
	return vectors, nil
}

// parseOpenAIError reads an error answer. An exhausted quota comes as 429 too,
// but no waiting helps.
func parseOpenAIError(_ int, body []byte) (message string, final bool) {
	var answer struct {
		Error struct {
			Message string `json:"message"`
			Code    any    `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return "", false
	}
	return answer.Error.Message, answer.Error.Code == "insufficient_quota"
}
