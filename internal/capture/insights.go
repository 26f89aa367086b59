package capture

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"toolkit/internal/capture/notice"
	"toolkit/internal/capture/redact"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/language"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools/memory"
)

// notSaid is the reason of an insight that was deleted because its turn, read again,
// does not state it.
const notSaid = "read again, it is not what was said"

// setNoticedStatements finds what a turn of the user states that holds beyond its day. It is done
// before the transaction that stores the turn, and on its cleaned text.
func (r *run) setNoticedStatements(ctx context.Context, t *turn) error {
	if t.Speaker != transcripts.User || t.Summary {
		return nil
	}
	found, err := notice.FindStatements(ctx, t.Text)
	t.noticed = slices.DeleteFunc(found, func(s notice.Statement) bool { return strings.Contains(s.Text, redact.PlaceholderPrefix) })
	for _, s := range t.noticed {
		if s.Vector != nil {
			r.Search.PrepareKnownVector(s.Text, s.Vector)
		} else {
			r.Search.PrepareVector(ctx, s.Text)
		}
	}
	return err
}

// reconcileInsights makes the insights of a stored turn what was noticed in it. What was said
// before in these words becomes no second insight, and one that somebody deleted, forgot
// or wrote anew stays as it is.
func (r *run) reconcileInsights(tx *store.Tx, t turn, dialogue int64) error {
	if t.Speaker != transcripts.User {
		return nil
	}
	scope, err := t.findProjectKey(tx)
	if err != nil {
		return err
	}
	for _, s := range t.noticed {
		if err := r.storeInsightOrAddSource(tx, t, s, scope, dialogue); err != nil {
			return err
		}
	}
	return r.deleteUnstatedInsights(tx, t, dialogue)
}

// storeInsightOrAddSource stores one statement, or names its turn as a further source of the insight
// that says it already.
func (r *run) storeInsightOrAddSource(tx *store.Tx, t turn, s notice.Statement, scope string, dialogue int64) error {
	project, limited, err := findLimitingProject(tx, s, scope)
	if err != nil {
		return err
	}
	switch {
	case limited:
		s.Kind, scope = notice.ProjectStyle, cmp.Or(project, scope)
	case s.Kind == notice.Preference || s.Kind == notice.Person || s.Kind == notice.Style: // one insight, in whatever projects it is said
		scope = ""
	}
	key := memory.HashStatement(s.Text, scope)
	id, known, err := sessions.In(tx).InsightOfStatement(key)
	if err != nil || known && id == 0 { // it was forgotten
		return err
	}
	if known {
		old, err := memoryrows.In(tx).InsightAt(id)
		switch {
		case err != nil:
			return err
		case old != nil && old.IsCurrent() && !slices.Contains(old.SourceIDs, dialogue):
			return memoryrows.In(tx).AddSource(old, dialogue)
		case old == nil || old.IsCurrent() || old.Reason != notSaid:
			return nil
		}
	}
	stored, err := memory.StoreExtracted(tx, r.Search, memory.Extracted{Text: s.Text, Kind: s.Kind, Score: s.Score, Asked: s.Explicit, Project: project, Source: dialogue, At: t.At, Due: memory.FindDueDay(s.Kind, s.Text, t.At)})
	if err != nil {
		return err
	}
	return sessions.In(tx).NoteInsightOfStatement(key, stored.ID)
}

// maxNamedProjects is among how many projects, the last at work, one is sought that a preference names.
const maxNamedProjects = 200

// findLimitingProject reports whether a preference about answers holds in one project only: that of a key, in which it
// is said, or another one that it names, of which it returns the key.
func findLimitingProject(tx *store.Tx, s notice.Statement, here string) (project string, limited bool, err error) {
	if s.Kind != notice.Style || here == "" {
		return "", false, nil
	}
	if notice.IsAboutThisProject(s.Text) {
		return "", true, nil
	}
	known, err := sessions.In(tx).ListProjects(maxNamedProjects)
	if err != nil {
		return "", false, err
	}
	text := " " + strings.Join(language.Words(s.Text), " ") + " "
	for _, p := range known {
		words := language.Words(p.Name)
		if len(words) == 0 || len(words) == 1 && (len([]rune(words[0])) < minProjectName || language.IsWork(language.Stem(words[0])) || language.IsStopWord(words[0])) || !strings.Contains(text, " "+strings.Join(words, " ")+" ") {
			continue
		}
		if limited = true; p.Key == here { // it comes before another of the name
			return "", true, nil
		}
		project = p.Key
	}
	return project, limited, nil
}

// minProjectName is how many letters a name has that is not taken for a word of the sentence.
const minProjectName = 4

// deleteUnstatedInsights deletes the insights that come from a turn alone and that it, read
// again, does not state.
func (r *run) deleteUnstatedInsights(tx *store.Tx, t turn, dialogue int64) error {
	ids, err := memoryrows.In(tx).InsightsFrom(dialogue)
	if err != nil {
		return err
	}
	known, err := memoryrows.In(tx).InsightsByID(ids)
	if err != nil {
		return err
	}
	for i := range known {
		stated := slices.ContainsFunc(t.noticed, func(s notice.Statement) bool {
			return memory.NormalizeWords(s.Text) == memory.NormalizeWords(known[i].Content)
		})
		if stated || !known[i].IsCurrent() || memory.ExtractedKindOf(&known[i]) == "" || len(known[i].SourceIDs) > 1 {
			continue
		}
		if err := r.deleteInsight(tx, &known[i]); err != nil {
			return err
		}
	}
	return nil
}

// findProjectKey is the key under which the project of a turn was met first: it stays when
// a remote is added or changed.
func (t *turn) findProjectKey(tx *store.Tx) (string, error) {
	if t.project == nil {
		return "", nil
	}
	p, err := sessions.In(tx).ProjectByKey(t.project.Keys()...)
	return p.Key, err
}

func (r *run) deleteInsight(tx *store.Tx, i *memoryrows.Insight) error {
	if err := memoryrows.In(tx).MarkInsightDeleted(i, notSaid); err != nil {
		return err
	}
	_, err := r.Search.IndexRow(tx, i.Row())
	return err
}
