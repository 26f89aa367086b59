package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// LoCoMo (github.com/snap-research/locomo) holds long conversations between two
// people, with questions of these categories; a fifth asks for what was never said.
var categories = map[int]string{1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop"}

// sessionTime is how it writes when a session took place.
const sessionTime = "3:04 pm on 2 January, 2006"

type locomoFile struct {
	SampleID     string                     `json:"sample_id"`
	Conversation map[string]json.RawMessage `json:"conversation"`
	QA           []struct {
		Question string   `json:"question"`
		Answer   any      `json:"answer"`
		Evidence []string `json:"evidence"`
		Category int      `json:"category"`
	} `json:"qa"`
}

func fromLoCoMo(raw []byte) (c Collection, err error) {
	var d locomoFile
	if err := json.Unmarshal(raw, &d); err != nil {
		return c, fmt.Errorf("this is not a LoCoMo file: %w", err)
	}
	c = Collection{Name: d.SampleID}
	for _, number := range d.sessions() {
		s, err := d.session(number)
		if err != nil {
			return c, err
		}
		c.Sessions = append(c.Sessions, s)
	}
	if len(c.Sessions) == 0 {
		return c, errors.New("a conversation without turns: this is not a LoCoMo file")
	}
	for _, q := range d.QA {
		asked := Question{Text: q.Question, Category: categories[q.Category], Answer: fmt.Sprint(q.Answer)}
		if asked.Category != "" {
			asked.Evidence = turnsIn(strings.Join(q.Evidence, " "))
		}
		c.Questions = append(c.Questions, asked)
	}
	return c, nil
}

// sessions are the numbers of the sessions that have turns, in order.
func (d locomoFile) sessions() []int {
	var numbers []int
	for key := range d.Conversation {
		digits, found := strings.CutPrefix(key, "session_")
		if n, err := strconv.Atoi(digits); found && err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

func (d locomoFile) session(number int) (s Session, err error) {
	var when string
	var said []struct {
		Speaker string `json:"speaker"`
		ID      string `json:"dia_id"`
		Text    string `json:"text"`
	}
	key := fmt.Sprintf("session_%d", number)
	if err := json.Unmarshal(d.Conversation[key], &said); err != nil {
		return s, fmt.Errorf("%s: %w", key, err)
	}
	if err := json.Unmarshal(d.Conversation[key+"_date_time"], &when); err != nil {
		return s, fmt.Errorf("%s_date_time: %w", key, err)
	}
	if s.At, err = time.Parse(sessionTime, when); err != nil {
		return s, fmt.Errorf("%s_date_time: %w", key, err)
	}
	for _, t := range said {
		s.Turns = append(s.Turns, Turn{ID: t.ID, Speaker: t.Speaker, Text: t.Text})
	}
	return s, nil
}

// turnID finds ids in whatever form they were written: "D8:6; D9:17", "D:11:26",
// "D30:05".
var turnID = regexp.MustCompile(`D:?(\d+):(\d+)`)

func turnsIn(text string) (ids []string) {
	for _, match := range turnID.FindAllStringSubmatch(text, -1) {
		session, _ := strconv.Atoi(match[1])
		turn, _ := strconv.Atoi(match[2])
		ids = append(ids, fmt.Sprintf("D%d:%d", session, turn))
	}
	return ids
}

// locomo are the conversations in the folder that TOOLKIT_LOCOMO names.
func locomo(t *testing.T) *Corpus {
	return foreign(t, folder(t, "TOOLKIT_LOCOMO", "locomo-dev"), fromLoCoMo)
}

// foreign reads the files of a folder, which hold one collection a line or one.
func foreign(t *testing.T, dir string, read func([]byte) (Collection, error)) *Corpus {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files: %v", dir, err)
	}
	corpus := &Corpus{}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for decoder := json.NewDecoder(file); decoder.More(); {
			var raw json.RawMessage
			if err := decoder.Decode(&raw); err != nil {
				t.Fatal(err)
			}
			c, err := read(raw)
			if err == nil {
				err = corpus.addCollection(c)
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	return corpus
}
