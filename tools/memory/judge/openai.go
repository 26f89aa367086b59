package judge

import (
	"context"
	"slices"
)

// openAIBase is OpenAI's own service.
const openAIBase = "https://api.openai.com/v1"

// openAI asks a service that speaks OpenAI's chat completions
// (POST /chat/completions).
type openAI struct {
	name string
	connection
}

func newOpenAI(s Service) *openAI {
	base := s.BaseURL
	if base == "" {
		base = openAIBase
	}
	c := newConnection(base, "/chat/completions")
	if s.Key != "" {
		c.Header.Set("Authorization", "Bearer "+s.Key)
	}
	return &openAI{s.Model, c}
}

func (o *openAI) model() string { return o.name }

func (o *openAI) ask(ctx context.Context, turns []turn) (string, error) {
	request := struct {
		Model       string    `json:"model"`
		Messages    []message `json:"messages"`
		MaxTokens   int       `json:"max_tokens"`
		Temperature float64   `json:"temperature"`
	}{o.name, slices.Insert(messages(turns), 0, message{"system", rubric}), maxTokens, 0}
	var answer struct {
		Choices []struct {
			Message message `json:"message"`
		} `json:"choices"`
	}
	if err := o.post(ctx, request, &answer); err != nil || len(answer.Choices) == 0 {
		return "", err
	}
	return answer.Choices[0].Message.Content, nil
}
