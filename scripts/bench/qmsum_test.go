package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
)

// maxEvidence is how many turns of a meeting may answer a question: what is spread
// over more is a topic.
const maxEvidence = 8

// fromQMSum reads a meeting of QMSum (github.com/Yale-LILY/QMSum) with its specific
// questions, which name spans of turns.
func fromQMSum(raw []byte) (c Collection, err error) {
	var d struct {
		Turns []struct {
			Speaker string `json:"speaker"`
			Content string `json:"content"`
		} `json:"meeting_transcripts"`
		Questions []struct {
			Query  string      `json:"query"`
			Answer string      `json:"answer"`
			Spans  [][2]string `json:"relevant_text_span"`
		} `json:"specific_query_list"`
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return c, fmt.Errorf("this is not a meeting of QMSum: %w", err)
	}
	var s Session
	for i, t := range d.Turns {
		s.Turns = append(s.Turns, Turn{ID: strconv.Itoa(i), Speaker: t.Speaker, Text: t.Content})
	}
	c.Sessions = []Session{s}
	for _, q := range d.Questions {
		asked := Question{Text: q.Query, Answer: q.Answer, Category: "specific"}
		for _, span := range q.Spans {
			asked.Evidence = append(asked.Evidence, within(span, len(d.Turns))...)
		}
		if len(asked.Evidence) > maxEvidence {
			asked.Evidence = nil
		}
		c.Questions = append(c.Questions, asked)
	}
	return c, nil
}

// within are the turns of a span that exist.
func within(span [2]string, turns int) (ids []string) {
	first, err := strconv.Atoi(span[0])
	last, err2 := strconv.Atoi(span[1])
	if err != nil || err2 != nil {
		return nil
	}
	for i := max(first, 0); i <= min(last, turns-1); i++ {
		ids = append(ids, strconv.Itoa(i))
	}
	return ids
}

// qmsum are the meetings in the folder that TOOLKIT_QMSUM names.
func qmsum(t *testing.T) *Corpus {
	return foreign(t, folder(t, "TOOLKIT_QMSUM", "qmsum-dev"), fromQMSum)
}
