package judge

import (
	"context"
	"strings"
)

const (
	// anthropicBase is Anthropic's own service.
	anthropicBase = "https://api.anthropic.com"
	// anthropicVersion is the version of the interface that is spoken.
	anthropicVersion = "2023-06-01"
)

// anthropicMessages asks a service that speaks Anthropic's messages
// (POST /v1/messages).
type anthropicMessages struct {
	name string
	connection
}

func newAnthropic(s Service) *anthropicMessages {
	base := s.BaseURL
	if base == "" {
		base = anthropicBase
	}
	c := newConnection(base, "/v1/messages")
	c.Header.Set("Anthropic-Version", anthropicVersion)
	if s.Key != "" {
		c.Header.Set("X-Api-Key", s.Key)
	}
	return &anthropicMessages{s.Model, c}
}

func (a *anthropicMessages) model() string { return a.name }

func (a *anthropicMessages) ask(ctx context.Context, turns []turn) (string, error) {
	request := struct {
		Model       string    `json:"model"`
		System      string    `json:"system"`
		Messages    []message `json:"messages"`
		MaxTokens   int       `json:"max_tokens"`
		Temperature float64   `json:"temperature"`
	}{a.name, rubric, messages(turns), maxTokens, 0}
	var answer struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
	}
	if err := a.post(ctx, request, &answer); err != nil {
		return "", err
	}
	var text strings.Builder
	for _, block := range answer.Content {
		if block.Type == "text" {
			text.WriteString(block.Text)
		}
	}
	return text.String(), nil
}
