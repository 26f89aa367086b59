package toolstest

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"toolkit/store"
	"toolkit/tools"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

type greetIn struct {
	Name  string      `json:"name" jsonschema:"required,minLength=1" jsonschema_description:"Whom to greet"`
	Count int         `json:"count,omitempty" jsonschema:"minimum=1" jsonschema_description:"How often"`
	Parts []greetPart `json:"parts,omitempty" jsonschema_description:"More to greet"`
}

type greetPart struct {
	Name string `json:"name" jsonschema:"required" jsonschema_description:"Whom else to greet"`
}

type greetOut struct {
	Text string `json:"text"`
}

// greeting is a family of one tool; change breaks it.
func greeting(change func(*tools.Tool[greetIn, greetOut])) tools.Family {
	t := tools.Tool[greetIn, greetOut]{
		Name: "greet_person", Title: "Greet", Description: "Greets a person by name. Returns the greeting. Example: greet Ann before dinner.",
		Permissions: []tools.Permission{"people:read"}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: "1.0.0", Tags: []string{"people"},
		Examples: []tools.Example[greetIn, greetOut]{{Description: "Ann", Params: greetIn{Name: "Ann"}, Result: greetOut{Text: "Hello Ann"}}},
		Handle: func(_ context.Context, in greetIn) (tools.Result[greetOut], error) {
			if in.Name == "nobody" {
				return tools.Result[greetOut]{}, tools.Refused("NOT_FOUND", "name", "exists", "%s was not found", in.Name)
			}
			hints := tools.NewHints(tools.NewReadEvidence(1)).SuggestCall("greet_person", tools.PriorityLow, Args{"name": "Bo"}, "again").Because("somebody came")
			return tools.Result[greetOut]{Data: greetOut{Text: "Hello " + in.Name}, Hints: hints}, nil
		},
	}
	if change != nil {
		change(&t)
	}
	return tools.Family{Name: "greetings", Subject: "greetings", Dialect: tools.FormatStandardError, Tools: []*tools.Definition{tools.Define(t)}}
}

func greetingBench(t testing.TB, change func(*tools.Tool[greetIn, greetOut])) *Bench {
	t.Helper()
	b := NewBench(t, NewClock(noon), store.Options{})
	b.BuildPipeline(greeting(change))
	return b
}

// listener hears the complaints of a check instead of failing.
type listener struct {
	testing.TB
	complaints []string
}

func (l *listener) Helper() {}

func (l *listener) Error(args ...any) { l.complaints = append(l.complaints, fmt.Sprint(args...)) }

func (l *listener) Errorf(format string, args ...any) { l.Error(fmt.Sprintf(format, args...)) }

func (l *listener) Fatal(args ...any) {
	l.Error(args...)
	runtime.Goexit()
}

func (l *listener) Fatalf(format string, args ...any) { l.Fatal(fmt.Sprintf(format, args...)) }

// complaints are what a check says.
func complaints(t *testing.T, check func(testing.TB)) []string {
	t.Helper()
	l := &listener{TB: t}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		check(l)
	}()
	<-ended
	return l.complaints
}

// requireComplaint requires one complaint with a text; none where it is empty.
func requireComplaint(t *testing.T, want string, check func(testing.TB)) {
	t.Helper()
	said := complaints(t, check)
	if want == "" {
		RequireSame(t, "what the check says", said, []string{})
		return
	}
	if len(said) != 1 {
		t.Fatalf("%d complaints, want 1: %q", len(said), said)
	}
	RequireContains(t, "what the check says", said[0], want)
}
