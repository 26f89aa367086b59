package language

import "testing"

func TestDeniesKnowingTellsIgnoranceFromStatements(t *testing.T) {
	for sentence, want := range map[string]bool{
		"I do not know the address of the staging machine.": true,
		"Sorry, I don't have any notes on that.":            true,
		"Das weiß ich nicht.":                               true,
		"No sé dónde está.":                                 true,
		"Я не знаю.":                                        true,
		"The staging machine has the address 10.0.4.17.":    false,
		"I know the address.":                               false,
		"We do not know each other's passwords on purpose.": false,
		"Nobody had an idea, so we took the blue one.":      false,
	} {
		if got := DeniesKnowing(sentence); got != want {
			t.Errorf("%q: %v, want %v", sentence, got, want)
		}
	}
}
