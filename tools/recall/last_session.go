package recall

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"toolkit/internal/capture/redact"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
)

const (
	// maxSessionsRead is how far back a session with substance is sought, and maxSessionsReadForDays how far
	// one of the days that a question names.
	maxSessionsRead, maxSessionsReadForDays = 50, 2000
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
	return describeSessions(ctx, tx, list, askedDays{}, most, counts)
}

// describeSessions returns those of a list that count, up to a number, each with what was said in it on some
// days; without days, with what was said in it.
func describeSessions(ctx context.Context, tx *store.Tx, list []sessions.Session, days askedDays, most int, counts func(sessions.Session) bool) (found []*LastSession, err error) {
	from, to := days.bounds()
	var smallTalk []*LastSession
	for _, s := range list {
		if s.SideChain || !counts(s) {
			continue
		}
		last, substance, err := describeSession(ctx, tx, s, from, to)
		if err != nil {
			return nil, err
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

// describeSession says what was said in a session from one time to another, both zero: at any time. A session
// has substance if more than a greeting was said in it.
func describeSession(ctx context.Context, tx *store.Tx, s sessions.Session, from, to time.Time) (last *LastSession, substance bool, err error) {
	of := memory.DialogueFilter{SessionID: s.ID, Speaker: user, From: from, To: to, Oldest: true}
	request, err := findInformativeTurn(ctx, tx, of)
	if err != nil {
		return nil, false, err
	}
	of.Oldest = false
	latest, err := findInformativeTurn(ctx, tx, of)
	if err != nil {
		return nil, false, err
	}
	of.Speaker = assistant
	answer, err := findInformativeTurn(ctx, tx, of)
	if err != nil {
		return nil, false, err
	}
	last = &LastSession{Session: s, Request: latest, Answer: answer}
	if last.About = cmp.Or(request, answer); last.About != "" || from.IsZero() { // else nothing was said then
		last.About = cmp.Or(s.Title, last.About)
	}
	if !to.IsZero() && !s.Ended.Before(to) {
		last.Ended = to.Add(-time.Second)
	}
	if last.About == answer {
		last.Answer = ""
	}
	if latest == last.About || !hasEnoughWords(latest) {
		last.Request = ""
	}
	substance, err = hasSubstance(tx, s.ID, request, answer)
	return last, substance, err
}

// hasSubstance reports whether more than a greeting was said in a session: something was noticed in it, the user was
// answered more than a word, or said more than once what tells something.
func hasSubstance(tx *store.Tx, session, request, answer string) (bool, error) {
	if noticed, err := memory.In(tx).InsightsOfSession(session, 0, 1); err != nil || len(noticed) > 0 {
		return len(noticed) > 0, err
	}
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

// findInformativeTurn returns the first turn of a filter that says more than that all is well and holds no secret; when
// none does, the longest.
func findInformativeTurn(ctx context.Context, tx *store.Tx, f memory.DialogueFilter) (text string, err error) {
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
	days, most, depth := findAskedDays(q), 1, maxSessionsRead
	if days.named {
		most, depth = maxSessionsOfDays, maxSessionsReadForDays
	}
	list, err := sessions.In(tx).ListSessions(cmp.Or(q.Project, q.CurrentProject), depth)
	if err != nil {
		return nil, err
	}
	var readErr error
	found, err := describeSessions(ctx, tx, list, days, most, func(s sessions.Session) bool {
		if days.named && !days.contain(s.Started, s.Ended) {
			return false
		}
		asks, err := isAskingSession(tx, q, s)
		readErr = cmp.Or(readErr, err)
		return !asks
	})
	return found, cmp.Or(err, readErr)
}

// isAskingSession reports whether a question is asked in a session. A hook knows in which; a tool and a person do not: it is one
// of just now in which the user waits for an answer.
func isAskingSession(tx *store.Tx, q *tools.Question, s sessions.Session) (bool, error) {
	if q.ExcludedSession != "" || q.Now.Sub(s.Ended) >= maxRepeatedQuestionAge {
		return s.ID == q.ExcludedSession, nil
	}
	last, err := memory.In(tx).Dialogues(memory.DialogueFilter{SessionID: s.ID, Limit: 1})
	return len(last) > 0 && last[0].Speaker == user, err
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
