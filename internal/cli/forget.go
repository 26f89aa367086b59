package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/transfer"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/tools/forget"
)

type forgetFlags struct {
	in                  forget.Input
	sessions            []string
	projects            []string
	entities            []string
	records             []string
	yes, asJSON, finish bool
	all                 bool
}

func newForget(o *settings) *cobra.Command {
	var f forgetFlags
	cmd := newCommand("forget", requireArgumentCount(0, 1, "at most one TEXT"), func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			if kind, id, _ := strings.Cut(args[0], ":"); id == strings.TrimSpace(id) && id != "" && slices.Contains(kinds.FindableNames(), kind) {
				f.in.Items = append(f.in.Items, args[0])
			} else {
				f.in.Text = args[0]
			}
		}
		return o.forget(cmd.Context(), f)
	})
	flags := cmd.Flags()
	flags.StringArrayVar(&f.sessions, "session", nil, "the dialogue of a session, by its id ('toolkit projects --sessions' lists them) or a beginning that only one has; repeatable")
	flags.StringArrayVar(&f.projects, "project", nil, "a project with its sessions, by name or folder; repeatable")
	flags.StringArrayVar(&f.entities, "entity", nil, "an entity of the graph or of documents, by name or id, or a chart, by its outcome or as chart:ID; repeatable")
	flags.StringArrayVar(&f.records, "record", nil, "a record, payload or document by its id; repeatable")
	flags.StringArrayVar(&f.in.Items, "item", nil, "anything by kind:id, as a preview names it; repeatable")
	flags.BoolVar(&f.in.WithDerived, "with-derived", false, "also what was made from it, such as insights")
	flags.BoolVar(&f.all, "all", false, "show everything that would go or stay, not only the first of each kind")
	flags.BoolVar(&f.yes, "yes", false, "forget without asking")
	flags.BoolVar(&f.asJSON, "json", false, "print the preview, or what was forgotten, as JSON")
	flags.BoolVar(&f.finish, "finish", false, "only remove the traces that forgetting and other deletions left in the database")
	return cmd
}

func (o *settings) forget(ctx context.Context, f forgetFlags) error {
	for i, name := range f.projects {
		if p, ok := findProjectOfFolder(name); ok {
			f.projects[i] = p.Key
		}
	}
	for _, named := range []struct {
		kind string
		ids  []string
	}{{"session", f.sessions}, {kinds.Project, f.projects}, {kinds.Entity, f.entities}, {kinds.Record, f.records}} {
		for _, id := range named.ids {
			if named.kind == kinds.Entity && strings.HasPrefix(id, kinds.GroupChart+":") {
				f.in.Items = append(f.in.Items, id)
				continue
			}
			f.in.Items = append(f.in.Items, named.kind+":"+id)
		}
	}
	if f.all {
		f.in.Show = forget.MaxDeletedItems
	}
	if !f.finish && len(f.in.Items) == 0 && f.in.Text == "" {
		return usagef("say what to forget: a TEXT, --session, --project, --entity, --record or --item; see 'toolkit forget --help'")
	}
	return o.withExistingDatabase(ctx, func(a *app.App) error {
		if f.finish {
			left, err := a.Store.EraseDeleted(ctx)
			return o.reportTracesLeft(left, err)
		}
		var preview, done forget.Output
		text, err := callToolInto(ctx, a, forget.Name, f.in, &preview)
		if err != nil {
			return err
		}
		agreed, err := o.confirmForget(preview, text, f)
		if err != nil || !agreed {
			return err
		}
		f.in.Confirm = preview.Confirm
		if text, err = callToolInto(ctx, a, forget.Name, f.in, &done); err != nil {
			return err
		}
		if f.asJSON {
			err = o.printJSONText([]byte(text))
		} else {
			_, err = fmt.Fprintln(o.streams.Out, done.Message)
		}
		o.printNewestBackup(a.Store.Path())
		left, traces := a.Store.EraseTraces(ctx, true) // what a server leaves, however large the database is
		return errors.Join(err, o.reportTracesLeft(left, traces))
	})
}

// printNewestBackup names the newest backup of a database, which keeps what was forgotten.
func (o *settings) printNewestBackup(database string) {
	if newest, found := transfer.FindNewestBackup(database); found {
		fmt.Fprintf(o.streams.Err, "note: %s, made on %s, keeps what it holds, as do earlier backups and databases restored from them; delete them and make a new one\n", newest.Archive, newest.At.Format(time.DateOnly))
	}
}

// confirmForget shows a preview and asks. Nothing to forget is no reason to ask.
func (o *settings) confirmForget(preview forget.Output, text string, f forgetFlags) (bool, error) {
	if preview.Confirm == "" || !f.yes && f.asJSON {
		if f.asJSON {
			return false, o.printJSONText([]byte(text))
		}
		_, err := fmt.Fprintln(o.streams.Out, preview.Message)
		return false, err
	}
	if !f.asJSON {
		printPreview(o.streams.Out, preview)
	}
	if f.yes {
		return true, nil
	}
	if !isTerminal(o.streams.In) || !isTerminal(o.streams.Out) {
		return false, errors.New("nothing was changed; to forget this without being asked, add --yes")
	}
	fmt.Fprint(o.streams.Out, "Forget this for good? [y/N] ")
	answer, err := bufio.NewReader(o.streams.In).ReadString('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	agreed := strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y")
	if !agreed {
		fmt.Fprintln(o.streams.Out, "Nothing was changed.")
	}
	return agreed, nil
}

func printPreview(out io.Writer, p forget.Output) {
	for _, part := range []struct {
		title  string
		groups []forget.Group
	}{
		{"Would go for good:", p.Going},
		{"Made from it, and would stay (--with-derived takes it too):", p.Derived},
		{"Mentions it, and would stay:", p.Mentions},
	} {
		if len(part.groups) == 0 {
			continue
		}
		fmt.Fprintln(out, part.title)
		for _, g := range part.groups {
			for _, item := range g.Items {
				fmt.Fprintf(out, "  %-16s %s (%s)\n", item.Ref, item.Line, item.Why)
			}
			if more := g.Count - len(g.Items); more > 0 {
				fmt.Fprintf(out, "  and %d more of kind %s (--all shows them)\n", more, g.Kind)
			}
		}
	}
}

// reportTracesLeft says what is not removed yet.
func (o *settings) reportTracesLeft(left store.Traces, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("the traces could not be removed yet: %w; run 'toolkit forget --finish'", err)
	case left.Log:
		fmt.Fprintln(o.streams.Err, "note: another process is reading; the last bytes in the database file and its log go when it lets go")
	case left.Staged > 0:
		fmt.Fprintf(o.streams.Err, "note: %s in files/incoming may be on its way in; left by a program that was killed, it goes with 'toolkit forget --finish' an hour after it was written\n", pluralize(left.Staged, "file"))
	case left.Files > 0:
		fmt.Fprintf(o.streams.Err, "note: %s could not be removed from the folder of files\n", pluralize(left.Files, "file"))
	}
	return nil
}
