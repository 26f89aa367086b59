package sentence

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"toolkit/internal/language"
)

func cut(text string, spans []language.Span) (parts []string) {
	for _, s := range spans {
		parts = append(parts, text[s.Start:s.End])
	}
	return parts
}

func TestWindowsHoldWholeSentencesOfAbout64Pieces(t *testing.T) {
	model := openModel(t)
	sentence := "The committee meets every other Thursday in the small hall. "
	text := strings.Repeat(sentence, 40)
	windows, err := model.SplitIntoFirstWindows(t.Context(), text, len(text))
	if err != nil || len(windows) < 8 {
		t.Fatalf("%d windows, %v", len(windows), err)
	}
	for _, w := range cut(text, windows) {
		if count := len(model.tokenizeWithEnds(w)); count > maxWindowPieces+2 {
			t.Errorf("a window has %d pieces", count)
		}
		if !strings.HasPrefix(w, "The committee") || !strings.HasSuffix(w, "hall.") {
			t.Errorf("a window is %q", w)
		}
	}
	if got := strings.Join(cut(text, windows), " ") + " "; got != text {
		t.Error("windows do not hold the whole text")
	}
}

func TestWindowsCutTextsWithoutSentences(t *testing.T) {
	model := openModel(t)
	for name, text := range map[string]string{
		"words":      strings.Repeat("word ", 2000),
		"no space":   strings.Repeat("a", 1<<16),
		"characters": strings.Repeat("漢字", 4000),
		"bytes":      strings.Repeat("\x80", 4000),
		"emoji":      strings.Repeat("🙂", 4000),
	} {
		windows, err := model.SplitIntoFirstWindows(t.Context(), text, len(text))
		if err != nil || len(windows) == 0 {
			t.Fatalf("%s: %d windows, %v", name, len(windows), err)
		}
		end := 0
		for _, w := range windows {
			if strings.TrimSpace(text[end:w.Start]) != "" {
				t.Fatalf("%s: %q is left out", name, text[end:w.Start])
			}
			if part := text[w.Start:w.End]; utf8.ValidString(text) && !utf8.ValidString(part) {
				t.Errorf("%s: a character is cut in %q", name, part)
			}
			end = w.End
		}
		if strings.TrimSpace(text[end:]) != "" {
			t.Errorf("%s: %d bytes at the end are left out", name, len(text)-end)
		}
	}
}

func TestWindowsAreTheFirstOfALongerText(t *testing.T) {
	model := openModel(t)
	text := strings.Repeat("The committee meets every other Thursday in the small hall. ", 40)
	whole, err := model.SplitIntoFirstWindows(t.Context(), text, len(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{1, 2, len(whole) - 1, len(whole), len(whole) + 1} {
		windows, err := model.SplitIntoFirstWindows(t.Context(), text, limit)
		if want := whole[:min(limit, len(whole))]; err != nil || !slices.Equal(windows, want) {
			t.Errorf("the first %d windows are %v, %v; want %v", limit, windows, err, want)
		}
	}
}

func TestWindowsReadNoMoreThanMaxTextLength(t *testing.T) {
	text := strings.Repeat("é", MaxTextLength) // twice as long
	windows, err := openModel(t).SplitIntoFirstWindows(t.Context(), text, len(text))
	if err != nil {
		t.Fatal(err)
	}
	if end := windows[len(windows)-1].End; end > MaxTextLength || end < MaxTextLength-4 {
		t.Errorf("the last window ends at %d", end)
	}
}

func TestWindowsReturnNothingForSpaces(t *testing.T) {
	if windows, err := openModel(t).SplitIntoFirstWindows(t.Context(), " \n\t\u3000 ", 1); err != nil || len(windows) != 0 {
		t.Errorf("%v, %v", windows, err)
	}
}
