package judge

import (
	"context"
	"errors"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// openAI asks a service that speaks OpenAI's chat completions.
type openAI struct {
	name        string
	completions openai.ChatCompletionService
}

// newOpenAI builds the client from the given service alone: the vendor's client
// type would read further settings from the process's environment.
func newOpenAI(s Service) *openAI {
	options := []option.RequestOption{option.WithEnvironmentProduction(), option.WithMaxRetries(0)}
	if s.BaseURL != "" {
		options = append(options, option.WithBaseURL(s.BaseURL))
	}
	if s.Key != "" {
		options = append(options, option.WithAPIKey(s.Key))
	}
	return &openAI{name: s.Model, completions: openai.NewChatCompletionService(options...)}
}

func (o *openAI) model() string { return o.name }

func (o *openAI) ask(ctx context.Context, turns []turn) (string, error) {
	messages := []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(rubric)}
	for _, t := range turns {
		if t.answer {
			messages = append(messages, openai.AssistantMessage(t.text))
		} else {
			messages = append(messages, openai.UserMessage(t.text))
		}
	}
	completion, err := o.completions.New(ctx, openai.ChatCompletionNewParams{
		Model: o.name, Messages: messages, MaxTokens: openai.Int(maxTokens), Temperature: openai.Float(0),
	})
	if err != nil {
		var refused *openai.Error
		if errors.As(err, &refused) && refused.Response != nil {
			return "", fromStatus(refused.StatusCode, refused.Response.Header)
		}
		return "", fromTransport(err)
	}
	if len(completion.Choices) == 0 {
		return "", nil
	}
	return completion.Choices[0].Message.Content, nil
}
