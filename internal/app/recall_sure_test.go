package app

import (
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/search"
)

// How sure a hit looks is what it says itself of what is asked.
func TestRecallIsNotSureOfWhatSaysLittleOfTheQuestion(t *testing.T) {
	a := vectorsOn(t, filepath.Join(t.TempDir(), "t.db"))
	for _, text := range []string{"Lena is allergic to hazelnuts.", "Lena moved to Trondheim in May.", "Tomasz works as a welder in Gdansk."} {
		callTool(t, a, "remember", map[string]any{"text": text})
	}
	for i, turn := range []string{
		"user: Eject the disk, please.", "assistant: Ejecting.", "user: The soil sensor sits in the greenhouse.", "assistant: Noted.",
		"user: production runs 15.4 since the upgrade", "user: The product owner is Maria.", "assistant: I'll remind you.", "user: Our accountant sends the payslips on the 25th.",
	} {
		speaker, text, _ := strings.Cut(turn, ": ")
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "s", "speaker": speaker, "content": text, "metadata": map[string]any{"n": i}})
	}
	for question, c := range map[string]struct {
		first string // of what fits; empty: nothing does
		poor  []string
	}{
		"what is Lena allergic to?":      {"Lena is allergic to hazelnuts.", []string{"Lena moved to Trondheim in May.", "user: Our accountant sends the payslips on the 25th."}},
		"how much does Tomasz earn?":     {"", []string{"Tomasz works as a welder in Gdansk."}},
		"MAC address of the soil sensor": {"user: The soil sensor sits in the greenhouse.", []string{"assistant: Ejecting.", "assistant: Noted.", "assistant: I'll remind you."}},
		"product owner":                  {"user: The product owner is Maria.", []string{"assistant: I'll remind you.", "user: production runs 15.4 since the upgrade"}},
	} {
		out, text := recallOf(t, a, map[string]any{"query": question})
		if out.NothingFits != (c.first == "") || c.first != "" && out.Found[0].Text != c.first {
			t.Errorf("%q is answered with %s", question, text)
		}
		for _, h := range out.Found {
			for _, poor := range c.poor {
				if h.Text == poor && h.Relevance >= search.PoorMatch {
					t.Errorf("%q: %q looks sure, %.2f", question, h.Text, h.Relevance)
				}
			}
		}
	}
}

func TestRecallIsNotSureOfWhatLacksTheNameThatIsAskedFor(t *testing.T) {
	a := vectorsOn(t, filepath.Join(t.TempDir(), "t.db"))
	for _, text := range []string{"The cat is allergic to chicken.", "Die Katze ist gegen Huhn allergisch.", "Le chat est allergique au poulet.", "Jonas moved to Bremen in May.", "Kafka moved to port 9092."} {
		callTool(t, a, "remember", map[string]any{"text": text})
	}
	for question, sure := range map[string]string{ // empty: nothing may look sure
		"what is Lena allergic to?":        "",
		"what is lena allergic to":         "",
		"Lena allergic":                    "",
		"Wogegen ist Lena allergisch?":     "",
		"À quoi Lena est-elle allergique?": "",
		"where did Lena move to?":          "",
		"to which port did Zorvex move?":   "",
		"what is the cat allergic to?":     "The cat is allergic to chicken.",
		"Wogegen ist die Katze allergisch": "Die Katze ist gegen Huhn allergisch.",
		"where did Jonas move to?":         "Jonas moved to Bremen in May.",
		"to which port did Kafka move?":    "Kafka moved to port 9092.",
	} {
		out, text := recallOf(t, a, map[string]any{"query": question})
		if out.NothingFits != (sure == "") || sure != "" && out.Found[0].Text != sure {
			t.Errorf("%q is answered with %s", question, text)
		}
		for _, h := range out.Found {
			if sure == "" && h.Relevance >= search.PoorMatch {
				t.Errorf("%q: %q looks sure, %.2f", question, h.Text, h.Relevance)
			}
		}
	}
}
