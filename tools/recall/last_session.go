package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"toolkit/internal/capture/redact"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
)

const (
	// maxSessionsRead is how far back a session with substance is sought.
	maxSessionsRead = 50
	// maxTurnsRead is among how many turns one that tells something is sought, and
	// minTellingWords how long it is at least: "thanks, that works" tells nothing.
	maxTurnsRead    = 10
	minTellingWords = 6
	// maxSessionsOfDays is how many sessions of the days that a question names are told.
	maxSessionsOfDays = 3
	// HeadLast calls the last session, and headOfDay one of the days that a question names.
	HeadLast, headOfDay = "Last session", "Session"
	// maxSessionRunes is how much is told of each text.
	maxSessionRunes = 160
)

// LastSession is what an earlier session was about, and what came of it.
type LastSession struct {
	sessions.Session
	About   string // its title, else what the user said first of weight
	Request string // what the user said last of weight, where that is something else; else empty
	Answer  string // the assistant's last words of weight, where they say more; else empty
}

// FindLastSessions returns the last sessions of a project, of all where it is 0, that count, up
// to a number, the newest first: those in which the user said more than a greeting and was answered
// more than a word, else the last in which anything was said.
func FindLastSessions(ctx context.Context, tx *store.Tx, project int64, most int, counts func(sessions.Session) bool) (found []*LastSession, err error) {
	list, err := sessions.In(tx).ListSessions(project, maxSessionsRead)
	if err != nil {
		return nil, err
	}
	var smallTalk []*LastSession
	for _, s := range list {
		if s.SideChain || !counts(s) {
			continue
		}
		request, err := findTellingTurn(ctx, tx, memory.DialogueFilter{SessionID: s.ID, Speaker: user, Oldest: true})
		if err != nil {
			return nil, err
		}
		answer, err := findTellingTurn(ctx, tx, memory.DialogueFilter{SessionID: s.ID, Speaker: assistant})
		if err != nil {
			return nil, err
		}
		substance, err := hasSubstance(tx, s.ID, request, answer)
		if err != nil {
			return nil, err
		}
		latest, err := findTellingTurn(ctx, tx, memory.DialogueFilter{SessionID: s.ID, Speaker: user})
		if err != nil {
			return nil, err
		}
		last := &LastSession{Session: s, About: cmp.Or(s.Title, request, answer), Request: latest, Answer: answer}
		if last.About == answer {
			last.Answer = ""
		}
		if latest == last.About || !hasEnoughWords(latest) {
			last.Request = ""
		}
		switch {
		case substance:
			found = append(found, last)
		case smallTalk == nil && last.About != "": // else all of it was forgotten
			smallTalk = append(smallTalk, last)
		}
		if len(found) == most {
			break
		}
	}
	if len(found) == 0 {
		return smallTalk, nil
	}
	return found, nil
}

// hasSubstance reports whether more than a greeting was said in a session: the user was answered more
// than a word, or said more than once what tells something.
func hasSubstance(tx *store.Tx, session, request, answer string) (bool, error) {
	if !hasEnoughWords(request) || answer == "" || hasEnoughWords(answer) {
		return hasEnoughWords(request), nil
	}
	said, err := memory.In(tx).Dialogues(memory.DialogueFilter{SessionID: session, Speaker: user, Limit: maxTurnsRead})
	count := 0
	for _, d := range said {
		if hasEnoughWords(d.Content) {
			count++
		}
	}
	return count > 1, err
}

// hasEnoughWords reports whether a turn says more than that all is well.
func hasEnoughWords(text string) bool { return len(strings.Fields(text)) >= minTellingWords }

// findTellingTurn returns the first turn of a filter that says more than that all is well and holds no secret; when
// none does, the longest.
func findTellingTurn(ctx context.Context, tx *store.Tx, f memory.DialogueFilter) (text string, err error) {
	f.Limit = maxTurnsRead
	list, err := memory.In(tx).Dialogues(f)
	for _, d := range list {
		if clean, _ := redact.Text(ctx, truncate(d.Content, maxQuotedFrom)); hasEnoughWords(d.Content) && !hasRedaction(clean) {
			return d.Content, err
		}
		if len(d.Content) > len(text) {
			text = d.Content
		}
	}
	return text, err
}

// findRequestedSessions returns the sessions that a question asks for as a whole: the last one but for that
// in which it is asked, or the last ones of the days that the question names.
func findRequestedSessions(ctx context.Context, tx *store.Tx, q *tools.Question) ([]*LastSession, error) {
	most := 1
	if len(q.Days) > 0 {
		most = maxSessionsOfDays
	}
	var readErr error
	found, err := FindLastSessions(ctx, tx, cmp.Or(q.Project, q.CurrentProject), most, func(s sessions.Session) bool {
		asks, err := isAsking(tx, q, s)
		readErr = cmp.Or(readErr, err)
		return !asks && isOnNamedDay(s, q)
	})
	return found, cmp.Or(err, readErr)
}

// isAsking reports whether a question is asked in a session. A hook knows in which; a tool and a person do not: it is one
// of just now in which the user waits for an answer.
func isAsking(tx *store.Tx, q *tools.Question, s sessions.Session) (bool, error) {
	if q.ExcludedSession != "" || q.Now.Sub(s.Ended) >= maxRepeatedQuestionAge {
		return s.ID == q.ExcludedSession, nil
	}
	last, err := memory.In(tx).Dialogues(memory.DialogueFilter{SessionID: s.ID, Limit: 1})
	return len(last) > 0 && last[0].Speaker == user, err
}

// isOnNamedDay reports whether a session ended on one of the days that a question names, in the
// zone of the machine; a weekday is the last one of its name.
func isOnNamedDay(s sessions.Session, q *tools.Question) bool {
	ended := s.Ended.Local()
	if day, named := language.FindLastWeekday(q.Text, q.Now.Local()); named && len(q.Days) == 0 {
		return ended.Format(time.DateOnly) == day.Format(time.DateOnly)
	}
	terms := language.CalendarTerms("", ended)
	return len(q.Days) == 0 || slices.ContainsFunc(q.Days, func(day language.DateQuery) bool { return slices.ContainsFunc(terms, day.MatchesTerm) })
}

// hasNamedDay reports whether a question names the days of the sessions that it asks for.
func hasNamedDay(q *tools.Question) bool {
	_, weekday := language.FindLastWeekday(q.Text, q.Now.Local())
	return weekday || len(q.Days) > 0
}

// FormatLines tell of the session within quotation marks, behind what it is called.
func (s *LastSession) FormatLines(ctx context.Context, head string) []string {
	lines := []string{fmt.Sprintf("%s, %s, %s: %s", head, s.Ended.Format(time.DateOnly), s.Client, QuoteWithoutSecrets(ctx, s.About, maxSessionRunes))}
	if s.Request != "" {
		lines = append(lines, "The user's last words of weight: "+QuoteWithoutSecrets(ctx, s.Request, maxSessionRunes))
	}
	if s.Answer != "" {
		lines = append(lines, "The assistant's last answer of weight: "+QuoteWithoutSecrets(ctx, s.Answer, maxSessionRunes))
	}
	return lines
}

// toCandidate is a session as an answer to a question for it, with a note what it is.
func (s *LastSession) toCandidate(note string) ranked {
	text := s.About
	if s.Request != "" {
		text += "\n" + user + ": " + s.Request
	}
	if s.Answer != "" {
		text += "\n" + assistant + ": " + s.Answer
	}
	c := tools.Candidate{Kind: kinds.GroupSession, ID: s.ID, Text: text, At: s.Ended, Project: s.Project, Place: tools.Place{Session: s.ID}, Note: note}
	return ranked{Candidate: c, relevance: 1, shown: 1, placed: 1}
}
