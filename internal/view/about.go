package view

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	"toolkit/store/memory"
	"toolkit/tools"
)

const (
	// maxCandidates is how many of the newest places that a full-text index finds are read.
	maxCandidates = 60
	// maxMentions is how many of a kind are shown, of the sure ones and of the likely ones.
	maxMentions = 12
	// maxMentionFacts is how many observations of a node are read.
	maxMentionFacts = 20
)

// mention is a place outside the documents that speaks of an entity.
type mention struct {
	Kind    string            `json:"kind"` // node, chart, step, beat, insight, dialogue or entity
	ID      string            `json:"id"`
	Text    string            `json:"text"`
	Type    string            `json:"type,omitempty"`
	Facts   []string          `json:"facts,omitempty"`
	Hidden  int               `json:"hidden_facts,omitempty"`
	Chart   string            `json:"chart,omitempty"`
	Session string            `json:"session,omitempty"`
	Speaker string            `json:"speaker,omitempty"`
	At      string            `json:"at,omitempty"`
	Row     int64             `json:"row,omitempty"` // of an insight or a turn
	Node    int64             `json:"node,omitempty"`
	Why     string            `json:"why,omitempty"` // of a likely one
	Related []graph.Neighbour `json:"related,omitempty"`
}

// likelyReasons says why something may be meant, by how it is named.
var likelyReasons = map[language.Naming]string{
	language.FirstNamed:  "a first name alone",
	language.LongerNamed: "the name goes on there",
	language.FormNamed:   "with or without a legal form",
	language.Respelt:     "the name in another spelling",
	language.InsideNamed: "the characters stand inside a longer run",
}

// found are the places that speak of something: sure ones, and likely ones with their why.
type found struct {
	Sure   []mention `json:"sure"`
	Likely []mention `json:"likely"`
	More   bool      `json:"more"` // there are others than were looked at or are shown
}

func (f *found) addMentionByCertainty(m mention, how language.Naming) {
	list := &f.Sure
	if how == language.NotNamed {
		return
	}
	if how != language.Named {
		m.Why, list = likelyReasons[how], &f.Likely
	}
	if len(*list) == maxMentions {
		f.More = true
		return
	}
	*list = append(*list, m)
}

// subject is what is looked for.
type subject struct {
	language.Name
	id, text string
}

// findMentionsOfEntity finds what the graph, charts, insights, dialogue and other entities say of an
// entity that documents speak of.
func (s *Server) findMentionsOfEntity(ctx context.Context, q *query) (any, error) {
	id := q.readRequiredText("id")
	out := found{Sure: []mention{}, Likely: []mention{}}
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		names, err := entities.In(tx).DocumentedNames([]string{id})
		if err != nil {
			return err
		}
		known := names[id]
		of := subject{language.ParseName(known.Name, slices.Contains(persons, known.Type)), id, known.Name}
		if of.IsBlank() {
			return nil
		}
		for _, look := range []func(*store.Tx, subject, *found) error{findNodesAbout, findChartsAbout, findInsightsAbout, findTurnsAbout, findEntitiesNamedAlike} {
			var part found
			if err := look(tx, of, &part); err != nil {
				return err
			}
			out.Sure, out.Likely, out.More = append(out.Sure, part.Sure...), append(out.Likely, part.Likely...), out.More || part.More
		}
		return nil
	})
	return out, err
}

// persons are the types of entities that may be meant by a first name.
var persons = []string{"person", "contact", "employee"}

// phraseExpression returns a full-text expression for the words of any of some texts, in order.
func phraseExpression(column string, texts []string) string {
	parts := make([]string, len(texts))
	for i, text := range texts {
		parts[i] = store.MatchPhrase(text)
	}
	return column + "(" + strings.Join(parts, " OR ") + ")"
}

// findNodesAbout finds nodes of the graph of the same name.
func findNodesAbout(tx *store.Tx, of subject, out *found) error {
	rows, err := kinds.In(tx).MatchWords(kinds.EntityWords, phraseExpression("name : ", of.SearchTexts()), true, maxCandidates)
	if err != nil {
		return err
	}
	if id, exists, err := graph.In(tx).EntityID(of.text); err != nil {
		return err
	} else if exists {
		rows = tools.Distinct(append([]int64{id}, rows...))
	}
	list, err := graph.In(tx).ReadFoundNodes(rows, nil, nil, maxMentionFacts)
	for _, n := range list {
		how := of.MatchName(n.Name)
		if err != nil || n.Kind != graph.KindPlain || how == language.NotNamed {
			continue
		}
		m := mention{Kind: "node", ID: n.Name, Text: n.Name, Type: n.Type, Facts: n.Observations, Hidden: n.Hidden, Node: n.ID}
		if how == language.Named {
			m.Related, err = listRelated(graph.In(tx), n.ID)
		}
		out.addMentionByCertainty(m, how)
	}
	return err
}

func listRelated(rows graph.Rows, id int64) ([]graph.Neighbour, error) {
	outward, _, err := rows.CountNeighbours(id)
	if err != nil {
		return nil, err
	}
	return rows.Neighbours(id, outward, maxMentions, 0)
}

// findChartsAbout finds charts, steps and beats whose title or facts name it.
func findChartsAbout(tx *store.Tx, of subject, out *found) error {
	finders := of.SearchTexts()
	titled, err := kinds.In(tx).MatchWords(kinds.EntityWords, phraseExpression("{title body} : ", finders), true, maxCandidates)
	if err != nil {
		return err
	}
	observed, err := kinds.In(tx).MatchWords(kinds.ObservationWords, phraseExpression("", finders), true, maxCandidates)
	if err != nil {
		return err
	}
	out.More = len(titled) == maxCandidates || len(observed) == maxCandidates
	list, err := graph.In(tx).ReadFoundNodes(titled, observed, nil, maxMentionFacts)
	for _, n := range list {
		if n.Kind == graph.KindPlain {
			continue
		}
		var about struct{ ChartID string }
		json.Unmarshal(n.Metadata, &about) //nolint:errcheck // imported metadata may be anything
		m := mention{Kind: string(n.Kind), ID: n.Name, Text: n.Title(), Chart: about.ChartID, At: timestamp(n.Updated)}
		how := of.MatchText(n.Title())
		for _, fact := range append(n.Matching, n.Observations...) {
			if named := of.MatchText(fact); named > how {
				how, m.Facts = named, []string{fact}
			}
		}
		out.addMentionByCertainty(m, how)
	}
	return err
}

// findInsightsAbout finds insights that count and name it, the newest first.
func findInsightsAbout(tx *store.Tx, of subject, out *found) error {
	return findMemoryAbout(tx, memory.SourceInsight, of, out, func(r memory.Row) mention {
		return mention{Kind: kinds.Insight, Text: r.Content, At: timestamp(r.At), Row: r.ID}
	})
}

// findTurnsAbout finds what was said of it, the newest first.
func findTurnsAbout(tx *store.Tx, of subject, out *found) error {
	return findMemoryAbout(tx, memory.SourceDialogue, of, out, func(r memory.Row) mention {
		return mention{Kind: kinds.Dialogue, Text: r.Content, At: timestamp(r.At), Row: r.ID, Session: r.SessionID, Speaker: r.Speaker}
	})
}

func findMemoryAbout(tx *store.Tx, source memory.Source, of subject, out *found, describe func(memory.Row) mention) error {
	rows := memory.In(tx)
	ids, err := rows.Match(source, wordFormsExpression(of.SearchTexts()), memory.Filter{Newest: true}, maxCandidates)
	if err != nil {
		return err
	}
	out.More = len(ids) == maxCandidates
	byID, err := rows.RowsAt(ids)
	for _, id := range ids {
		if r, exists := byID[id]; exists {
			out.addMentionByCertainty(describe(r), of.MatchText(r.Content))
		}
	}
	return err
}

// wordFormsExpression returns a full-text expression over index terms for the words of any of some texts.
func wordFormsExpression(texts []string) string {
	var alternatives []string
	for _, text := range texts {
		var all []string
		for _, word := range language.SurfaceWords(text) {
			items := language.StemForms(word, language.Unknown)
			forms := make([]string, len(items))
			for i, w := range items {
				forms[i] = store.QuoteWord(w)
			}
			all = append(all, "("+strings.Join(forms, " OR ")+")")
		}
		alternative := "(" + strings.Join(all, " AND ") + ")"
		if len(all) > 0 && !slices.Contains(alternatives, alternative) {
			alternatives = append(alternatives, alternative)
		}
	}
	return "body : (" + strings.Join(alternatives, " OR ") + ")"
}

// findEntitiesNamedAlike finds other entities of nearly this name: nothing but its user can tell that
// they are the same.
func findEntitiesNamedAlike(tx *store.Tx, of subject, out *found) error {
	return eachEntityNamed(tx, of, func(e entities.Entity, how language.Naming) {
		m := mention{Kind: "entity", ID: e.ID, Text: e.Name, Type: e.Type}
		if how == language.Named {
			m.Why = "the same name, kept apart"
			out.Likely = append(out.Likely, m)
			return
		}
		out.addMentionByCertainty(m, how)
	})
}

func eachEntityNamed(tx *store.Tx, of subject, each func(entities.Entity, language.Naming)) error {
	rows, err := kinds.In(tx).MatchWords(kinds.SnapshotWords, phraseExpression("name : ", of.SearchTexts()), true, maxCandidates)
	if err != nil {
		return err
	}
	list, err := entities.In(tx).KnownEntities(rows)
	for _, e := range list {
		if how := of.MatchName(e.Name); e.ID != of.id && how != language.NotNamed {
			each(e.Entity, how)
		}
	}
	return err
}

// listEntitiesNamed lists the entities of documents that have a name, for whoever comes from the graph.
func (s *Server) listEntitiesNamed(ctx context.Context, q *query) (any, error) {
	name := q.readRequiredText("name")
	list := []mention{}
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		of := subject{language.ParseName(name, false), "", name}
		if of.IsBlank() {
			return nil
		}
		return eachEntityNamed(tx, of, func(e entities.Entity, how language.Naming) {
			if how == language.Named && len(list) < maxMentions {
				list = append(list, mention{Kind: "entity", ID: e.ID, Text: e.Name, Type: e.Type})
			}
		})
	})
	return map[string]any{"entities": list}, err
}
