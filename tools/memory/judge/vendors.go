package judge

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"

	"toolkit/internal/httpclient"
)

const (
	openAIBase    = "https://api.openai.com/v1"
	anthropicBase = "https://api.anthropic.com"
	// anthropicVersion is the version of the interface that is spoken.
	anthropicVersion = "2023-06-01"
)

// newOpenAI asks a service that speaks OpenAI's chat completions
// (POST /chat/completions).
func newOpenAI(s Service) *model {
	return newModel(s, openAIBase, "/chat/completions", header{"Authorization", "Bearer "}, dialect{
		request: func(r map[string]any, turns []message) {
			r["messages"] = append([]message{{"system", rubric}}, turns...)
		},
		answer: func(body []byte) (string, error) {
			var answer struct {
				Choices []struct {
					Message message `json:"message"`
				} `json:"choices"`
			}
			if err := json.Unmarshal(body, &answer); err != nil || len(answer.Choices) == 0 {
				return "", err
			}
			return answer.Choices[0].Message.Content, nil
		},
	})
}

// newAnthropic asks a service that speaks Anthropic's messages
// (POST /v1/messages).
func newAnthropic(s Service) *model {
	m := newModel(s, anthropicBase, "/v1/messages", header{"X-Api-Key", ""}, dialect{
		request: func(r map[string]any, turns []message) { r["system"], r["messages"] = rubric, turns },
		answer: func(body []byte) (string, error) {
			var answer struct {
				Content []struct {
					Type string `json:"type"`
					Text string `json:"text"`
				} `json:"content"`
			}
			err := json.Unmarshal(body, &answer)
			var text strings.Builder
			for _, block := range answer.Content {
				if block.Type == "text" {
					text.WriteString(block.Text)
				}
			}
			return text.String(), err
		},
	})
	m.Header.Set("Anthropic-Version", anthropicVersion)
	return m
}

// header carries a key, behind a prefix.
type header struct{ name, prefix string }

// newModel uses the given service alone, no setting of the process's environment
// but the usual ones for proxies.
func newModel(s Service, base, path string, key header, d dialect) *model {
	m := &model{name: s.Model, dialect: d, Client: &httpclient.Client{
		URL:     strings.TrimRight(cmp.Or(s.BaseURL, base), "/") + path,
		Header:  http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}},
		Timeout: requestTimeout, Attempts: maxAttempts, LongestDelay: maxRetryDelay, LongestWait: maxRetryDelay, Every: requestInterval,
	}}
	if s.Key != "" {
		m.Header.Set(key.name, key.prefix+s.Key)
	}
	return m
}
