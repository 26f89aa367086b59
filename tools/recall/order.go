package recall

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
	"toolkit/tools"
)

const (
	// maxOrdered is how many of the best are compared by topic.
	maxOrdered = 20
	// minReplacingSimilarity is how near in topic a statement is that may have replaced
	// another, and minShareOfReplaced the share of what the other answers that it must answer.
	// Whoever asks for one of several events must not be told another first.
	minReplacingSimilarity, minShareOfReplaced = 0.45, 0.5
)

// orderTopicsByTime puts the newest first of what the user stated on one topic, in the places
// that these have: the others may be outdated.
func orderTopicsByTime(ctx context.Context, tx *store.Tx, q *tools.Question, list []ranked) error {
	list = list[:min(len(list), maxOrdered)]
	stated := slices.DeleteFunc(slices.Clone(list), func(r ranked) bool { return !r.isUserStatement() })
	if len(stated) < 2 {
		return nil
	}
	vectors, err := loadVectors(ctx, tx, stated)
	if err != nil {
		return err
	}
	statements := make(map[string]*search.Statement, len(stated))
	for _, r := range stated {
		statements[r.Ref()] = &search.Statement{Ref: r.Ref(), Text: r.statedText(), At: r.At, Vector: vectors[r.Ref()]}
	}
	for i := range list {
		for j := i + 1; j < len(list); j++ {
			if list[j].mayReplace(list[i]) && !q.NamesOther(statements[list[i].Ref()], statements[list[j].Ref()]) && search.TopicSimilarityFrom(statements[list[i].Ref()], statements[list[j].Ref()], minReplacingSimilarity) > 0 {
				list[i], list[j] = list[j], list[i]
				list[i].shown, list[j].shown = list[j].shown, list[i].shown // what replaces answers as much
			}
		}
	}
	markEarlier(q, list, statements)
	return nil
}

// markEarlier notes beside what the user stated in a project which statement is the newest on
// the topic of it.
func markEarlier(q *tools.Question, list []ranked, statements map[string]*search.Statement) {
	hits, byProject := map[string]*ranked{}, map[int64][]search.Statement{}
	for i := range list {
		if s := statements[list[i].Ref()]; s != nil {
			hits[s.Ref] = &list[i]
			byProject[list[i].Project] = append(byProject[list[i].Project], *s)
		}
	}
	for _, stated := range byProject {
		for _, topic := range search.GroupByTopic(stated) {
			newest := topic[0]
			for _, s := range topic[1:] {
				if s.At.Before(newest.At) && !q.NamesOther(&s, &newest) {
					hits[s.Ref].newer = fmt.Sprintf("earlier; %s of %s may replace it", newest.Ref, newest.At.Local().Format(time.DateOnly))
				}
			}
		}
	}
}

// mayReplace reports whether the user stated something after something else, in one project
// or in none, that answers about as much of the question.
func (r ranked) mayReplace(other ranked) bool {
	return r.isUserStatement() && other.isUserStatement() && r.Project == other.Project && r.At.After(other.At) && r.relevance >= minShareOfReplaced*other.relevance
}

// isUserStatement reports whether the user states something, that nothing is known to have
// replaced. Insights are of the user.
func (r ranked) isUserStatement() bool {
	return r.ReplacedBy == "" && r.intent == intentStatement && (r.Kind == kinds.Insight || r.Speaker == user)
}

// statedText is the text of a hit without who said it.
func (r ranked) statedText() string { return strings.TrimPrefix(r.Text, user+": ") }

// loadVectors are the vectors of candidates, by their refs: stored ones, or new ones for the
// first that have none.
func loadVectors(ctx context.Context, tx *store.Tx, list []ranked) (map[string][]float32, error) {
	vectors, err := storedVectors(tx, list)
	if err != nil {
		return nil, err
	}
	var missing []*search.Statement
	room := maxEmbeddedTotal
	for _, r := range list {
		if vectors[r.Ref()] != nil {
			continue
		}
		text := truncate(r.statedText(), maxEmbeddedLength)
		if room -= len(text); room < 0 {
			break
		}
		missing = append(missing, &search.Statement{Ref: r.Ref(), Text: text})
	}
	err = search.Embed(ctx, missing)
	for _, s := range missing {
		vectors[s.Ref] = s.Vector
	}
	return vectors, err
}

// storedVectors are the vectors of the turns and insights among candidates, by their refs.
func storedVectors(tx *store.Tx, list []ranked) (map[string][]float32, error) {
	rows := map[memory.Source][]int64{}
	refs := map[memory.Source]map[int64]string{memory.SourceDialogue: {}, memory.SourceInsight: {}}
	for _, r := range list {
		source := memory.SourceDialogue
		if r.Kind == kinds.Insight {
			source = memory.SourceInsight
		}
		if id, err := strconv.ParseInt(r.ID, 10, 64); err == nil && (r.Kind == kinds.Insight || r.Kind == kinds.Dialogue) {
			rows[source], refs[source][id] = append(rows[source], id), r.Ref()
		}
	}
	vectors := map[string][]float32{}
	for source, ids := range rows {
		stored, err := memory.In(tx).VectorsOf(source, embed.BuiltInModel, ids)
		if err != nil {
			return nil, err
		}
		for id, packed := range stored {
			if vector, err := embed.Unpack(packed); err == nil && vector != nil { // one that cannot be read is none
				vectors[refs[source][id]] = vector
			}
		}
	}
	return vectors, nil
}
