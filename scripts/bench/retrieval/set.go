// Package retrieval measures retrieval on sets of conversations with questions and the
// turns that answer them. Every collection goes into a database of its own by the
// same functions that the tools use, and every question is searched for as the tools
// do; what is measured is what a user gets. Plain BM25 stands beside it.
//
// set.go reads sets in the format of docs/benchmarks.md. run.go asks and sums up.
package retrieval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Moment is a time, or a day alone: the beginning of it.
type Moment struct{ time.Time }

// UnmarshalJSON reads a time as RFC 3339 writes it, or 2026-03-01.
func (m *Moment) UnmarshalJSON(raw []byte) (err error) {
	if m.Time, err = time.Parse(`"`+time.DateOnly+`"`, string(raw)); err != nil {
		m.Time, err = time.Parse(`"`+time.RFC3339+`"`, string(raw))
	}
	return err
}

// Turn is one thing said.
type Turn struct {
	ID       string          `json:"id"`
	Speaker  string          `json:"speaker"`
	Text     string          `json:"text"`
	At       Moment          `json:"time"`     // missing: that of the session, or of the turn before
	Metadata json.RawMessage `json:"metadata"` // as store_raw_dialogue takes it
	Session  int             `json:"-"`        // from 1
}

// Session is what was said at a stretch.
type Session struct {
	At    Moment `json:"time"`
	Turns []Turn `json:"turns"`
}

// Note is an insight. It counts for the turns it comes from; one that comes from none
// counts for itself.
type Note struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Sources []string `json:"sources"`
}

// Question is a question with what answers it.
type Question struct {
	Text     string   `json:"text"`
	Category string   `json:"category"` // for people
	Answer   string   `json:"answer"`
	Evidence []string `json:"evidence"` // ids of turns, or of notes
}

// Collection is a corpus of its own, as it stands in a file.
type Collection struct {
	Name      string     `json:"name"`
	Sessions  []Session  `json:"sessions"`
	Notes     []Note     `json:"notes"`
	Questions []Question `json:"questions"`

	Turns []Turn `json:"-"` // of all sessions
}

// Corpus is what a run measures.
type Corpus struct {
	Collections  []Collection
	Unanswerable int // questions left out, because none of their evidence exists
	Unknown      int // pieces of evidence that name nothing
}

// unknownTime is when something took place of which nobody says when.
var unknownTime = Moment{time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}

// Load reads files of sets; a folder stands for the .json and .jsonl files in it.
// A file holds collections, or a list of them.
func Load(paths ...string) (*Corpus, error) {
	corpus := &Corpus{}
	for _, path := range paths {
		files := []string{path}
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			files, err = filepath.Glob(filepath.Join(path, "*.json*"))
		}
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err == nil {
				err = corpus.read(raw)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	if len(corpus.Collections) == 0 {
		return nil, fmt.Errorf("there is no collection in %s", strings.Join(paths, ", "))
	}
	return corpus, nil
}

// read adds the collections of a file.
func (c *Corpus) read(raw []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff"))))
	for decoder.More() {
		var document json.RawMessage
		if err := decoder.Decode(&document); err != nil {
			return fmt.Errorf("this is not JSON: %w", err)
		}
		if document[0] != '[' {
			document = slices.Concat([]byte("["), document, []byte("]"))
		}
		var list []Collection
		strict := json.NewDecoder(bytes.NewReader(document))
		strict.DisallowUnknownFields() // a misspelt name must not pass as nothing said
		if err := strict.Decode(&list); err != nil {
			return err
		}
		for _, collection := range list {
			if err := c.add(collection); err != nil {
				return fmt.Errorf("collection %s: %w", collection.Name, err)
			}
		}
	}
	return nil
}

// add settles the times of a collection and what its evidence names.
func (c *Corpus) add(one Collection) error {
	answers := map[string][]string{} // id: what it counts for
	at := unknownTime
	for i, s := range one.Sessions {
		if !s.At.IsZero() {
			at = s.At
		}
		for _, t := range s.Turns {
			if t.At.IsZero() {
				t.At = at
			}
			if answers[t.ID] != nil {
				return fmt.Errorf("two turns have the id %s", t.ID)
			}
			t.Session, at, answers[t.ID] = i+1, t.At, []string{t.ID}
			one.Turns = append(one.Turns, t)
		}
	}
	for i, n := range one.Notes {
		one.Notes[i].Sources = slices.DeleteFunc(n.Sources, func(id string) bool { return answers[id] == nil })
		answers[n.ID] = one.Notes[i].answers()
	}
	if len(answers) == 0 {
		return errors.New("it has neither turns nor notes")
	}
	questions := one.Questions
	one.Questions = nil
	for _, q := range questions {
		named := q.Evidence
		q.Evidence = nil
		for _, id := range named {
			if answers[id] == nil {
				c.Unknown++
			}
			q.Evidence = append(q.Evidence, answers[id]...)
		}
		slices.Sort(q.Evidence)
		if q.Evidence = slices.Compact(q.Evidence); len(q.Evidence) == 0 {
			c.Unanswerable++
			continue
		}
		one.Questions = append(one.Questions, q)
	}
	c.Collections = append(c.Collections, one)
	return nil
}

// answers are the ids of evidence that a note counts for.
func (n Note) answers() []string {
	if len(n.Sources) == 0 {
		return []string{n.ID}
	}
	return n.Sources
}
