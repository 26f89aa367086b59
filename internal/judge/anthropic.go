package judge

import (
	"context"
	"errors"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// anthropicMessages asks a service that speaks Anthropic's messages.
type anthropicMessages struct {
	name     string
	messages anthropic.MessageService
}

// newAnthropic builds the client from the given service alone, see newOpenAI.
func newAnthropic(s Service) *anthropicMessages {
	options := []option.RequestOption{option.WithEnvironmentProduction(), option.WithMaxRetries(0), option.WithRequestTimeout(requestTimeout)}
	if s.BaseURL != "" {
		options = append(options, option.WithBaseURL(s.BaseURL))
	}
	if s.Key != "" {
		options = append(options, option.WithAPIKey(s.Key))
	}
	return &anthropicMessages{name: s.Model, messages: anthropic.NewMessageService(options...)}
}

func (a *anthropicMessages) model() string { return a.name }

func (a *anthropicMessages) ask(ctx context.Context, turns []turn) (string, error) {
	messages := make([]anthropic.MessageParam, 0, len(turns))
	for _, t := range turns {
		block := anthropic.NewTextBlock(t.text)
		if t.answer {
			messages = append(messages, anthropic.NewAssistantMessage(block))
		} else {
			messages = append(messages, anthropic.NewUserMessage(block))
		}
	}
	message, err := a.messages.New(ctx, anthropic.MessageNewParams{
		Model: a.name, MaxTokens: maxTokens, Temperature: anthropic.Float(0),
		System: []anthropic.TextBlockParam{{Text: rubric}}, Messages: messages,
	})
	if err != nil {
		var refused *anthropic.Error
		if errors.As(err, &refused) && refused.Response != nil {
			return "", fromStatus(refused.StatusCode, refused.Response.Header)
		}
		return "", fromTransport(err)
	}
	var text strings.Builder
	for _, block := range message.Content {
		if block.Type == "text" {
			text.WriteString(block.Text)
		}
	}
	return text.String(), nil
}
