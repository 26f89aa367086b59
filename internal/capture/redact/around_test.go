package redact

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// sample is a text that a pattern finds, with nothing in it that may be left out.
func sample(r *rand.Rand, p *syntax.Regexp) string {
	one := func() string { return sample(r, p.Sub[0]) }
	many := func(least, most int) (text string) {
		for range max(least, min(1, most)*min(1, least)) {
			text += one()
		}
		return text
	}
	switch p.Op {
	case syntax.OpLiteral:
		return string(p.Rune)
	case syntax.OpCharClass:
		return string(oneOf(r, p.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "."
	case syntax.OpCapture, syntax.OpPlus:
		return one()
	case syntax.OpRepeat:
		return many(p.Min, p.Max)
	case syntax.OpConcat:
		text := ""
		for _, part := range p.Sub {
			text += sample(r, part)
		}
		return text
	case syntax.OpAlternate:
		return sample(r, p.Sub[r.IntN(len(p.Sub))])
	}
	return ""
}

// oneOf is a character of a class, of those that people type if there is one.
func oneOf(r *rand.Rand, ranges []rune) rune {
	var typed []rune
	for _, c := range letters + "=:\"'/ " {
		for i := 0; i < len(ranges); i += 2 {
			if ranges[i] <= c && c <= ranges[i+1] {
				typed = append(typed, c)
			}
		}
		if c == '9' && len(typed) > 0 {
			break
		}
	}
	if len(typed) == 0 {
		return ranges[0]
	}
	return typed[r.IntN(len(typed))]
}

// surroundings are what people write around a key.
var surroundings = []string{
	"it is %, please", "it is %.", "(see %)", "why %?", "use %!", "**%**", "%: ours", "> %> x", "%/v1", "%; next", "is \"%\"", "is '%'", "is `%`", "„%“", "“%”", "«%»", "[%]", "{%}", "|%|", "%…", "x %", "%\nnext",
	"https://example.org/?%&page=2", "<b>%</b>", "%—thanks", "%，好的",
}

// The samples are made from the rules themselves, and those count that are found on a
// line of their own.
func TestRulesFindSecretsInEverySurrounding(t *testing.T) {
	r, samples := rand.New(rand.NewPCG(1, 2)), 0
	for _, rule := range rules().Rules {
		if rule.Regex == "" || rule.Path != "" || rule.ID == "private-key" { // which blocks.go finds
			continue
		}
		parsed, err := syntax.Parse(strings.Replace(rule.Regex, end, "", 1), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			text := strings.Trim(sample(r, parsed.Simplify()), "\n\r")
			found := rule.findMatches(text, 0)
			if len(found) == 0 {
				continue
			}
			secret := text[found[0].start:found[0].end]
			if got, _ := Text(t.Context(), text); strings.Contains(got, secret) { // no keyword
				continue
			}
			samples++
			for _, around := range surroundings {
				if strings.Contains(around, secret) || strings.Contains(text, ":\n") && around == "%: ours" { // the next name of a list
					continue
				}
				if got, _ := Text(t.Context(), strings.Replace(around, "%", text, 1)); strings.Contains(got, secret) {
					t.Errorf("%s: %q in %q became %q", rule.ID, secret, around, got)
				}
			}
			break
		}
	}
	t.Logf("%d samples", samples)
	if samples < 200 {
		t.Errorf("%d rules have a sample", samples)
	}
}
