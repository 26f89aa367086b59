package memory

import (
	"context"

	"toolkit/tools"
)

type pingInput struct{}

type pingOutput struct {
	Response  string `json:"response"`
	Timestamp string `json:"timestamp"`
	Tool      string `json:"tool"`
	Status    string `json:"status"`
}

func (f *family) pingTool() tools.Tool[pingInput, pingOutput] {
	return tools.Tool[pingInput, pingOutput]{
		Name:  "ping",
		Title: "Ping",
		Description: "Answer pong, with the server's time. Use it to test whether the server can be reached, before blaming anything else. " +
			"Returns response, timestamp, tool and status. Example: after a call that timed out.",
		Permissions: []tools.Permission{}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"memory", "diagnosis"},
		Examples: []tools.Example[pingInput, pingOutput]{{
			Description: "A test of the connection",
			Result:      pingOutput{Response: "pong", Timestamp: "2025-01-15T10:45:00Z", Tool: "ping", Status: "ok"},
			Varies:      []string{"timestamp"},
		}},
		Handle: f.ping,
	}
}

func (f *family) ping(context.Context, pingInput) (tools.Result[pingOutput], error) {
	h := tools.NewHints(tools.Evidence{Quality: tools.QualityHigh, Present: 1, Expected: 1, Validity: tools.Immediate}).
		Because("the server answers")
	return tools.Result[pingOutput]{Hints: h, Data: pingOutput{Response: "pong", Timestamp: formatTimestamp(f.Store.Now()), Tool: "ping", Status: "ok"}}, nil
}
