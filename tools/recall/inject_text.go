package recall

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"toolkit/embed"
	"toolkit/internal/capture/notice"
	"toolkit/internal/capture/redact"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/tools"
)

// noteText are the sentences of a candidate that answer the prompt: of dialogue with who
// said them and the question before, of a document with where it stands.
func (t *noteWriter) noteText(ctx context.Context, r *found) string {
	if len(r.Facts) > 0 {
		clean, _ := redact.Text(ctx, shortenFacts(t.q, r.Text, r.Facts, noteLength))
		return clean
	}
	if r.Turns == nil {
		text := t.shortenRedacted(ctx, r.Text, noteLength)
		if r.Place.Document != "" {
			text += " (" + t.shortenRedacted(ctx, strings.TrimPrefix(describePlace(r.ID, &r.Place), ", "), noteLength) + ")"
		}
		if r.Place.Chart != "" && r.Note != "" { // the title of a step reads as if it were so
			text += " [" + r.Note + "]"
		}
		return text
	}
	var parts []string
	turns := r.Turns
	if len(turns) > 1 && !answersInAWord(turns) { // "Okay." answers nothing
		turns = slices.DeleteFunc(slices.Clone(turns), func(s tools.DialogueTurn) bool { return turnIntent(s) == intentFiller })
	}
	for i, s := range turns {
		length := noteLength
		if i < len(turns)-1 {
			length = questionLength
		}
		text := t.shortenRedacted(ctx, notice.TrimRememberRequest(s.Text), length)
		if s.Speaker != user || len(turns) > 1 {
			text = s.Speaker + ": " + text
		}
		parts = append(parts, text)
	}
	if r.Note != "" {
		parts = append(parts, "["+r.Note+"]")
	}
	return strings.Join(parts, " ")
}

// formatInjection words the best notes: each with what was said of its topic before and after.
func (t *noteWriter) formatInjection(ctx context.Context) Injection {
	room := len("1234")*cmp.Or(t.request.Tokens, defaultInjected) - len(injectedHead)
	var out Injection
	var lines, sessionLines []string
	if len(t.lastSessions) > 0 {
		sessionLines = t.formatSessionLines(ctx)
		room -= len(strings.Join(sessionLines, "\n")) + 1
		if !t.days.named { // it may be asked for one thing after all
			t.notes = slices.DeleteFunc(t.notes, func(n note) bool { return n.score < strongNote })
		}
	}
	shown := t.listShownTexts(sessionLines)
	var answered []note // notes in view that answer the prompt in its own words
	topicCount, current, least := 0, 0, math.Inf(-1)
	t.topicCandidates = t.listTopicCandidates()
	for _, n := range t.notes {
		if topicCount == t.maxNotes || n.score < least {
			break
		}
		if t.wasShown(n) {
			if !t.days.named {
				least = max(least, minShareOfShownNote*n.score) // what fits best is in view
			}
			if n.relevance >= minAnswered {
				answered = append(answered, n)
			}
			continue
		}
		if n.SetText(removeShownSentences(shown, n.Text)); n.Text == "" || language.AsksOnly(n.Text) || t.addsNothing(n, answered) {
			continue
		}
		list := limitCurrentLines(t.fitLines(t.formatNoteLines(ctx, n, shown), room), maxCurrentLines-current)
		if len(list) == 0 {
			continue
		}
		for _, line := range list {
			room -= len(line.text) + 1
		}
		topicCount++
		for _, line := range list {
			if !line.earlier {
				current++
			}
			lines = append(lines, line.text)
			shown[normalizeText(line.noteText)], t.told[normalizeText(line.noteText)] = true, true
			out.Fingerprints, out.Refs = append(out.Fingerprints, line.fingerprints...), append(out.Refs, line.refs...)
		}
	}
	if t.days.named {
		lines = append(sessionLines, lines...)
	} else { // what is surely near stands before the last session: it answers "where do we host now?"
		lines = append(lines, sessionLines...)
	}
	if len(lines) > 0 {
		out.Text = injectedHead + "\n" + strings.Join(lines, "\n")
	}
	return out
}

// listShownTexts returns the texts that are no news: what the sessions say, and the statements in view, which it notes.
func (t *noteWriter) listShownTexts(sessionLines []string) map[string]bool {
	t.inView, t.told = map[string]bool{}, map[string]bool{}
	shown := map[string]bool{}
	for _, line := range sessionLines {
		shown[normalizeText(line)] = true
	}
	for i := range t.statements {
		if s := &t.statements[i]; t.request.Shown != nil && t.request.Shown(Fingerprint(s.Ref)) {
			shown[normalizeText(s.Text)], t.inView[s.Ref] = true, true
		}
	}
	return shown
}

// addsNothing reports whether a note is about something else than what answers the prompt in its own words and is in
// view: it has fewer of them, and was not stated later on its topic.
func (t *noteWriter) addsNothing(n note, answered []note) bool {
	return slices.ContainsFunc(answered, func(answer note) bool {
		if n.relevance >= answer.relevance {
			return false
		}
		later, _ := t.outdated.findReplacement(answer.Ref)
		onTopic := t.findLaterOnTopic(&answer)
		return later.Ref != n.Ref && (onTopic == nil || onTopic.Ref != n.Ref)
	})
}

// formatSessionLines tells of the sessions that the prompt asks for.
func (t *noteWriter) formatSessionLines(ctx context.Context) (lines []string) {
	head := HeadLast
	if t.days.named {
		head = headOfDay
	}
	for _, s := range t.lastSessions {
		lines = append(lines, s.FormatLines(ctx, head)...)
	}
	return lines
}

// fitLines returns the lines for which there is room, the first of them shortened where it
// alone has too little.
func (t *noteWriter) fitLines(list []line, room int) []line {
	if len(list) == 0 {
		return nil
	}
	size := 0
	for i, line := range list {
		if size += len(line.text) + 1; size > room {
			list = list[:max(i, 1)]
			break
		}
	}
	if first := &list[0]; len(first.text)+1 > room {
		length := room - len(first.day) - len("“”") - 1
		if length < minNoteLength {
			return nil
		}
		first.text = first.day + language.InQuotes(truncate(language.QuoteLine(shortenToAnswer(t.q, first.noteText, length)), length))
	}
	return list
}

// limitCurrentLines returns the lines up to so many that hold still; those that do not any more stand
// behind what took their place.
func limitCurrentLines(list []line, most int) []line {
	for i, line := range list {
		if line.earlier {
			continue
		}
		if most--; most < 0 {
			return list[:i]
		}
	}
	return list
}

// line is a note in words.
type line struct {
	earlier            bool   // it is not true any more
	day                string // as it begins
	text, noteText     string
	fingerprints, refs []string
}

// formatNoteLines returns the lines of a note, of what it made untrue and what made it untrue, the newest
// first, and behind these of the statements like it that may answer the prompt too. What is not
// true any more begins with "earlier" and its day.
func (t *noteWriter) formatNoteLines(ctx context.Context, n note, shown map[string]bool) []line {
	list := t.findRelatedNotes(n, shown)
	outdated := t.findLikelyChanges(list)
	var lines []line
	for _, i := range orderByChange(list, outdated) {
		one := list[i]
		said, _ := redact.Text(ctx, one.Text)
		if said == "" || hasRedaction(said) {
			continue
		}
		day := one.At.Local().Format(time.DateOnly)
		if one.At.IsZero() {
			day = "imported " + one.importedAt.Local().Format(time.DateOnly)
		}
		_, untrue := outdated[one.Ref]
		if untrue {
			day = "earlier, " + day
		}
		day += ": "
		text := said
		if one.ID != 0 { // the others are short already
			text = shortenToAnswer(t.q, text, noteLength)
		}
		text = day + language.InQuotes(text)
		if speaker, reply, found := strings.Cut(one.reply, ": "); found && !isShown(shown, one.reply) {
			text += " " + speaker + ": " + language.InQuotes(reply)
		}
		if one.Project != "" {
			text += " (project " + language.InQuotes(one.Project) + ")"
		}
		lines = append(lines, line{untrue, day, text, said, one.fingerprints, one.refs})
	}
	return lines
}

// findLikelyChanges finds what is outdated among statements that are told together: what is so among all, and
// what is likely so by those that are not known to have changed something else.
func (t *noteWriter) findLikelyChanges(list []note) map[string]search.Later {
	outdated := map[string]search.Later{}
	var stated []search.Statement
	for _, n := range list {
		if later, untrue := t.outdated.findReplacement(n.Ref); untrue {
			outdated[n.Ref] = later
		} else if n.ID != 0 || n.Speaker == user && statesFact(&n.Statement) {
			stated = append(stated, n.Statement)
		}
	}
	for earlier, later := range search.FindChanges(stated, minToldChange+crowdChange*chanceSimilarity(len(t.statements))) {
		if s := stated[later]; len(t.outdated.listOutdatedRefs(s.Ref)) == 0 {
			outdated[stated[earlier].Ref] = search.Later{ID: s.ID, Ref: s.Ref, At: s.At}
		}
	}
	return outdated
}

// findRelatedNotes returns a note, and behind it what is told with it: what it made untrue or was made
// untrue by, and what is like it; where few statements are compared, each with what made that untrue.
func (t *noteWriter) findRelatedNotes(n note, shown map[string]bool) []note {
	if t.days.named { // what is like it may be of another day
		return []note{n}
	}
	if t.isChangeInView(n.Ref) {
		return nil
	}
	near, nearest, crowd := t.refsOfBestNotes(), t.findNearestStatement(&n.Statement), chanceSimilarity(len(t.statements))
	list, told := []note{n}, map[string]bool{normalizeText(n.Text): true} // one may be a turn, and what was noticed in it
	maps.Copy(told, t.told)
	addAll := func(one *note, shown map[string]bool) bool {
		isNew := one != nil && len(list) < maxNotesPerTopic && !isShown(told, one.Text) && !isShown(shown, one.Text) && !t.isRepetition(list, one)
		if isNew {
			told[normalizeText(one.Text)] = true
			list = append(list, *one)
		}
		return isNew
	}
	add := func(one *note) {
		if addAll(one, shown) {
			addAll(t.findLaterOnTopic(one), nil)
		}
	}
	add(t.findReplacingNote(n.Ref))
	addAll(t.findLaterOnTopic(&n), nil) // also what is in view: what is older must not stand alone
	earlier := t.outdated.listOutdatedRefs(n.Ref)
	for i := range t.topicCandidates {
		s := &t.topicCandidates[i].Statement
		if s.Ref == n.Ref {
			continue
		}
		isChange := slices.Contains(earlier, s.Ref)
		bothAnswer := s.ID != 0 && near[s.Ref] && search.TopicSimilarityAtLeast(&n.Statement, s, minPromptTopicSimilarity+crowd) > 0
		if !isChange && !bothAnswer && s.Ref != nearest && search.TopicSimilarityAtLeast(&n.Statement, s, minTopicSimilarity) == 0 {
			continue
		}
		if crowd == 0 {
			add(t.findReplacingNote(s.Ref))
		}
		add(&t.topicCandidates[i])
	}
	return slices.DeleteFunc(list, func(one note) bool { return t.isChangeInView(one.Ref) })
}

// isRepetition reports whether a turn of the assistant only says again what is told.
func (t *noteWriter) isRepetition(list []note, one *note) bool {
	return one.Speaker == assistant && slices.ContainsFunc(list, func(n note) bool { return search.IsRepetition(&n.Statement, &one.Statement) })
}

// findReplacingNote returns the note of what made a statement untrue; nil: nothing that may be told did.
func (t *noteWriter) findReplacingNote(ref string) *note {
	later, untrue := t.outdated.findReplacement(ref)
	at := slices.IndexFunc(t.topicCandidates, func(n note) bool { return n.Ref == later.Ref })
	if !untrue || at < 0 {
		return nil
	}
	return &t.topicCandidates[at]
}

// findLaterOnTopic returns the note of the statement that was made later on the topic of another and is nearest to it;
// nil: none was. They share a word, or the later one likely makes the other untrue.
func (t *noteWriter) findLaterOnTopic(n *note) (nearest *note) {
	earlier, isPair := answerOf(&n.Statement)
	if !isPair {
		earlier = n.Statement
	}
	if n.ID == 0 && n.Speaker == "" && !isPair || !n.InCurrentProject || t.days.named {
		return nil
	}
	crowd := chanceSimilarity(len(t.statements))
	best := minNearestSimilarity + crowd
	for i := range t.topicCandidates {
		later := &t.topicCandidates[i]
		if later.ID == 0 || !later.At.After(n.At) {
			continue
		}
		if repeats(&n.Statement, &later.Statement) && !language.TakesEffectAfter(later.Text, later.At.Local(), t.q.Now.Local()) {
			continue
		}
		like := search.TopicSimilarityAtLeast(&earlier, &later.Statement, best)
		if like == 0 {
			continue
		}
		isOnTopic := (isPair || like >= minLaterSimilarity) && earlier.SharesWord(&later.Statement)
		if isOnTopic || search.MayReplace(&earlier, &later.Statement, minToldChange+crowdChange*crowd) {
			best, nearest = like, later
		}
	}
	return nearest
}

// isChangeInView reports whether the session has seen what made a statement untrue: it was shown, or
// said in the session.
func (t *noteWriter) isChangeInView(ref string) bool {
	later, untrue := t.outdated.findReplacement(ref)
	return untrue && (t.inView[later.Ref] || t.findReplacingNote(ref) == nil)
}

// orderByChange returns the places of notes: of the first with what it made untrue and what
// made it untrue, then of the others, each the newest first but behind what made it untrue.
func orderByChange(list []note, outdated map[string]search.Later) (places []int) {
	linked := map[string]bool{}
	for range list {
		linked[list[0].Ref] = true
		for _, n := range list {
			if later := outdated[n.Ref].Ref; later != "" && (linked[n.Ref] || linked[later]) {
				linked[n.Ref], linked[later] = true, true
			}
		}
	}
	for i := range list {
		places = append(places, i)
	}
	slices.SortStableFunc(places, func(a, b int) int {
		return cmp.Or(search.CompareTrueFirst(linked[list[a].Ref], linked[list[b].Ref]), list[b].At.Compare(list[a].At))
	})
	return places
}

// findNearestStatement returns the ref of the statement that is nearest to another, which may say more of
// its topic although the two share little, of those that are not far from the prompt.
// Empty: none is near.
func (t *noteWriter) findNearestStatement(s *search.Statement) (ref string) {
	best := minNearestSimilarity + chanceSimilarity(len(t.statements))
	for i := range t.statements {
		if other := &t.statements[i]; other.Ref != s.Ref && embed.Dot(other.Vector, t.prompt.Vector) > minPromptSimilarity {
			if like := search.TopicSimilarityAtLeast(s, other, best); like > 0 {
				best, ref = like, other.Ref
			}
		}
	}
	return ref
}

// listTopicCandidates returns the notes that may stand on the topic of another: all statements, and what
// the words of the prompt found.
func (t *noteWriter) listTopicCandidates() []note {
	all := make([]note, 0, len(t.statements)+len(t.notes))
	for _, s := range t.statements {
		all = append(all, note{Statement: s, fingerprints: []string{Fingerprint(s.Ref)}, refs: []string{s.Ref}})
	}
	for _, n := range t.notes {
		if n.ID == 0 && n.InCurrentProject && !t.wasShown(n) {
			all = append(all, n)
		}
	}
	return all
}

// refsOfBestNotes are the refs of the notes that answer a prompt about as much as the best.
func (t *noteWriter) refsOfBestNotes() map[string]bool {
	near := map[string]bool{}
	for _, n := range t.notes[:min(len(t.notes), 2*maxNotes)] {
		if n.score >= 0.7*t.notes[0].score {
			near[n.Ref] = true
		}
	}
	return near
}
