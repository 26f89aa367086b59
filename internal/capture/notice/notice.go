package notice

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
)

// A Statement is a sentence of a turn that holds beyond the day on which it was said.
type Statement struct {
	Text     string  // in the person's words; empty: it only takes back what was said
	Score    float64 // how surely it holds, 0 to 1
	Kind     string
	Explicit bool      // the person asked for it to be remembered
	Vector   []float32 // standardised

	asksWhole bool // it asks for a session, or for all that is known: no preference about answers
}

// Kinds of statements; the others that heads.json names are not told apart here.
const (
	Fact       = "fact"
	Correction = "correction" // of what was said before
	Decision   = "decision"
	Plan       = "plan" // something to be done, often by a day
	Preference = "preference"
	Person     = "person" // what somebody is, does or is called
	Style      = "style"  // a preference about how the assistant is to answer, which holds in every project
	// ProjectStyle is likewise one that holds in one project.
	ProjectStyle = "project_style"
)

// MinBriefedScore and MinStoredScore are the scores from which a statement is told unasked, and from
// which it is kept at all.
func MinBriefedScore() float64 { return loadHeads().MinBriefedScore }
func MinStoredScore() float64  { return loadHeads().MinStoredScore }

// FindStatements returns what a turn states that is worth keeping, in the order of the
// text. The only error is that of ctx or of a program without its model.
func FindStatements(ctx context.Context, text string) ([]Statement, error) {
	all, err := ScoreSentences(ctx, text)
	if err != nil {
		return nil, err
	}
	var kept []Statement
	for _, s := range all {
		if s.Score < loadHeads().MinStoredScore || s.Text == "" || !s.Explicit && s.isOfTheMoment() || credential().MatchString(s.Text) || command().MatchString(s.Text) || isSingleWord(s.Text) || asks(s) {
			continue
		}
		if len(kept) > 0 && strings.HasPrefix(s.Text, kept[len(kept)-1].Text+" ") { // it says the one before once more
			last := &kept[len(kept)-1]
			last.Text, last.Score, last.Vector = s.Text, max(last.Score, s.Score), nil
			continue
		}
		kept = append(kept, s)
	}
	return kept, nil
}

// asks reports whether a sentence only asks. What somebody asked to be remembered needs a mark for that.
func asks(s Statement) bool {
	if endsWithQuestionMark(s.Text) {
		return language.OpensWithAskingWord(s.Text)
	}
	return !s.Explicit && language.AsksWithoutMark(s.Text)
}

// isOfTheMoment reports whether a sentence states nothing that lasts, whatever it sounds like: it
// asks for a session or for all that is known, holds today only, or announces what is to be
// remembered and does not say it.
func (s *Statement) isOfTheMoment() bool {
	return s.asksWhole || todayOnly().MatchString(s.Text) || announcement().MatchString(s.Text)
}

// isSingleWord reports whether a text is one word of a script in which a word is no sentence, such as
// "Always.": alone it states nothing.
func isSingleWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
	})
}

// ScoreSentences returns every sentence of a turn with its score.
func ScoreSentences(ctx context.Context, text string) ([]Statement, error) {
	parts := SplitSentences(text)
	if len(parts) == 0 || offTheRecord().MatchString(text) {
		return nil, nil
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	vectors, err := embed.EmbedSentences(ctx, texts)
	if err != nil {
		return nil, err
	}
	heads, others := loadHeads(), MeanOfOthers(vectors)
	all := make([]Statement, len(parts))
	for i := range parts {
		p := &parts[i]
		inputs := SentenceInputs(p, vectors[i], others[i])
		score, kind := heads.JudgeSentence(inputs)
		all[i] = Statement{Text: p.standaloneText(), Score: score, Kind: kind, Vector: vectors[i], asksWhole: heads.asksForSummary(p.Text, vectors[i])}
		if all[i].Kind == Fact && IsFirstPerson(p.Text) { // and not of the work
			all[i].Kind = Person
		}
		if all[i].Kind == Preference && heads.IsStyle(inputs) {
			all[i].Kind = Style
		}
		all[i].Text = trimConnective(all[i].Text)
		if rest, asked := cutRememberRequest(p.Text); asked {
			all[i].Text, all[i].Explicit, all[i].Score = rest, true, max(score, heads.MinBriefedScore)
		}
		if all[i].Text = cutRetraction(cutBeforeCorrection(all[i].Text)); all[i].Text != p.Text {
			all[i].Vector = nil
		}
	}
	return all, nil
}

// ScoreStatement returns how surely a turn, of which the vector is known, states what holds beyond
// today, 0 to 1. It is less exact than ScoreSentences, and a thousandth of its work.
func ScoreStatement(text string, vector []float32) float64 {
	parts := SplitSentences(text)
	if len(parts) == 0 {
		return 0
	}
	parts[0].Text = text
	score, _ := loadHeads().JudgeSentence(SentenceInputs(&parts[0], vector, nil))
	return score
}

// JudgeSentence returns how surely a sentence holds beyond today, 0 to 1, and of what
// kind it is if it does.
func (h *Heads) JudgeSentence(inputs []float32) (score float64, kind string) {
	sums := h.Sentence.OutputSums(inputs)
	best := 0
	for i := range h.Kinds {
		if sums[1+i] > sums[1+best] {
			best = i
		}
	}
	return probability(sums[0]), h.Kinds[best]
}

// IsStyle reports whether a preference is about how the assistant is to answer, not about the
// work: it holds in every project.
func (h *Heads) IsStyle(inputs []float32) bool {
	return probability(h.Style.OutputSums(inputs)[0]) >= minStyleScore
}

// minStyleScore is above one half: a preference of one project told in all is worse than one
// that stays where it was said.
const minStyleScore = 0.75

// JudgePrompt returns how surely a prompt concerns the person's own world, 0 to 1.
func (h *Heads) JudgePrompt(inputs []float32) float64 {
	return probability(h.Prompt.OutputSums(inputs)[0])
}

// JudgeLaterReplacesEarlier returns how surely the later of two statements makes the earlier one untrue, 0 to 1.
func (h *Heads) JudgeLaterReplacesEarlier(inputs []float32) float64 {
	return probability(h.Change.OutputSums(inputs)[0])
}

// Prompt is what is read of a prompt.
type Prompt struct {
	Vector        []float32 // standardised
	NoteVector    []float32 // Vector, moved to where the notes lie that the prompt needs
	PersonalScore float64   // how likely it concerns the person's own work and world, 0 to 1
	IsPersonal    bool      // that a memory of them may help
	AsksSession   bool      // it asks what was done in an earlier session, as a whole
	AsksOverview  bool      // it asks for all that is known of a matter or of the person
}

// AnalyzePrompt judges a prompt that is said now. The only error is that of ctx or of a program without
// its model.
func AnalyzePrompt(ctx context.Context, prompt string, now time.Time) (Prompt, error) {
	texts := []string{prompt}
	if undated := language.ReplacePastDays(prompt, now, plainDay); undated != prompt && len(prompt) <= maxWholeQuestion {
		texts = append(texts, undated)
	}
	vectors, err := embed.EmbedSentences(ctx, texts)
	if err != nil {
		return Prompt{}, err
	}
	heads := loadHeads()
	inputs := PromptInputs(prompt, vectors[0])
	personalScore := heads.JudgePrompt(inputs)
	read := Prompt{
		Vector: vectors[0], NoteVector: heads.Notes.Apply(vectors[0]), PersonalScore: personalScore, IsPersonal: personalScore >= heads.MinPersonalScore,
		AsksSession: AsksForSummary(&heads.Session, prompt, inputs), AsksOverview: AsksForSummary(&heads.Overview, prompt, inputs),
	}
	if len(texts) > 1 && heads.asksForDay(texts[1], vectors[1]) {
		read.AsksSession, read.AsksOverview = true, false
	}
	return read, nil
}

// plainDay stands for every day that a prompt names when it is judged whether the prompt asks what was
// done then: the head has learned few of the ways to name a day. It knows this word in every language.
const plainDay = "yesterday"

// asksForDay reports whether a prompt, with plainDay for its days, asks what was done on them.
func (h *Heads) asksForDay(text string, vector []float32) bool {
	words := language.Words(text)
	if len(words) == 0 || stating[words[0]] && !endsWithQuestionMark(text) {
		return false
	}
	return probability(h.Session.OutputSums(PromptInputs(text, vector))[0]) >= minDayScore
}

// AsksForSummary reports whether a prompt asks, by one of the heads for such questions, not for one
// thing but for a whole: "where did we leave off?", "what do you know about this project?"
func AsksForSummary(head *Head, prompt string, inputs []float32) bool {
	return len(prompt) <= maxWholeQuestion && !statesChange(prompt) && probability(head.OutputSums(inputs)[0]) >= minWholeScore
}

// statesChange reports whether a text opens with who acts, asks nothing, and puts something in the place
// of what was said before: "we switched to pylint last week" asks for no week.
func statesChange(text string) bool {
	words := language.Words(text)
	return len(words) > 0 && stating[words[0]] && language.AnnouncesChange(text) && !endsWithQuestionMark(text)
}

var stating = map[string]bool{"we": true, "our": true, "the": true, "wir": true, "unser": true, "unsere": true, "nous": true, "notre": true}

func (h *Heads) asksForSummary(text string, vector []float32) bool {
	inputs := PromptInputs(text, vector)
	return AsksForSummary(&h.Session, text, inputs) || AsksForSummary(&h.Overview, text, inputs)
}

const (
	// maxWholeQuestion is the longest prompt that is taken for such a question, in bytes.
	maxWholeQuestion = 200
	// minWholeScore is above one half: whoever asks for one thing must not be told another first.
	minWholeScore = 0.91
	// minDayScore is likewise that of a prompt that names a day which is over: what asks for another thing
	// of that day scores far less.
	minDayScore = 0.4
)

// AsksToRemember reports whether a sentence asks for something to be remembered.
func AsksToRemember(s string) bool {
	_, asked := cutRememberRequest(s)
	return asked
}

// TrimRememberRequest returns what a person asked to be remembered, or the whole text where
// nothing is asked.
func TrimRememberRequest(text string) string {
	rest, _ := cutRememberRequest(text)
	return rest
}

// request opens a sentence that asks for something to be remembered: with a word that
// a statement follows, or with a colon. What can ask for nothing else needs neither.
var request = lazyregexp.New(`(?i)^(?:#\s*)?(?:(?:please|pls|hey|ok|okay|also|and|oh|bitte|por favor|s'il te pla[iî]t|per favore)[, ]+)*` +
	`(?:(?:remember|note|keep in mind|don't forget|make a note|merk(?:e)? dir(?: bitte)?,?|denk daran,?|vergiss nicht,?|notier(?:e)? dir,?|` +
	`souviens[- ]toi(?: bien)?|rappelle[- ]toi|retiens|n'oublie pas|note(?: bien)?|recuerda|acu[eé]rdate(?: de)?|no olvides|anota|` +
	`ricorda(?:ti)?|tieni a mente|lembre-se(?: de)?|lembra(?:-te)?|onthou|zapami[eę]taj,?|запомни,?|unutma)` +
	`(?:\s+(?:that|this for later:|dass|que|che|dat|[zż]e|что)\s+|\s+qu'|\s*(?:this|please|for later)?[:：,—-]\s*)` +
	`|((?:remember|merke? dir|retiens|onthou|zapami[eę]taj|запомни)\s+)|(?:覚えておいて|记住|記住|기억해(?: 줘)?)[:：,，、\s]*)`)

// askingBehindRemember are words behind "remember" alone that open a question, or say nothing yet.
var askingBehindRemember = []string{"how", "what", "where", "who", "why", "if", "me", "last", "yesterday", "this", "that", "it", "a", "something", "bitte", "etwas"}

// cutRememberRequest returns what a person asked to be remembered, without the words that ask.
func cutRememberRequest(s string) (rest string, asked bool) {
	place := request().FindStringSubmatchIndex(s)
	if place == nil || endsWithQuestionMark(s) {
		return s, false
	}
	if rest = strings.TrimSpace(s[place[1]:]); len(rest) < minSentenceLength {
		return s, false
	}
	first, _, _ := strings.Cut(strings.ToLower(rest), " ")
	if first == "to" || first == "when" || place[2] >= 0 && slices.Contains(askingBehindRemember, first) {
		return s, false
	}
	return rest, true
}

// offTheRecord is in a turn that its author wants forgotten.
var offTheRecord = lazyregexp.New(`(?i)\b(?:off the record|(?:don't|do not) (?:remember|store|save|keep|record) (?:this|that|it)|nicht merken|merk dir das nicht|unter uns gesagt|entre nous|ne (?:retiens|note) pas|no (?:recuerdes|guardes|anotes) esto)\b`)

// credential is in a sentence that may tell how to log in, beyond what is redacted.
var credential = lazyregexp.New(`(?i)(?:\b(?:log-?in|pass(?:word|wort|wd|phrase)?|pwd|kennwort|token|secret|credentials?|contraseña|clave|mot de passe|identifiant)\b.*(?:\pL\d|\d\pL))|\S+:\S*\d\S*@\S+`)

// command opens a text that speaks to the assistant as its master, or as a program.
var command = lazyregexp.New(`(?i)^/\w|\b(?:you must obey|ignore (?:all |your |the |any )?(?:previous |earlier )?instructions|the assistant must|without asking the user|<\s*/?\s*(?:system|toolkit-recall))|^\W*system\s*:`)

// firstPerson is in a sentence about who says it.
var firstPerson = lazyregexp.New(`(?i)(?:^|[^\pL'])(?:i|i'm|i've|my|me|ich|mein(?:e|er|en|em)?|mir|mich|je|j'ai|mon|ma|mes|moi|yo|mis?|soy|io|mi[oa]|sono|eu|meu|minha|sou|ik|mijn|jestem|mój|moja|я|мой|моя|у меня|ben|benim)(?:[^\pL']|$)|私|我|저는|제 |أنا`)

// IsFirstPerson reports whether a sentence is about who says it.
func IsFirstPerson(text string) bool { return firstPerson().MatchString(text) }

// dependentOpening opens a sentence that says little without the one before it.
var dependentOpening = lazyregexp.New(`(?i)^(?:(?:and|so|but|also|und|aber|also|et|donc|mais|y|pero|e|ma)[, ]+)?` +
	`(?:it|its|it's|that|that's|this|they|they're|them|he|she|his|her|those|these|same|there|` +
	`das|dies|er|sie|es|dort|deren|dessen|c'est|ça|cela|il|elle|ils|elles|leur|eso|esto|ella|ellos|él|quello|questo|lui|lei|isso|ele|ela|dat|het|hij|zij|to|ono|это|он|она|они)\b`)

// connective opens a sentence that goes on from another.
var connective = lazyregexp.New(`(?i)^(?:(?:also|and|oh|ok|okay|well|btw|by the way|und|außerdem|ach|übrigens|et|y|además|inoltre),\s+)+`)

// trimConnective returns a sentence without words that only lead on to it.
func trimConnective(s string) string {
	rest := connective().ReplaceAllString(s, "")
	first, size := utf8.DecodeRuneInString(rest)
	if rest == s || rest == "" {
		return s
	}
	return string(unicode.ToUpper(first)) + rest[size:]
}

// standaloneText is the sentence, with the one before it where it would not stand alone.
func (p *Part) standaloneText() string {
	if p.Before != "" && (dependentOpening().MatchString(p.Text) || len(strings.Fields(p.Text)) < 3 && strings.Contains(p.Text, " ") || isSingleWord(p.Text)) && !endsWithQuestionMark(p.Before) && len(p.Before)+len(p.Text) < maxSentenceLength {
		return p.Before + " " + p.Text
	}
	return p.Text
}
