package main

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

// Turn is one thing said.
type Turn struct {
	ID       string          `json:"id"`
	Speaker  string          `json:"speaker"`
	Text     string          `json:"text"`
	At       time.Time       `json:"time"`     // missing: that of the session, or of the turn before
	Metadata json.RawMessage `json:"metadata"` // as store_raw_dialogue takes it
	Session  int             `json:"-"`        // from 1
}

// Session is what was said at a stretch.
type Session struct {
	At    time.Time `json:"time"`
	Turns []Turn    `json:"turns"`
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

// Collection is a set of its own, as it stands in a file.
type Collection struct {
	Name      string     `json:"name"`
	Sessions  []Session  `json:"sessions"`
	Notes     []Note     `json:"notes"`
	Questions []Question `json:"questions"`

	Turns   []Turn              `json:"-"` // of all sessions
	Answers map[string][]string `json:"-"` // ids of evidence that a turn or note counts for
}

// Corpus is what a run measures.
type Corpus struct {
	Collections  []Collection
	Unanswerable int // questions left out, because none of their evidence exists
	Unknown      int // pieces of evidence that name nothing
}

// unknownTime is when something took place of which nobody says when.
var unknownTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// loadCorpus reads files of sets; a folder stands for the .json and .jsonl files in it.
func loadCorpus(paths ...string) (*Corpus, error) {
	corpus := &Corpus{}
	for _, path := range paths {
		files, err := filepath.Glob(filepath.Join(path, "*.json*"))
		if err != nil || len(files) == 0 {
			files = []string{path}
		}
		for _, file := range files {
			if err := corpus.readFile(file); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	if len(corpus.Collections) == 0 {
		return nil, fmt.Errorf("there is no collection in %s", strings.Join(paths, ", "))
	}
	return corpus, nil
}

// readFile adds the collections of a file, which holds one after another or a list of them.
func (c *Corpus) readFile(file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields() // a misspelt name must not pass as nothing said
	for decoder.More() {
		list := make([]Collection, 1)
		if bytes.HasPrefix(raw, []byte("[")) {
			err = decoder.Decode(&list)
		} else {
			err = decoder.Decode(&list[0])
		}
		if err != nil {
			return err
		}
		for _, collection := range list {
			if err := c.addCollection(collection); err != nil {
				return fmt.Errorf("collection %s: %w", collection.Name, err)
			}
		}
	}
	return nil
}

// addCollection fills in the times of a collection, and the turns that its evidence names.
func (c *Corpus) addCollection(one Collection) error {
	answers, at := map[string][]string{}, unknownTime
	for i, s := range one.Sessions {
		if !s.At.IsZero() {
			at = s.At
		}
		for _, t := range s.Turns {
			if !t.At.IsZero() {
				at = t.At
			}
			if answers[t.ID] != nil {
				return fmt.Errorf("two turns have the id %s", t.ID)
			}
			t.Session, t.At, answers[t.ID] = i+1, at, []string{t.ID}
			one.Turns = append(one.Turns, t)
		}
	}
	for i, n := range one.Notes {
		one.Notes[i].Sources = slices.DeleteFunc(n.Sources, func(id string) bool { return answers[id] == nil })
		if answers[n.ID] = one.Notes[i].Sources; len(one.Notes[i].Sources) == 0 {
			answers[n.ID] = []string{n.ID}
		}
	}
	if len(answers) == 0 {
		return errors.New("it has neither turns nor notes")
	}
	questions := one.Questions
	one.Questions, one.Answers = nil, answers
	for _, q := range questions {
		var evidence []string
		for _, id := range q.Evidence {
			if answers[id] == nil {
				c.Unknown++
			}
			evidence = append(evidence, answers[id]...)
		}
		slices.Sort(evidence)
		if q.Evidence = slices.Compact(evidence); len(q.Evidence) == 0 {
			c.Unanswerable++
			continue
		}
		one.Questions = append(one.Questions, q)
	}
	c.Collections = append(c.Collections, one)
	return nil
}
