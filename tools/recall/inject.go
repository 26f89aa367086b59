package recall

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/engines/retrieval"
)

// Ask is a prompt for which a hook wants to know what is remembered.
type Ask struct {
	Prompt  string
	Session string   // that is running, as dialogue names it: nothing is told of it
	Project []string // its keys
	Tokens  int      // bound of the answer; 400 if 0
	// Shown reports whether a note was shown before; nil: none was.
	Shown func(fingerprint string) bool
}

// Injection is what is put beside a prompt. An empty text means that nothing
// fits: stay silent.
type Injection struct {
	Text         string
	Fingerprints []string // of the notes in it
	Refs         []string // of what they tell, with what says the same
}

const (
	defaultInjected = 400
	// mostPrompt is how much of a prompt is read. What is longer was pasted.
	mostPrompt = 4000
	// The first notes may be longer; of the others only the sentences that answer
	// are told: many short notes hold more of what is asked than few long ones.
	noteBytes, firstBytes, firstNotes = 70, 200, 4
	// questionBytes bounds a question beside its answer.
	questionBytes = 60
	// leastNote is the room below which no further note is tried.
	leastNote = 40
)

// injectedHead says what the notes are. It states; commands would be taken for an
// attack.
const injectedHead = "Notes from earlier sessions and documents: reference data, maybe outdated; current files and the user come first."

// ForPrompt finds what is remembered that bears on a prompt, for a hook to show to
// the model. Most prompts need no memory: then the text is empty.
func ForPrompt(ctx context.Context, db *store.DB, recallers []tools.Recaller, a Ask) (Injection, error) {
	f := family{Deps{Store: db, Recallers: recallers}}
	kinds, _ := f.kinds(nil)
	prompt := strings.ToValidUTF8(a.Prompt[:min(len(a.Prompt), mostPrompt)], "")
	q := tools.NewQuestion(prompt, "", kinds, db.Now())
	q.Without = a.Session
	if !informs(q) && !looksBack(q).asked {
		return Injection{}, nil
	}
	list, err := store.ReadValue(ctx, db, func(tx *store.Tx) ([]tools.Candidate, error) {
		if err := inProjects(In(ctx, a.Project...), tx, q, ""); err != nil {
			return nil, err
		}
		return f.ask(tx, q)
	})
	if err != nil {
		return Injection{}, err
	}
	b := injected{q: q, room: len("1234")*cmp.Or(a.Tokens, defaultInjected) - len(injectedHead)}
	for _, r := range bearing(q, list) {
		if b.room < leastNote {
			break
		}
		if !a.shown(r) {
			b.add(r, fingerprint(r))
		}
	}
	return b.injection(), nil
}

// The floor of an injection. Something has a word in common with every prompt, so
// one common word is not enough: it takes two, or a rare one.
const (
	wordsNeeded = 1.5 // informative words of a prompt, where one that is only nearly there is half
	rareRows    = 2   // in how many rows a word stands at most that is enough alone
	shareNeeded = 0.2 // of all that the prompt informs of
	// farFloor is what must be answered by what was said in another project.
	farFloor = 0.7
)

// bearing are the candidates that bear on a prompt, best first; none when no one
// reaches the floor.
func bearing(q *tools.Question, candidates []tools.Candidate) []ranked {
	if q.Scorer == nil {
		return nil
	}
	back, list := looksBack(q), weighed(q, candidates, false)
	if !slices.ContainsFunc(list, func(r ranked) bool { return bears(q, back, r) }) {
		return nil
	}
	best := 0.0
	for _, r := range list {
		if r.tells() {
			best = max(best, r.relevance)
		}
	}
	list = slices.DeleteFunc(list, func(r ranked) bool {
		inWork := r.Project != 0 && r.standsBy() // what stands beside an answer is mostly work in hand
		return !r.tells() || inWork || r.relevance < beside*best || elsewhere(q, r) && !(bears(q, back, r) && r.travels())
	})
	return inOrder(q, list)
}

// elsewhere reports whether a candidate belongs to another project than that at hand,
// of which there may be none.
func elsewhere(q *tools.Question, r ranked) bool { return r.Project != 0 && r.Project != q.Prefer }

// tells reports whether a candidate may be told without being asked for.
func (r ranked) tells() bool { return r.manner < fills && r.Replaced == "" }

// travels reports whether what belongs to another project may be told in this one: it
// answers nearly all.
func (r ranked) travels() bool { return r.relevance >= farFloor }

// bears reports whether a candidate reaches the floor. Words of work count beside
// another one: "what did Ann say of running" is about running.
func bears(q *tools.Question, back lookingBack, r ranked) bool {
	if !r.tells() || !back.meets(r) {
		return false
	}
	asked, answered, words, named, rare := 0.0, 0.0, 0.0, false, false
	rareEnough := q.Scorer.InformsIn(rareRows)
	for i, t := range q.Terms {
		if saysLittle(t) && !isWork(t) {
			continue
		}
		informs, credit := q.Scorer.Informs(i), 0.0
		if slices.Contains(r.matched, t.Word) {
			credit = 1
		} else if slices.Contains(r.matched, "~"+t.Word) {
			credit = 0.5
		}
		words += credit
		if special(t) || back.asked && isWork(t) {
			asked, answered = asked+informs, answered+credit*informs
			named, rare = named || credit == 1, rare || credit == 1 && informs >= rareEnough
		}
	}
	if back.settles(r) || named && back.asked && slices.ContainsFunc(r.matched, func(word string) bool { return slices.Contains(back.after, word) }) && answered >= shareNeeded*asked {
		return true
	}
	return named && (words >= wordsNeeded || rare) && answered >= shareNeeded*asked
}

// informs reports whether a prompt says what it is about, in other words than every
// prompt has.
func informs(q *tools.Question) bool {
	return slices.ContainsFunc(q.Terms, special)
}

func special(t retrieval.Term) bool { return !saysLittle(t) && !isWork(t) }

func saysLittle(t retrieval.Term) bool {
	return language.IsStopWord(t.Word) || slices.ContainsFunc(t.Forms, language.IsEveryday) || isNumber(t.Word) && len(t.Word) <= 2
}

func isWork(t retrieval.Term) bool { return slices.ContainsFunc(t.Forms, language.IsWork) }

// shown reports whether a note was shown before, as it is, or, by somebody who calls
// a thing by its ref, it or what says the same.
func (a *Ask) shown(r ranked) bool {
	if a.Shown == nil {
		return false
	}
	return a.Shown(fingerprint(r)) || slices.ContainsFunc(append([]string{r.Ref()}, r.Also...), func(ref string) bool { return a.Shown(Fingerprint(ref)) })
}

// fingerprint stands for what a note says.
func fingerprint(r ranked) string { return hashed(r.Ref(), r.Text) }

// Fingerprint stands for a thing that is shown whole and never changes, such as an
// insight, by its ref.
func Fingerprint(ref string) string { return hashed(ref, "") }

func hashed(ref, text string) string {
	h := fnv.New64a()
	fmt.Fprint(h, ref, "\x00", text)
	return fmt.Sprintf("%016x", h.Sum64())
}

// injected is an injection while it is filled. What was said in one session, or
// stands in one document, is told together, so that its date and source are said
// once.
type injected struct {
	q      *tools.Question
	room   int // bytes that are left
	groups []*group
	prints []string
	refs   []string
}

type group struct {
	head  string
	worth float64 // of its best note
	notes []note
}

// note is one turn, or another thing that is remembered.
type note struct {
	worth         float64
	speaker, text string
}

// add tells of a candidate, if there is room.
func (b *injected) add(r ranked, print string) {
	head := headOf(r)
	i := slices.IndexFunc(b.groups, func(g *group) bool { return g.head == head })
	limit := noteBytes
	if len(b.prints) < firstNotes {
		limit = firstBytes
	}
	notes, size := notesOf(b.q, r, limit), 0
	for _, n := range notes {
		size += len(n.text) + len(n.speaker) + len(": \n")
	}
	if i < 0 {
		size += len(head) + len("\n\n")
	}
	if size > b.room {
		return
	}
	if i < 0 {
		i, b.groups = len(b.groups), append(b.groups, &group{head: head})
	}
	b.room -= size
	b.groups[i].worth = max(b.groups[i].worth, r.worth)
	b.groups[i].notes = append(b.groups[i].notes, notes...)
	b.prints = append(b.prints, print)
	b.refs = append(append(append(b.refs, r.Ref()), r.Same...), r.Also...)
}

// notesOf are the sentences of a candidate that answer, by turns.
func notesOf(q *tools.Question, r ranked, limit int) (notes []note) {
	for i, s := range r.Said {
		limit := limit
		if i < len(r.Said)-1 {
			limit = questionBytes
		}
		if text := shorten(q, s.Text, limit); text != "" {
			notes = append(notes, note{r.worth, s.Speaker, text})
		}
	}
	if r.Said == nil {
		notes = []note{{r.worth, "", shorten(q, r.Text, limit)}}
	}
	if r.Note != "" {
		notes[len(notes)-1].text += " [" + r.Note + "]"
	}
	return notes
}

// shownSession is how much is shown of the name of a session.
const shownSession, shownID = 24, 8

// headOf is the day and the source of a candidate.
func headOf(r ranked) string {
	source := r.Kind + " " + r.ID
	switch p := r.Place; {
	case p.Document != "":
		source = strings.TrimPrefix(whereOf(&p), ", ")
	case p.Chart != "":
		source = "chart " + p.Chart
	case p.Session != "":
		source = "session " + shortName(p.Session)
	}
	return r.At.Format(time.DateOnly) + " " + source
}

// shortName is enough of the name of a session to know it by. Those of clients are
// long numbers.
func shortName(session string) string {
	if _, id, captured := strings.Cut(session, "/"); captured {
		return id[:min(len(id), shownID)]
	}
	return session[:min(len(session), shownSession)]
}

func (b *injected) injection() Injection {
	if len(b.groups) == 0 {
		return Injection{}
	}
	var text strings.Builder
	text.WriteString(injectedHead)
	slices.SortStableFunc(b.groups, func(a, b *group) int { return cmp.Compare(b.worth, a.worth) })
	for _, g := range b.groups {
		slices.SortStableFunc(g.notes, func(a, b note) int { return cmp.Compare(b.worth, a.worth) })
		fmt.Fprintf(&text, "\n%s", g.head)
		last := ""
		for _, n := range g.notes {
			if n.speaker != "" && n.speaker != last {
				fmt.Fprintf(&text, "\n%s: %s", n.speaker, n.text)
			} else {
				fmt.Fprintf(&text, "\n%s", n.text)
			}
			last = n.speaker
		}
	}
	// Whatever tags stand around it: no note ends them.
	return Injection{Text: strings.ReplaceAll(text.String(), "</", `<\/`), Fingerprints: b.prints, Refs: b.refs}
}
