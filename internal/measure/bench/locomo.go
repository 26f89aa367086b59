// Package bench measures retrieval on LoCoMo, a public set of long conversations
// with questions and the turns that answer them. Every conversation goes into a
// database of its own by the same functions that the tools use, and every
// question is searched for as hybrid_search does; what is measured is what a
// user gets.
package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Turn is one thing said.
type Turn struct {
	ID      string // D<session>:<number>
	Session int
	Speaker string
	Text    string
	At      time.Time
}

// Question is a question with the turns that answer it.
type Question struct {
	Text     string
	Category int
	Answer   string
	Evidence []string // ids of turns that exist
}

// Conversation is a corpus of its own.
type Conversation struct {
	Name      string
	Turns     []Turn
	Questions []Question
}

// Corpus is what a run measures.
type Corpus struct {
	Conversations []Conversation
	Hash          string // of the files, in order of their names
	Unanswerable  int    // questions left out: category 5, or without evidence that exists
}

// The dataset's categories; the fifth asks for what was never said.
var categories = map[int]string{1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}

// Load reads LoCoMo files; a folder stands for the .json files in it. A file
// holds one conversation or a list of them.
func Load(paths ...string) (*Corpus, error) {
	files, err := jsonFiles(paths)
	if err != nil {
		return nil, err
	}
	corpus, hash := &Corpus{}, sha256.New()
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		hash.Write(raw)
		var list []document
		if err := json.Unmarshal(raw, &list); err != nil {
			list = make([]document, 1)
			if err := json.Unmarshal(raw, &list[0]); err != nil {
				return nil, fmt.Errorf("%s is not a LoCoMo file: %w", file, err)
			}
		}
		for _, d := range list {
			c, skipped, err := d.conversation()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			corpus.Conversations = append(corpus.Conversations, *c)
			corpus.Unanswerable += skipped
		}
	}
	corpus.Hash = hex.EncodeToString(hash.Sum(nil)[:8])
	return corpus, nil
}

func jsonFiles(paths []string) ([]string, error) {
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
			if found, err = filepath.Glob(filepath.Join(path, "*.json")); err != nil {
				return nil, err
			}
			if len(found) == 0 {
				return nil, fmt.Errorf("the folder %s has no .json files", path)
			}
		}
		files = append(files, found...)
	}
	slices.SortStableFunc(files, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return files, nil
}

// document is a conversation as it stands in a file.
type document struct {
	SampleID     string                     `json:"sample_id"`
	Conversation map[string]json.RawMessage `json:"conversation"`
	QA           []struct {
		Question string   `json:"question"`
		Answer   any      `json:"answer"`
		Evidence []string `json:"evidence"`
		Category int      `json:"category"`
	} `json:"qa"`
}

func (d document) conversation() (c *Conversation, skipped int, err error) {
	c = &Conversation{Name: d.SampleID}
	exists := map[string]bool{}
	for _, session := range d.sessions() {
		turns, err := d.turns(session)
		if err != nil {
			return nil, 0, err
		}
		for _, t := range turns {
			exists[t.ID] = true
		}
		c.Turns = append(c.Turns, turns...)
	}
	if len(c.Turns) == 0 {
		return nil, 0, errors.New("a conversation without turns: this is not a LoCoMo file")
	}
	for _, q := range d.QA {
		evidence := evidenceIn(q.Evidence, exists)
		if categories[q.Category] == "" || len(evidence) == 0 {
			skipped++
			continue
		}
		c.Questions = append(c.Questions, Question{Text: q.Question, Category: q.Category, Answer: fmt.Sprint(q.Answer), Evidence: evidence})
	}
	return c, skipped, nil
}

// sessions are the numbers of the sessions that have turns, in order.
func (d document) sessions() []int {
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

// sessionTime is how the dataset writes when a session took place.
const sessionTime = "3:04 pm on 2 January, 2006"

func (d document) turns(session int) ([]Turn, error) {
	var when string
	var said []struct {
		Speaker string `json:"speaker"`
		ID      string `json:"dia_id"`
		Text    string `json:"text"`
	}
	key := fmt.Sprintf("session_%d", session)
	if err := json.Unmarshal(d.Conversation[key], &said); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	if err := json.Unmarshal(d.Conversation[key+"_date_time"], &when); err != nil {
		return nil, fmt.Errorf("%s_date_time: %w", key, err)
	}
	at, err := time.Parse(sessionTime, when)
	if err != nil {
		return nil, fmt.Errorf("%s_date_time: %w", key, err)
	}
	turns := make([]Turn, len(said))
	for i, t := range said {
		turns[i] = Turn{ID: t.ID, Session: session, Speaker: t.Speaker, Text: t.Text, At: at}
	}
	return turns, nil
}

// evidenceID finds ids in whatever form they were written: "D8:6; D9:17",
// "D:11:26", "D30:05".
var evidenceID = regexp.MustCompile(`D:?(\d+):(\d+)`)

// evidenceIn are the turns that evidence names and that exist, each once.
func evidenceIn(evidence []string, exists map[string]bool) []string {
	var ids []string
	for _, text := range evidence {
		for _, match := range evidenceID.FindAllStringSubmatch(text, -1) {
			session, _ := strconv.Atoi(match[1])
			turn, _ := strconv.Atoi(match[2])
			id := fmt.Sprintf("D%d:%d", session, turn)
			if exists[id] && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
