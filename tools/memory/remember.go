package memory

import (
	"cmp"
	"context"
	"crypto/sha256"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"toolkit/internal/capture/notice"
	"toolkit/internal/capture/redact"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
)

// Remember stores a text that somebody wants remembered as an insight, without secrets
// and with its source, unless one says it already. A blank text and a project that is
// not one are refused with *tools.Error.
func (d Deps) Remember(ctx context.Context, n tools.Note) (out tools.Remembered, err error) {
	f := newFamily(d)
	text, redacted := redact.Text(ctx, strings.TrimSpace(notice.TrimRememberRequest(strings.TrimSpace(n.Text))))
	if err := cmp.Or(ctx.Err(), tools.RequireText("text", text)); err != nil {
		return out, err
	}
	if len(redacted) > 0 && !hasContent(text) {
		return out, tools.Invalid(tools.CodeInvalid, "text", "a text with words", "text has no word to remember besides what is left out of it")
	}
	f.Search.PrepareVector(ctx, text)
	out.Text, out.LeftOut = text, slices.Sorted(maps.Keys(redacted))
	s, err := store.WriteValue(ctx, f.Store, func(tx *store.Tx) (*stored, error) {
		p, err := f.findOrCreateProjectOfNote(ctx, tx, n)
		if err != nil {
			return nil, err
		}
		known, of, err := findRememberedInsight(ctx, tx, text, p)
		if err != nil || known != nil {
			out.Already, out.Project = known != nil, of.Name
			return &stored{insight: known}, err
		}
		out.Project = p.Name
		return f.insertNote(ctx, tx, text, n.Kind, p)
	})
	if err != nil {
		return out, err
	}
	out.ID = s.insight.ID
	if !out.Already { // it is stored by now: that the look fails is told, and fails nothing
		out.Unchecked = f.setReplacedInsight(ctx, &out) != nil
	}
	return out, nil
}

// setReplacedInsight finds what a new insight makes untrue of what is remembered in its project and in all.
func (f *family) setReplacedInsight(ctx context.Context, r *tools.Remembered) error {
	return f.Store.Read(ctx, func(tx *store.Tx) error {
		earlier, err := search.FindStatementMadeUntrue(ctx, tx, r.ID, f.Store.Now())
		if err == nil && earlier != nil {
			r.Untrue, r.UntrueText = earlier.ID, earlier.Text
		}
		return err
	})
}

// placeholder stands in the place of a secret.
var placeholder = regexp.MustCompile(regexp.QuoteMeta(redact.PlaceholderPrefix) + `[^\]]*\]`)

// hasContent reports whether a text has a letter or a digit besides placeholders.
func hasContent(text string) bool {
	return strings.ContainsFunc(placeholder.ReplaceAllString(text, ""), func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

// insertNote stores a text that nobody remembered yet, with the client and
// session that it comes from.
func (f *family) insertNote(ctx context.Context, tx *store.Tx, text, kind string, p sessions.Project) (*stored, error) {
	client := callingClientName(ctx)
	session, err := findOnlyRunningSession(tx, client, p.ID, f.Store.Now())
	if err != nil {
		return nil, err
	}
	about := insightMetadata{Project: p.Key, Kind: kind, Client: client, Session: session, Asked: true, Due: FindDueDay(kind, text, f.Store.Now())}
	s, err := f.insertMeasuredInsight(tx, text, nil, about, memory.In(tx).InsertInsight)
	if err != nil {
		return nil, err
	}
	return s, sessions.In(tx).NoteInsightOfStatement(HashStatement(text, p.Key), s.insight.ID)
}

// findRememberedInsight returns the current insight that says a text in these words, and the project in
// which it holds, the zero Project: all; nil: none does. It is looked for in the project in which
// the text is to hold and in all; where none is meant, also in every project, for who says a thing
// again does not say where it was said first.
func findRememberedInsight(ctx context.Context, tx *store.Tx, text string, p sessions.Project) (i *memory.Insight, of sessions.Project, err error) {
	scopes := []sessions.Project{p, {}}
	if p.ID == 0 && !isForAllProjects(ctx) {
		list, err := sessions.In(tx).ListProjects(maxScopes)
		if err != nil {
			return nil, of, err
		}
		scopes = append(scopes, list...)
	}
	for _, scope := range scopes {
		keys, err := sessions.In(tx).ProjectKeys(scope.ID)
		if err != nil {
			return nil, of, err
		}
		for _, key := range append(keys, scope.Key) {
			if i, err := findInsightByText(tx, text, key); err != nil || i != nil {
				return i, scope, err
			}
		}
	}
	return nil, of, nil
}

// maxScopes is in how many projects, the last at work, a text is looked for that names none.
const maxScopes = 500

// findInsightByText returns the current insight that says a text in these words in the project of a key;
// nil: none does.
func findInsightByText(tx *store.Tx, text, key string) (*memory.Insight, error) {
	id, _, err := sessions.In(tx).InsightOfStatement(HashStatement(text, key))
	if err != nil || id == 0 { // not known, or forgotten
		return nil, err
	}
	i, err := memory.In(tx).InsightAt(id)
	if err != nil || i == nil || !i.IsCurrent() || !isSameText(i.Content, text) {
		return nil, err
	}
	return i, nil
}

// isSameText reports whether two texts differ in letter case, spaces and a full stop at
// most. A sign may change all that a text says: a minus, a question mark.
func isSameText(a, b string) bool {
	const closing = ".!"
	return strings.TrimRight(graph.Fold(a), closing) == strings.TrimRight(graph.Fold(b), closing)
}

// HashStatement stands for a statement in a project, whatever its letter case and marks.
func HashStatement(text, scope string) []byte {
	sum := sha256.Sum256([]byte(NormalizeWords(text) + "\x00" + scope))
	return sum[:16]
}

// NormalizeWords returns the words of a text in lower case, without marks.
func NormalizeWords(text string) string {
	return strings.Join(language.Words(strings.ToLower(text)), " ")
}

// FindDueDay returns the day, in the zone of the machine, that a statement of a kind names and that is
// still to come; empty: it names none. A plan may be of any length and name a weekday alone; of what
// else is so on a day, only that day counts, or the end of what it is to be done by. A rule
// or a lesson has a day only where it says by when, and a wish has none.
func FindDueDay(kind, text string, said time.Time) string {
	var day time.Time
	named, today := false, said.Local()
	switch kind {
	case notice.Plan:
		day, named = language.FindPlannedDay(text, today)
	case "", notice.Fact, notice.Person, notice.Decision, notice.Correction:
		day, named = language.FindDueDay(text, today, true)
	case notice.Preference, notice.Style, notice.ProjectStyle:
	default:
		day, named = language.FindDueDay(text, today, false)
	}
	if !named {
		return ""
	}
	return day.Format(time.DateOnly)
}

// NextDueDay is the day on which what was said at a time and is first due on a day is due now; of a plan of several
// days the next one.
func NextDueDay(text, due string, said, now time.Time) string {
	first, malformed := time.Parse(time.DateOnly, due)
	if malformed != nil || due >= now.Local().Format(time.DateOnly) {
		return due
	}
	return language.FindNextDueDay(text, said.Local(), first, now.Local()).Format(time.DateOnly)
}

// IsStillDue reports whether what is due on a day is to be told of on another: what is past only where
// something is left to be done, for some time.
func IsStillDue(text, due, today string) bool {
	day, err := time.Parse(time.DateOnly, today)
	return due >= today || err == nil && due >= day.Add(-PromiseMemory).Format(time.DateOnly) && language.IsOpenWork(text)
}

// findOrCreateProjectOfNote finds the project in which a text is to hold, and makes it where it was
// not known; the zero Project: it holds in all. What a person is, or prefers, holds in
// all unless a project is named.
func (f *family) findOrCreateProjectOfNote(ctx context.Context, tx *store.Tx, n tools.Note) (sessions.Project, error) {
	about := n.Kind == notice.Preference || n.Kind == notice.Person
	switch key := projectKeyFrom(ctx); {
	case key != "":
		return sessions.In(tx).ProjectByKey(key)
	case n.Project != "":
		return findOrCreateNamedProject(ctx, tx, n.Project)
	case about || f.Folder == "":
		return sessions.Project{}, nil
	}
	at, ok := tools.FindProjectOfFolder(f.Folder)
	if !ok {
		return sessions.Project{}, nil
	}
	return findOrCreateProject(tx, at, at.Key != transcripts.InFolder+at.Root)
}

// findOrCreateNamedProject returns the project of a name, key or folder.
func findOrCreateNamedProject(ctx context.Context, tx *store.Tx, name string) (sessions.Project, error) {
	if name = tools.NormalizeProjectText(name); name == "" {
		return sessions.Project{}, tools.RequireText("project", name)
	}
	if filepath.IsAbs(name) {
		if at, ok := tools.FindProjectOfFolder(name); ok {
			return findOrCreateProject(tx, at, true)
		}
	}
	known, err := tools.FindProject(tx, "project", name)
	if err != nil || known.ID != 0 {
		return known, err
	}
	clean, _ := redact.Text(ctx, name)
	return findOrCreateProject(tx, transcripts.Project{Key: transcripts.ByName + NormalizeWords(clean), Name: clean}, true)
}

// findOrCreateProject is the stored project of a folder. Where none is stored it is made, if
// it may be.
func findOrCreateProject(tx *store.Tx, at transcripts.Project, mayMake bool) (sessions.Project, error) {
	known, err := sessions.In(tx).ProjectByKey(at.Keys()...)
	if err != nil || known.ID != 0 || !mayMake {
		return known, err
	}
	return tools.EnsureProject(tx, at)
}

// runningTime is how long ago a session that runs said something, and sessionsLooked
// how many sessions are looked at for it.
const (
	runningTime    = 30 * time.Minute
	sessionsLooked = 20
)

// callingClientName is the name of the client that calls; empty: it gave none.
func callingClientName(ctx context.Context) string {
	if name := tools.CallFrom(ctx).AgentID; name != "unknown" {
		return name
	}
	return ""
}

// findOnlyRunningSession returns the only captured session of a client in a project that said
// something of late; empty: none is known, or several are.
func findOnlyRunningSession(tx *store.Tx, client string, project int64, now time.Time) (string, error) {
	running, err := sessions.In(tx).ListSessions(project, sessionsLooked)
	if err != nil {
		return "", err
	}
	running = slices.DeleteFunc(running, func(s sessions.Session) bool {
		return s.SideChain || now.Sub(s.Ended) > runningTime || !strings.HasPrefix(client, cmp.Or(s.Client, "?"))
	})
	if len(running) != 1 {
		return "", nil
	}
	return running[0].ID, nil
}
