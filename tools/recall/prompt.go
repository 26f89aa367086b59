package recall

import (
	"context"
	"fmt"
	"strings"

	"toolkit/internal/language"
	"toolkit/tools"
)

// newRecallPrompt asks what is remembered about a topic.
func (f family) newRecallPrompt() tools.ServedPrompt {
	return tools.ServedPrompt{
		Name: "recall", Title: "Recall", Tool: Name,
		Description: "Answer from memory: what is known about a topic.",
		Arguments:   []tools.PromptArgument{{Name: "topic", Description: "A name, a subject or a question", Required: true}},
		Render: func(ctx context.Context, arguments map[string]string) (string, error) {
			topic := strings.TrimSpace(arguments["topic"])
			r, err := f.recall(ctx, Input{Query: topic})
			if err != nil {
				return "", err
			}
			return renderPromptText(topic, r.Data), nil
		},
	}
}

func renderPromptText(topic string, out Output) string {
	head := fmt.Sprintf("What is known about %q?\n\n", language.QuoteLine(topic))
	if len(out.Found) == 0 {
		return head + "Nothing that is remembered fits. Call recall with other words for the same thing. " +
			"If that finds nothing either, say that nothing is recorded; do not guess.\n"
	}
	return head + out.Text() +
		"\nAnswer from these notes and say which of them you rely on. Where they are not enough, call recall with other words or read on with the tools of the hit. " +
		"Say plainly what is not recorded.\n"
}
