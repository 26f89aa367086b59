package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/capture"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/sessions"
	"toolkit/tools"
	"toolkit/tools/recall"
)

func newRecall(o *settings) *cobra.Command {
	var in recall.Input
	var asJSON bool
	cmd := newCommand("recall", requireArgumentCount(1, 1000, "a QUESTION"), func(cmd *cobra.Command, args []string) error {
		in.Query = strings.Join(args, " ")
		return o.recall(cmd.Context(), in, asJSON)
	})
	flags := cmd.Flags()
	addWholeNumber(flags, &in.MaxTokens, "max-tokens", 50, 20_000, "how long the answer may be, 50 to 20000; 800 if absent")
	addWholeNumber(flags, &in.Limit, "limit", 1, 100, "at most so many, 1 to 100; 20 if absent")
	flags.StringSliceVar(&in.Kinds, "kinds", nil, "only these kinds, such as insight,dialogue,entity,chart,document")
	flags.StringVar(&in.Session, "session", "", "only what was said in this session")
	flags.StringVar(&in.Project, "project", "", "only what was said in this project, by name or key")
	flags.BoolVar(&asJSON, "json", false, "print the answer as the tool gives it")
	return cmd
}

func (o *settings) recall(ctx context.Context, in recall.Input, asJSON bool) error {
	var out recall.Output
	return o.withExistingDatabase(ctx, func(a *app.App) error {
		var err error
		if in.Project == "" {
			if ctx, err = o.withCurrentProject(ctx, a); err != nil {
				return err
			}
		}
		if !asJSON {
			ctx = recall.WithWholeHits(ctx)
		}
		text, err := callToolInto(ctx, a, recall.Name, in, &out)
		switch {
		case err != nil:
			return err
		case asJSON:
			return o.printJSONText([]byte(text))
		}
		return o.printf("%s", out.TextForPeople())
	})
}

// withCurrentProject makes the project of the working directory the one at hand, and says
// so, when sessions of it were captured, or where those of a folder that was moved are.
func (o *settings) withCurrentProject(ctx context.Context, a *app.App) (context.Context, error) {
	at, ok := currentProject()
	if !ok {
		return ctx, nil
	}
	var known, moved sessions.Project
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if known, err = sessions.In(tx).ProjectByKey(at.Keys()...); err != nil {
			return err
		}
		moved, err = capture.FindMovedProject(tx, &at)
		return err
	})
	if err == nil && known.ID != 0 {
		fmt.Fprintf(o.streams.Err, "What was said in the project %s comes first.\n", language.QuoteLine(known.Name))
	}
	if err == nil && moved.ID != 0 {
		says, command := capture.MovedFolderHint(moved)
		fmt.Fprintf(o.streams.Err, "%s If it was moved or renamed to this folder, run: %s\n", language.QuoteLine(says), command)
	}
	return recall.WithProject(ctx, at.Keys()...), err
}

// currentProject returns the project of the working directory; not ok where it is in none.
func currentProject() (at transcripts.Project, ok bool) {
	folder, _ := os.Getwd() // without one there is no project
	return tools.FindProjectOfFolder(folder)
}
