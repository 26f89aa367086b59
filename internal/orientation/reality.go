package orientation

// Reality judges current reality: it must say what is so, not what is hoped, planned or
// about to be. What is denied ("not ready for guests") is a fact and passes.
func Reality(written string) *Finding {
	t := read(written)
	s, from, to, found := findAspiration(t)
	if !found {
		return nil
	}
	word := t.slice(s, from, to)
	return &Finding{
		Rule: RuleReality,
		Message: "“" + word + "” says what is hoped for or about to be, not what is so. " +
			"Say what is there today and what is missing, as facts anybody could check (“have a microphone, no experience”).",
		Words:       []string{word},
		Suggestions: frameReality(t, s, to),
	}
}

// findAspiration returns the first words that speak of readiness, wish or future and are
// not denied.
func findAspiration(t text) (s sentence, from, to int, found bool) {
	for _, s := range t.sentences {
		for i := range s {
			if to, ok := aspiration(s, i); ok && !denied(s, i) {
				return s, i, to, true
			}
		}
	}
	return nil, 0, 0, false
}

// denied reports whether a negation stands shortly before i: then readiness or wish is
// said not to be there.
func denied(s sentence, i int) bool {
	for j := i - 1; j >= 0 && j >= i-3 && !s[j].mark; j-- {
		switch s.word(j) {
		case "and", "but", "or", "so":
			return false
		case "not", "never", "no", "nobody", "none", "neither", "nor", "hardly", "without", "nothing", "far":
			return true
		}
	}
	return false
}

// frameReality says what is spoken of as what is not there yet.
func frameReality(t text, s sentence, from int) []string {
	from = wishedThing(s, from)
	rest := t.slice(s, from, phraseEnd(s, from))
	if from < len(s) && (s.word(from) == "to" || s.word(from) == "for") {
		rest = t.slice(s, from+1, phraseEnd(s, from+1))
	}
	frames := []string{"Have …, no … yet"}
	if rest != "" {
		if kept := keep(acceptsReality, []string{"Not there yet: " + rest, "Have … for “" + rest + "”, no … yet"}); len(kept) > 0 {
			frames = kept
		}
	}
	return frames
}

// wishedThing steps over "that", the pronoun and the auxiliary of a wish: from "I had a
// mic" to "a mic".
func wishedThing(s sentence, i int) int {
	j := i
	for !s.ends(j) && (s.word(j) == "that" || pronouns[s.word(j)] || wishedAuxiliaries[s.word(j)]) {
		j++
	}
	if s.ends(j) {
		return i
	}
	return j
}

var wishedAuxiliaries = wordSet("have had has could can would will may might")
