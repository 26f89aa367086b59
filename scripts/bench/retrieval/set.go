// Package retrieval measures retrieval on sets of conversations with questions and the
// turns that answer them. Every collection goes into a database of its own by the
// same functions that the tools use, and every question is searched for as the tools
// do; what is measured is what a user gets. Plain BM25 stands beside it.
//
// set.go reads sets in the format of docs/benchmarks.md; locomo.go and qmsum.go turn
// two public ones into it. run.go asks, report.go sums up.
package retrieval

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Moment is a time, or a day alone: the beginning of it.
type Moment struct{ time.Time }

// UnmarshalJSON reads a time as RFC 3339 writes it, or 2026-03-01.
func (m *Moment) UnmarshalJSON(raw []byte) (err error) {
	if m.Time, err = time.Parse(`"`+time.DateOnly+`"`, string(raw)); err != nil && string(raw) != "null" {
		if m.Time, err = time.Parse(`"`+time.RFC3339+`"`, string(raw)); err != nil {
			return fmt.Errorf("time is %s, and should be a day such as 2026-03-01 or a time such as 2026-03-01T10:00:00Z", raw)
		}
	}
	return nil
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
	At      Moment   `json:"time"` // missing: that of its last source
}

// Question is a question with what answers it.
type Question struct {
	Text     string   `json:"text"`
	Category string   `json:"category"`
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

	ignored string // the first name in it that the format lacks
}

// Corpus is what a run measures.
type Corpus struct {
	Collections  []Collection
	Hash         string   // of the files, in order of their names
	Unanswerable int      // questions left out, for no evidence of theirs exists or the reader leaves them out
	Unknown      int      // pieces of evidence that name nothing
	Ignored      []string // names in the files that the format lacks
}

// dayless is when something took place of which nobody says when.
var dayless = Moment{time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}

// Load reads files of sets; a folder stands for the .json and .jsonl files in it.
// A file holds collections, or a list of them. The notes of a LoCoMo file may stand
// in a file of the same name in the folder notes; "" is none.
func Load(notes string, paths ...string) (*Corpus, error) {
	files, err := filesOf(paths)
	if err != nil {
		return nil, err
	}
	corpus, hash := &Corpus{}, sha256.New()
	for _, file := range files {
		raw, err := readSet(file)
		if err != nil {
			return nil, err
		}
		hash.Write(raw)
		before := len(corpus.Collections)
		if err := corpus.read(raw, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if notes == "" {
			continue
		}
		raw, err = os.ReadFile(filepath.Join(notes, filepath.Base(file)))
		if err != nil {
			return nil, fmt.Errorf("there are no notes for %s: %w", filepath.Base(file), err)
		}
		hash.Write(raw)
		if err := corpus.note(raw, before); err != nil {
			return nil, fmt.Errorf("the notes for %s: %w", filepath.Base(file), err)
		}
	}
	corpus.Hash = hex.EncodeToString(hash.Sum(nil)[:8])
	return corpus, nil
}

// largestSet is more than any set has: without a bound a device would fill the memory.
const largestSet = 1 << 30

// readSet reads a file whole, without a byte order mark.
func readSet(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	raw, err := io.ReadAll(io.LimitReader(file, largestSet+1))
	if len(raw) > largestSet {
		return nil, fmt.Errorf("%s has more than %d MB", path, largestSet>>20)
	}
	return bytes.TrimPrefix(raw, []byte("\ufeff")), err
}

func filesOf(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no file or folder %s", path)
		}
		if err != nil {
			return nil, err
		}
		found := []string{path}
		if info.IsDir() {
			if found, err = filepath.Glob(filepath.Join(path, "*.json*")); err != nil {
				return nil, err
			}
			if len(found) == 0 {
				return nil, fmt.Errorf("the folder %s has no .json or .jsonl files", path)
			}
		}
		files = append(files, found...)
	}
	slices.SortStableFunc(files, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return files, nil
}

// read adds the collections of a file.
func (c *Corpus) read(raw []byte, name string) error {
	decoder, found := json.NewDecoder(bytes.NewReader(raw)), 0
	for {
		var document json.RawMessage
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF) && found > 0:
			return nil
		case errors.Is(err, io.EOF):
			return errors.New("there is no collection in it")
		case err != nil:
			return fmt.Errorf("this is not JSON: %w", err)
		}
		list := []json.RawMessage{document}
		if document[0] == '[' {
			if err := json.Unmarshal(document, &list); err != nil {
				return err
			}
		}
		for _, one := range list {
			found++
			collection, err := collectionOf(one)
			if err != nil {
				return err
			}
			if collection.ignored != "" && !slices.Contains(c.Ignored, collection.ignored) {
				c.Ignored = append(c.Ignored, collection.ignored)
			}
			if collection.Name == "" {
				collection.Name = fmt.Sprint(name, " ", found)
			}
			if err := c.add(collection); err != nil {
				return fmt.Errorf("collection %s: %w", collection.Name, err)
			}
		}
	}
}

// collectionOf knows a format by what it calls the dialogue.
func collectionOf(raw json.RawMessage) (c Collection, err error) {
	var shape struct {
		Conversation json.RawMessage `json:"conversation"`
		Meeting      json.RawMessage `json:"meeting_transcripts"`
	}
	if err := ofShape(json.Unmarshal(raw, &shape)); err != nil {
		return c, err
	}
	switch {
	case shape.Conversation != nil:
		return fromLoCoMo(raw)
	case shape.Meeting != nil:
		return fromQMSum(raw)
	}
	c.ignored = unknownName(raw)
	return c, ofShape(json.Unmarshal(raw, &c))
}

// unknownName is the first name in a collection that the format lacks, or "": one that is
// misspelt would be a set of which a part is measured without a word.
func unknownName(raw []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	name, _ := strings.CutPrefix(fmt.Sprint(decoder.Decode(&Collection{})), "json: unknown field ")
	if !strings.HasPrefix(name, `"`) {
		return ""
	}
	return strings.Trim(name, `"`)
}

// ofShape says what stands where something else should.
func ofShape(err error) error {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		where := wrong.Field
		if where == "" {
			where = "a collection"
		}
		return fmt.Errorf("%s is a %s, and should be a %s", where, wrong.Value, map[reflect.Kind]string{reflect.Struct: "JSON object", reflect.Slice: "list", reflect.String: "text in quotes"}[wrong.Type.Kind()])
	}
	return err
}

// add settles the times of a collection and what its evidence names.
func (c *Corpus) add(one Collection) error {
	answers := map[string][]string{} // id: what it counts for
	at := dayless
	for i, s := range one.Sessions {
		if !s.At.IsZero() {
			at = s.At
		}
		for _, t := range s.Turns {
			if t.ID == "" {
				t.ID = fmt.Sprint("turn ", len(one.Turns)+1)
			}
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
	for i := range one.Notes {
		one.settle(&one.Notes[i], answers)
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

// settle drops sources of a note that do not exist and gives it a time and an id.
func (c *Collection) settle(n *Note, answers map[string][]string) {
	n.Sources = slices.DeleteFunc(n.Sources, func(id string) bool { return answers[id] == nil })
	if n.ID == "" {
		n.ID = fmt.Sprint("note ", len(answers)+1)
	}
	if n.At.IsZero() {
		n.At = dayless
		for _, t := range c.Turns {
			if slices.Contains(n.Sources, t.ID) {
				n.At = t.At
			}
		}
	}
	if answers[n.ID] = n.Sources; len(n.Sources) == 0 {
		answers[n.ID] = []string{n.ID}
	}
}
