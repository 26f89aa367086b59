package retrieval

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// LoCoMo (github.com/snap-research/locomo) holds long conversations between two
// people, with questions of these categories; a fifth asks for what was never said.
var categories = map[int]string{1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop"}

// sessionTime is how it writes when a session took place.
const sessionTime = "3:04 pm on 2 January, 2006"

type locomo struct {
	SampleID     string                     `json:"sample_id"`
	Conversation map[string]json.RawMessage `json:"conversation"`
	Observations observations               `json:"observation"`
	QA           []struct {
		Question string   `json:"question"`
		Answer   any      `json:"answer"`
		Evidence []string `json:"evidence"`
		Category int      `json:"category"`
	} `json:"qa"`
}

func fromLoCoMo(raw []byte) (c Collection, err error) {
	var d locomo
	if err := json.Unmarshal(raw, &d); err != nil {
		return c, fmt.Errorf("this is not a LoCoMo file: %w", err)
	}
	c = Collection{Name: d.SampleID, Notes: d.Observations.notes()}
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
func (d locomo) sessions() []int {
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

func (d locomo) session(number int) (s Session, err error) {
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
	if s.At.Time, err = time.Parse(sessionTime, when); err != nil {
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

// observations are what LoCoMo's makers had noted of each session, by speaker: pairs
// of a text and the turns it comes from, which is an id or a list of them.
type observations map[string]map[string][][2]json.RawMessage

func (o observations) notes() (list []Note) {
	for _, session := range slices.SortedFunc(maps.Keys(o), inNumbers) {
		for _, speaker := range slices.Sorted(maps.Keys(o[session])) {
			for _, pair := range o[session][speaker] {
				n := Note{Sources: turnsIn(string(pair[1]))}
				if json.Unmarshal(pair[0], &n.Text) == nil && len(n.Sources) > 0 {
					list = append(list, n)
				}
			}
		}
	}
	return list
}

// inNumbers orders session_9 before session_10.
func inNumbers(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// note adds observations to the collection of a file.
func (c *Corpus) note(raw []byte, from int) error {
	var o observations
	if err := json.Unmarshal(raw, &o); err != nil {
		return fmt.Errorf("these are no observations of LoCoMo: %w", err)
	}
	if len(c.Collections) != from+1 {
		return errors.New("notes in a file of their own belong to one conversation")
	}
	one := c.Collections[from]
	one.Notes, one.Turns = append(one.Notes, o.notes()...), nil
	c.Collections = c.Collections[:from]
	return c.add(one)
}
