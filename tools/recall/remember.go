package recall

import (
	"context"
	"fmt"
	"strings"

	"toolkit/tools"
)

// RememberName is the name of the tool remember.
const RememberName = "remember"

const mayRemember tools.Permission = "memory:create"

// RememberInput is what to remember.
type RememberInput struct {
	Text    string `json:"text" jsonschema:"required,minLength=1,maxLength=10000" jsonschema_description:"The fact, complete in itself, in the user's words"`
	Kind    string `json:"kind,omitempty" jsonschema:"enum=decision,enum=preference,enum=fact,enum=person,enum=plan,enum=lesson" jsonschema_description:"What it is"`
	Project string `json:"project,omitempty" jsonschema_description:"Name or folder, where not that of the session"`
}

// RememberOutput says what became of it.
type RememberOutput struct {
	ID      int64  `json:"id"`
	Message string `json:"message"`
	Text    string `json:"text,omitempty" jsonschema_description:"As it is stored, where that is not as given"`
	Project string `json:"project,omitempty" jsonschema_description:"In which it holds; absent: in all"`
	Already bool   `json:"already,omitempty" jsonschema_description:"It was remembered before; nothing was stored"`
}

func (f family) rememberTool() tools.Tool[RememberInput, RememberOutput] {
	return tools.Tool[RememberInput, RememberOutput]{
		Name: RememberName, Title: "Remember",
		Description: "Remember a fact, decision, preference or lesson for later sessions, when the user asks for it or says what will matter in a month; never secrets. " +
			"Returns its id. Example: we deploy on Tuesdays.",
		Permissions: []tools.Permission{mayRemember}, Category: tools.Mutation, ResponseTime: tools.Medium, Idempotent: true, Version: "1.0.1",
		Tags: []string{"remember", "memory", "insights"}, Core: true,
		Examples: []tools.Example[RememberInput, RememberOutput]{{
			Description: "A decision",
			Params:      RememberInput{Text: "We deploy on Tuesdays, never on Fridays", Kind: "decision"},
			Result:      RememberOutput{ID: 1, Message: "Remembered as insight 1, in every project."},
		}},
		Handle: f.remember,
	}
}

func (f family) remember(ctx context.Context, in RememberInput) (tools.Result[RememberOutput], error) {
	r, err := f.Remember(ctx, tools.Note{Text: in.Text, Kind: in.Kind, Project: in.Project})
	if err != nil {
		return tools.Result[RememberOutput]{}, err
	}
	out := RememberOutput{ID: r.ID, Message: f.rememberMessage(ctx, r), Project: r.Project, Already: r.Already}
	if r.Text != in.Text {
		out.Text = r.Text
	}
	h := tools.NewHints(tools.WriteEvidence()).Because("recall finds it from now on, in every client")
	if r.Already {
		h.Because("an insight says it word for word")
	}
	if len(r.LeftOut) > 0 {
		h.Warn("validation", tools.PriorityMedium, "secrets were left out of the text: "+strings.Join(r.LeftOut, ", "), "")
	}
	if r.Unchecked {
		h.Warn("validation", tools.PriorityLow, "it is stored, but whether it makes something untrue that was remembered before could not be looked up", "")
	}
	return tools.Result[RememberOutput]{Data: out, Hints: h}, nil
}

// rememberMessage confirms in a line what became of a note.
func (f family) rememberMessage(ctx context.Context, r tools.Remembered) string {
	where := "in every project"
	if r.Project != "" {
		where = "in the project " + r.Project
	}
	message := fmt.Sprintf("Remembered as insight %d, %s.", r.ID, where)
	if r.Already {
		message = fmt.Sprintf("Remembered before, as insight %d, %s; nothing was stored.", r.ID, where)
	}
	if r.Untrue != 0 {
		deletes := "delete_insight"
		if door, _ := f.wrapUnlistedToolCall(deletes, nil); door != deletes {
			deletes += " (by " + door + ")"
		}
		message += fmt.Sprintf(" What insight %d says may be outdated by this: %s. If so, %s with that id and a reason takes it out.", r.Untrue, QuoteWithoutSecrets(ctx, r.UntrueText, maxSessionRunes), deletes)
	}
	if len(r.LeftOut) > 0 {
		message += " Left out: " + strings.Join(r.LeftOut, ", ") + "."
	}
	return message
}
