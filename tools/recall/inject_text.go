package recall

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/tools/engines/notice"
	"toolkit/tools/engines/topics"
)

// textOf are the sentences of a candidate that answer the prompt: of dialogue with who
// said them and the question before, of a document with where it stands.
func (t *teller) textOf(r *found) string {
	if r.Said == nil {
		text := shorten(t.q, r.Text, noteLength)
		if r.Place.Document != "" {
			text += " (" + strings.TrimPrefix(whereOf(&r.Place), ", ") + ")"
		}
		return text
	}
	var parts []string
	for i, s := range r.Said {
		length := noteLength
		if i < len(r.Said)-1 {
			length = questionLength
		}
		text := shorten(t.q, notice.WithoutRequest(s.Text), length)
		if s.Speaker != user || len(r.Said) > 1 {
			text = s.Speaker + ": " + text
		}
		parts = append(parts, text)
	}
	if r.Note != "" {
		parts = append(parts, "["+r.Note+"]")
	}
	if r.reply != "" {
		parts = append(parts, shorten(t.q, r.reply, noteLength))
	}
	return strings.Join(parts, " ")
}

// tell words the best notes: each with what was said of its topic before and after.
func (t *teller) tell() Injection {
	room := len("1234")*cmp.Or(t.ask.Tokens, defaultInjected) - len(injectedHead)
	var out Injection
	var lines []string
	told := map[string]bool{}
	for i := range t.statements { // shown before: its words are no news
		if s := &t.statements[i]; t.ask.Shown != nil && t.ask.Shown(Fingerprint(s.Ref)) {
			told[plainText(s.Text)] = true
		}
	}
	topicCount := 0
	t.besides = t.beside()
	for _, n := range t.notes {
		if topicCount == maxNotes {
			break
		}
		if n.Text = untold(told, n.Text); n.Text == "" || t.shown(n) {
			continue
		}
		list := t.fit(t.onTopic(n, told), room)
		if len(list) == 0 {
			continue
		}
		for _, line := range list {
			room -= len(line.text) + 1
		}
		topicCount++
		for _, line := range list {
			lines = append(lines, line.text)
			told[plainText(line.said)] = true
			out.Fingerprints, out.Refs = append(out.Fingerprints, line.prints...), append(out.Refs, line.refs...)
		}
	}
	if len(lines) == 0 {
		return Injection{}
	}
	out.Text = injectedHead + "\n" + strings.Join(lines, "\n")
	return out
}

// fit returns the lines for which there is room, the first of them shortened where it
// alone has too little.
func (t *teller) fit(list []line, room int) []line {
	size := 0
	for i, line := range list {
		if size += len(line.text) + 1; size > room {
			list = list[:max(i, 1)]
			break
		}
	}
	if first := &list[0]; len(first.text)+1 > room {
		length := room - len(first.day) - 1
		if length < minNoteLength {
			return nil
		}
		first.text = first.day + beginning(language.QuoteLine(shorten(t.q, first.said, length)), length)
	}
	return list
}

// line is a note in words.
type line struct {
	day          string // as it begins
	text, said   string
	prints, refs []string
}

// onTopic are the lines of a note and of the statements on its topic, the newest
// first. The others begin with "earlier" and their day.
func (t *teller) onTopic(n note, told map[string]bool) []line {
	list, near, plain, nearest := []note{n}, t.nearPrompt(), plainText(n.Text), t.nearestTo(&n.Statement)
	for i := range t.besides {
		s := &t.besides[i].Statement
		if s.Ref == n.Ref || len(list) == maxOnTopic {
			continue
		}
		bothAnswer := s.ID != 0 && near[s.Ref] && topics.Likeness(&n.Statement, s) >= likeBesidePrompt
		if !bothAnswer && s.Ref != nearest && !topics.Same(&n.Statement, s) || isTold(told, s.Text) || plainText(s.Text) == plain {
			continue
		}
		list = append(list, t.besides[i])
	}
	slices.SortStableFunc(list, func(a, b note) int { return b.At.Compare(a.At) })
	lines := make([]line, len(list))
	for i, one := range list {
		day := one.At.Local().Format(time.DateOnly)
		if one.At.Before(list[0].At) {
			day = "earlier, " + day
		}
		day += ": "
		text := one.Text
		if one.ID != 0 { // the others are short already
			text = shorten(t.q, text, noteLength)
		}
		text = day + language.QuoteLine(text)
		if one.Project != "" {
			text += " (project " + language.QuoteLine(one.Project) + ")"
		}
		lines[i] = line{day, text, one.Text, one.prints, one.refs}
	}
	return lines
}

// nearestTo is the ref of the statement that is nearest to another, which may say more of
// its topic although the two share little, of those that are not far from the prompt.
// Empty: none is near.
func (t *teller) nearestTo(s *topics.Statement) (ref string) {
	best := likeNearest
	for i := range t.statements {
		if other := &t.statements[i]; other.Ref != s.Ref && embed.Dot(other.Vector, t.read.Vector) > unlikePrompt {
			if like := topics.Likeness(s, other); like >= best {
				best, ref = like, other.Ref
			}
		}
	}
	return ref
}

// beside are the notes that may stand on the topic of another: all statements, and what
// the words of the prompt found.
func (t *teller) beside() []note {
	all := make([]note, 0, len(t.statements)+len(t.notes))
	for _, s := range t.statements {
		all = append(all, note{Statement: s, prints: []string{Fingerprint(s.Ref)}, refs: []string{s.Ref}})
	}
	for _, n := range t.notes {
		if n.ID == 0 && n.Here && !t.shown(n) {
			all = append(all, n)
		}
	}
	return all
}

// nearPrompt are the refs of the notes that answer a prompt about as much as the best.
func (t *teller) nearPrompt() map[string]bool {
	near := map[string]bool{}
	for _, n := range t.notes[:min(len(t.notes), 2*maxNotes)] {
		if n.score >= 0.7*t.notes[0].score {
			near[n.Ref] = true
		}
	}
	return near
}

// plainText is a text as it is compared with another.
func plainText(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// untold are the sentences of a text that were not told.
func untold(told map[string]bool, text string) string {
	var rest []string
	for _, sentence := range language.Sentences(text) {
		if !isTold(told, sentence) {
			rest = append(rest, sentence)
		}
	}
	return strings.Join(rest, " ")
}

// isTold reports whether all of a text stands in one that was told.
func isTold(told map[string]bool, text string) bool {
	text = plainText(text)
	for other := range told {
		if strings.Contains(other, strings.TrimRight(text, ".!")) {
			return true
		}
	}
	return false
}
