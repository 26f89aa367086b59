package view

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"toolkit/store"
	"toolkit/tools"
)

const (
	// liveInterval is how soon a page hears of a change, by whichever process.
	liveInterval = 300 * time.Millisecond
	// heartbeatInterval keeps a quiet stream open, and finds out whether somebody still listens.
	heartbeatInterval = 20 * time.Second
)

// liveEvent is what a live stream tells: the topics that changed and the state of all.
type liveEvent struct {
	Topics   []string `json:"topics"` // none in the first
	Sequence int64    `json:"sequence"`
}

// streamChanges sends a stream of server-sent events, each a [liveEvent]. The first tells the state
// of all at once, so that a page can find out whether something changed before it
// listened.
func (s *Server) streamChanges(w http.ResponseWriter, r *http.Request) {
	known, err := s.o.Store.Sequences(r.Context())
	if err != nil {
		s.answerError(w, r, err)
		return
	}
	out := http.NewResponseController(w)
	out.SetWriteDeadline(time.Time{}) //nolint:errcheck // then the stream ends sooner, and the page asks again
	w.Header().Set("Content-Type", "text/event-stream")
	if sendEvent(w, "retry: 2000\n"+encodeEvent(nil, known)) != nil {
		return
	}
	look, beat := time.NewTicker(liveInterval), time.NewTicker(heartbeatInterval)
	defer look.Stop()
	defer beat.Stop()
	for err == nil {
		select {
		case <-r.Context().Done():
			return
		case <-s.closing:
			return
		case <-beat.C:
			err = sendEvent(w, ":\n\n")
		case <-look.C:
			now, failed := s.o.Store.Sequences(r.Context())
			if failed != nil {
				continue // the next round tries again
			}
			s.changes.dropAllIfForgotten(now[store.TopicForgotten])
			if topics := changedTopics(known, now); len(topics) > 0 {
				known, err = now, sendEvent(w, encodeEvent(topics, now))
			}
		}
	}
}

// sendEvent sends a piece of a stream at once.
func sendEvent(w http.ResponseWriter, text string) error {
	if _, err := fmt.Fprint(w, text); err != nil {
		return err
	}
	return http.NewResponseController(w).Flush()
}

func encodeEvent(topics []string, now map[store.Topic]int64) string {
	text, err := json.Marshal(liveEvent{tools.OrEmpty(topics), sumSequences(now)})
	if err != nil {
		return ":\n\n"
	}
	return "data: " + string(text) + "\n\n"
}

// changedTopics are the topics that changed since they were known.
func changedTopics(known, now map[store.Topic]int64) (topics []string) {
	for topic, sequence := range now {
		if known[topic] != sequence {
			topics = append(topics, string(topic))
		}
	}
	slices.Sort(topics)
	return topics
}

// sumSequences grows with every change.
func sumSequences(sequences map[store.Topic]int64) (n int64) {
	for _, sequence := range sequences {
		n += sequence
	}
	return n
}
