package memory

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

// newOpenAIJudge asks a service that speaks OpenAI's chat completions
// (POST /chat/completions).
func newOpenAIJudge(s judgeService) *modelJudge {
	return newModelJudge(s, openAIBase, "/chat/completions", judgeKeyHeader{"Authorization", "Bearer "}, judgeDialect{
		request: func(r map[string]any, turns []judgeMessage) {
			r["messages"] = append([]judgeMessage{{"system", judgeRubric}}, turns...)
		},
		answer: func(body []byte) (string, error) {
			var answer struct {
				Choices []struct {
					Message judgeMessage `json:"message"`
				} `json:"choices"`
			}
			if err := json.Unmarshal(body, &answer); err != nil || len(answer.Choices) == 0 {
				return "", err
			}
			return answer.Choices[0].Message.Content, nil
		},
	})
}

// newAnthropicJudge asks a service that speaks Anthropic's messages
// (POST /v1/messages).
func newAnthropicJudge(s judgeService) *modelJudge {
	m := newModelJudge(s, anthropicBase, "/v1/messages", judgeKeyHeader{"X-Api-Key", ""}, judgeDialect{
		request: func(r map[string]any, turns []judgeMessage) { r["system"], r["messages"] = judgeRubric, turns },
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

// judgeKeyHeader carries a key, behind a prefix.
type judgeKeyHeader struct{ name, prefix string }

// newModelJudge uses the given service alone, no setting of the process's environment
// but the usual ones for proxies.
func newModelJudge(s judgeService, base, path string, key judgeKeyHeader, d judgeDialect) *modelJudge {
	m := &modelJudge{name: s.Model, judgeDialect: d, Client: &httpclient.Client{
		URL:     strings.TrimRight(cmp.Or(s.BaseURL, base), "/") + path,
		Header:  http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}},
		Timeout: judgeRequestTimeout, Attempts: maxJudgeAttempts, LongestDelay: maxJudgeRetryDelay, LongestWait: maxJudgeRetryDelay, Every: judgeRequestInterval,
	}}
	if s.Key != "" {
		m.Header.Set(key.name, key.prefix+s.Key)
	}
	return m
}
