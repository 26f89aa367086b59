package judge

import (
	"context"
	"strings"
)

// turn is one message of the short conversation with a model.
type turn struct {
	answer bool // said by the model
	text   string
}

// client asks one vendor's service. Its errors name neither address nor key.
type client interface {
	model() string
	ask(ctx context.Context, turns []turn) (string, error)
}

// model is a Judge that asks a service.
type model struct{ client }

func (m model) Model() string { return m.model() }

// Rate asks for a number, and once more when the answer was none.
func (m model) Rate(ctx context.Context, query, document string) (float64, error) {
	turns := []turn{{text: question(query, document)}}
	for range 2 {
		answer, err := m.ask(ctx, turns)
		if err != nil {
			return 0, err
		}
		if score, ok := parseScore(answer); ok {
			return score, nil
		}
		turns = append(turns, turn{answer: true, text: nonEmpty(answer)}, turn{text: repair})
	}
	return 0, errNoNumber
}

// nonEmpty keeps an empty answer sayable: services refuse empty messages.
func nonEmpty(answer string) string {
	if strings.TrimSpace(answer) == "" {
		return "(no answer)"
	}
	return answer
}
