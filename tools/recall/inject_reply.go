package recall

import (
	"slices"

	"toolkit/internal/language"
	"toolkit/tools"
)

// findReply returns what the assistant said right after a turn of somebody else, where that states something
// and does not only say it again. After the assistant's own words the talk may go elsewhere.
func findReply(r ranked, offered []tools.Candidate) string {
	if len(r.Turns) != 1 || r.Speaker == assistant {
		return ""
	}
	said := r.Turns[0]
	for _, c := range offered {
		follows := c.Turns != nil && c.Place.Session == r.Place.Session && c.Turns[0].Number == said.Number+1 && c.Turns[0].Speaker != said.Speaker
		if follows && candidateIntent(c) == intentStatement && !isBare(c.Turns[0].Text) && !isEcho(c.Turns[0].Text, said.Text) {
			return c.Turns[0].Speaker + ": " + c.Turns[0].Text
		}
	}
	return ""
}

// maxEchoShare is the share of the words of a reply from which it only says again what it replies to.
const maxEchoShare = 0.5

// isEcho reports whether a reply has hardly a word of content that is not in what it replies to.
func isEcho(reply, said string) bool {
	words, again := 0, 0
	known := language.Terms(said)
	for _, term := range language.Terms(reply) {
		if !language.IsStopWord(term) {
			words++
			if slices.Contains(known, term) {
				again++
			}
		}
	}
	return float64(again) >= maxEchoShare*float64(words)
}

// hasQuestion reports whether a text has a question, a long one at its beginning or its end.
func hasQuestion(text string) bool {
	return slices.ContainsFunc(language.Sentences(keepBothEnds(text, maxCandidateLength)), language.IsQuestion)
}
