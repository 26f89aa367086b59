package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/sessions"
	"toolkit/tools"
)

func newProjects(o *settings) *cobra.Command {
	var asJSON, withSessions, all bool
	cmd := newCommandGroup("projects",
		newCommand("projects rename", requireArgumentCount(2, 2, "a PROJECT and its new NAME"), func(cmd *cobra.Command, args []string) error {
			return o.changeProject(cmd.Context(), args[0], tools.FindProject, func(tx *store.Tx, p sessions.Project) (string, error) {
				name := strings.TrimSpace(args[1])
				if name == "" {
					return "", usagef("the new name is empty")
				}
				if err := checkProjectNameIsFree(tx, p, name); err != nil {
					return "", err
				}
				return fmt.Sprintf("%s is called %s now.", p.Name, name), sessions.In(tx).RenameProject(p.ID, name)
			})
		}),
		newCommand("projects join", requireArgumentCount(2, 2, "a PROJECT and the one to join it TO"), func(cmd *cobra.Command, args []string) error {
			return o.changeProject(cmd.Context(), args[0], tools.FindProject, func(tx *store.Tx, p sessions.Project) (string, error) { return joinProject(tx, p, args[1]) })
		}),
		newCommand("projects separate", requireArgumentCount(1, 1, "a joined PROJECT"), func(cmd *cobra.Command, args []string) error {
			return o.changeProject(cmd.Context(), args[0], tools.FindJoinedProject, func(tx *store.Tx, p sessions.Project) (string, error) {
				return fmt.Sprintf("%s is a project of its own again, with its sessions.", p.Name), sessions.In(tx).JoinProject(p.ID, 0)
			})
		}))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return o.listProjects(cmd.Context(), asJSON, withSessions || all, all)
	}
	cmd.Flags().BoolVar(&withSessions, "sessions", false, "also list the last sessions of each project, by the ids that 'toolkit forget' takes")
	cmd.Flags().BoolVar(&all, "all-sessions", false, "list all sessions of each project")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return cmd
}

// shownProject is a project in the list, with what was joined to it.
type shownProject struct {
	ID       int64          `json:"id"`
	Name     string         `json:"name"`
	Root     string         `json:"root"`
	Remote   string         `json:"remote,omitempty"`
	Key      string         `json:"key"`
	Sessions int            `json:"sessions"` // with those of what was joined to it
	Turns    int            `json:"turns"`    // likewise
	Last     string         `json:"last"`     // when something was said in it, or it was met
	Off      bool           `json:"captureOff"`
	Joined   []shownProject `json:"joined,omitempty"`
	Listed   []shownSession `json:"lastSessions,omitempty"` // where they are asked for
	More     int            `json:"moreSessions,omitempty"` // that are not listed
}

// shownSession is a session in the list of its project.
type shownSession struct {
	ID    string `json:"id"`
	Turns int    `json:"turns"`
	Last  string `json:"last"`
	About string `json:"about"` // its title, or how it began
}

// maxListedSessions is how many sessions of a project are listed, and maxAboutRunes how much of
// what each was about.
const maxListedSessions, maxAboutRunes = 20, 60

// maxReadSessions bounds the sessions of a project that are read.
const maxReadSessions = 100_000

func (o *settings) listProjects(ctx context.Context, asJSON, withSessions, all bool) error {
	switches, err := o.readCaptureSwitches()
	if err != nil {
		return err
	}
	return o.withExistingDatabase(ctx, func(a *app.App) error {
		list, err := store.ReadValue(ctx, a.Store, func(tx *store.Tx) ([]shownProject, error) { return readProjects(tx, withSessions, all) })
		if err != nil {
			return err
		}
		visitProjects(list, func(p *shownProject) {
			p.Off = switches.IsProjectOff(&transcripts.Project{Key: p.Key, Name: p.Name, Root: p.Root, Remote: p.Remote})
		})
		if asJSON {
			return o.printJSON(map[string]any{"projects": list})
		}
		if len(list) == 0 {
			return o.printf("No project is known yet: 'toolkit capture --all' takes in what assistants wrote of their sessions, by project.\n")
		}
		w := tabwriter.NewWriter(o.streams.Out, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "PROJECT\tID\tSESSIONS\tTURNS\tLAST\tWHERE")
		printProjects(w, list, "")
		return w.Flush()
	})
}

// readProjects returns the projects, those that nothing was joined to in front, each with its last
// sessions where they are asked for.
func readProjects(tx *store.Tx, withSessions, all bool) ([]shownProject, error) {
	known, err := sessions.In(tx).ListProjectUse()
	if err != nil {
		return nil, err
	}
	list := buildProjectTree(known, 0)
	for i := range list {
		if !withSessions {
			break
		}
		found, err := readSessions(tx, list[i].ID)
		if err != nil {
			return nil, err
		}
		list[i].Listed = found
		if !all {
			list[i].Listed = found[:min(len(found), maxListedSessions)]
		}
		list[i].More = len(found) - len(list[i].Listed)
	}
	return list, nil
}

// readSessions returns the sessions, the last first, of a project and of what was joined to it.
func readSessions(tx *store.Tx, project int64) ([]shownSession, error) {
	found, err := sessions.In(tx).ListSessionSummaries(sessions.SessionFilter{Project: project, Limit: maxReadSessions})
	if err != nil {
		return nil, err
	}
	list := make([]shownSession, len(found))
	for i, s := range found {
		list[i] = shownSession{ID: s.ID, Turns: s.Turns, Last: s.Ended.Format(time.RFC3339), About: language.QuoteLine(cmp.Or(s.Title, s.Begins))}
	}
	return list, nil
}

// buildProjectTree puts what was joined below what it was joined to; the last at work
// first.
func buildProjectTree(all []sessions.ProjectUse, to int64) []shownProject {
	list := []shownProject{}
	for _, u := range all {
		if u.Joined != to {
			continue
		}
		p := shownProject{ID: u.ID, Name: u.Name, Root: u.Root, Remote: u.Remote, Key: u.Key, Sessions: u.Sessions, Turns: u.Turns, Last: u.Last.Format(time.RFC3339), Joined: buildProjectTree(all, u.ID)}
		for _, part := range p.Joined {
			p.Sessions, p.Turns, p.Last = p.Sessions+part.Sessions, p.Turns+part.Turns, max(p.Last, part.Last)
		}
		list = append(list, p)
	}
	return list
}

func visitProjects(list []shownProject, visit func(*shownProject)) {
	for i := range list {
		visit(&list[i])
		visitProjects(list[i].Joined, visit)
	}
}

func printProjects(w io.Writer, list []shownProject, indent string) {
	for _, p := range list {
		where := p.Root
		if p.Remote != "" {
			where += ", " + p.Remote
		}
		if p.Off {
			where += ", not captured"
		}
		fmt.Fprintf(w, "%s%s\tproject:%d\t%d\t%d\t%s\t%s\n", indent, language.QuoteLine(p.Name), p.ID, p.Sessions, p.Turns, p.Last[:len(time.DateOnly)], language.QuoteLine(where))
		printProjects(w, p.Joined, indent+"+ ")
		for _, s := range p.Listed {
			about := language.Shorten(s.About, maxAboutRunes)
			fmt.Fprintf(w, "\tsession:%s\t\t%d\t%s\t%s\n", language.QuoteLine(s.ID), s.Turns, s.Last[:len(time.DateOnly)], about)
		}
		if p.More > 0 {
			fmt.Fprintf(w, "\tand %d more (--all-sessions lists them)\n", p.More)
		}
	}
}

// projectFinder finds the project that a text means.
type projectFinder func(tx *store.Tx, field, text string) (sessions.Project, error)

// changeProject finds the project that a person names and changes it, in one
// transaction.
func (o *settings) changeProject(ctx context.Context, name string, find projectFinder, change func(*store.Tx, sessions.Project) (string, error)) error {
	return o.withExistingDatabase(ctx, func(a *app.App) error {
		says, err := store.WriteValue(ctx, a.Store, func(tx *store.Tx) (string, error) {
			p, err := requireProject(tx, find, name)
			if err != nil {
				return "", err
			}
			return change(tx, p)
		})
		if err != nil {
			return err
		}
		return o.printf("%s\n", says)
	})
}

// requireProject is the project that a person names.
func requireProject(tx *store.Tx, find projectFinder, name string) (sessions.Project, error) {
	p, err := findProject(tx, find, name)
	if err != nil || p.ID != 0 {
		return p, err
	}
	if known, err := sessions.In(tx).FindProjects(name); err != nil || len(known) > 0 { // but not of that kind
		return p, cmp.Or(err, fmt.Errorf("%s was not joined to another project; 'toolkit projects' shows below each what was joined to it", name))
	}
	return p, newUnknownProjectError(name)
}

// checkProjectNameIsFree refuses a name by which another project is found already.
func checkProjectNameIsFree(tx *store.Tx, p sessions.Project, name string) error {
	known, err := sessions.In(tx).FindProjects(name)
	if err != nil {
		return err
	}
	for _, other := range known {
		if other.ID != p.ID {
			return fmt.Errorf("%q names project:%d (%s) already; choose another name, or make both one: toolkit projects join project:%d project:%d", name, other.ID, other.Key, p.ID, other.ID)
		}
	}
	return nil
}

func newUnknownProjectError(name string) error {
	if isFolderName(name) && !pathExists(name) {
		return fmt.Errorf("there is no folder %s, and no project of it is known; check the path, or take a name of 'toolkit projects'", name)
	}
	if isFolderName(name) {
		return fmt.Errorf("%s is no project that is known; the home folder and the root of the file system are none", name)
	}
	return fmt.Errorf("no project is called %q; 'toolkit projects' lists them, and a folder such as . names the project it is in", name)
}

// findProject returns requireProject that returns the zero Project where there is none;
// a folder in the project names it, too.
func findProject(tx *store.Tx, find projectFinder, name string) (sessions.Project, error) {
	names := []string{name}
	if found, ok := findProjectOfFolder(name); ok {
		names = found.Keys()
	}
	for _, name := range names {
		if p, err := find(tx, "project", name); err != nil || p.ID != 0 {
			return p, err
		}
	}
	return sessions.Project{}, nil
}

// isFolderName reports whether a person names a folder: with a dot in front, or whole.
func isFolderName(name string) bool { return strings.HasPrefix(name, ".") || filepath.IsAbs(name) }

// findProjectOfFolder returns the project of a folder that a person names.
func findProjectOfFolder(name string) (transcripts.Project, bool) {
	if !isFolderName(name) {
		return transcripts.Project{}, false
	}
	folder, err := filepath.Abs(name)
	if err != nil {
		return transcripts.Project{}, false
	}
	return tools.FindProjectOfFolder(folder)
}

func joinProject(tx *store.Tx, p sessions.Project, name string) (string, error) {
	to, err := findOrAddProject(tx, name)
	switch {
	case err != nil:
		return "", err
	case to.ID == p.ID:
		return "", errors.New("both are one project already; nothing was changed")
	}
	return fmt.Sprintf("What is said in %s belongs to %s now; 'toolkit projects separate' takes it back.", p.Name, to.Name), sessions.In(tx).JoinProject(p.ID, to.ID)
}

// findOrAddProject returns the project that a person names. That of a folder which exists is added
// where nothing was said in it yet.
func findOrAddProject(tx *store.Tx, name string) (sessions.Project, error) {
	p, err := findProject(tx, tools.FindProject, name)
	if err != nil || p.ID != 0 {
		return p, err
	}
	folder, ok := findProjectOfFolder(name)
	if !ok || !pathExists(name) {
		return p, newUnknownProjectError(name)
	}
	return tools.EnsureProject(tx, folder)
}
