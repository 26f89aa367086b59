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
		Words: []string{word},
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
