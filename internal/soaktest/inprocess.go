package soaktest

import (
	"context"
	"encoding/json"
	"fmt"

	"toolkit/tools"
)

// ByPipeline calls tools without a server process between, for tests that fill
// a database.
func ByPipeline(p *tools.Pipeline) Caller {
	return func(ctx context.Context, tool string, arguments any) (json.RawMessage, error) {
		raw, err := json.Marshal(arguments)
		if err != nil {
			return nil, err
		}
		r, err := p.Call(ctx, tools.Request{Tool: tool, Arguments: raw})
		if err != nil {
			return nil, err
		}
		if r.IsError {
			return nil, fmt.Errorf("refused: %s", r.Text)
		}
		return r.Data, nil
	}
}

// Fill makes so many steps of every family's load, in turn.
func Fill(ctx context.Context, w *Worker, steps int) error {
	for range steps {
		for _, l := range Loads {
			if err := l.Step(ctx, w); err != nil {
				return fmt.Errorf("%s: %w", l.Family, err)
			}
		}
	}
	return nil
}
