package memory

import (
	"testing"

	"toolkit/internal/capture/notice"
	"toolkit/store/memory"
)

func TestWhatIsSaidOfOthersBelongsToItsProject(t *testing.T) {
	for text, tc := range map[string]struct {
		kind string
		want bool
	}{
		"my sister Anna lives in Bern":           {notice.Person, true},
		"ich bin Vegetarier":                     {notice.Person, true},
		"answer me in short sentences":           {notice.Style, true},
		"Priya owns the payments module":         {notice.Person, false},
		"Ansprechpartner ist Herr Lindqvist":     {notice.Person, false},
		"we decided to use SQLite for the books": {notice.Decision, false},
	} {
		if got := isInAllProjects(memory.Row{Content: text, Extracted: tc.kind}); got != tc.want {
			t.Errorf("%s %q holds everywhere: %v", tc.kind, text, got)
		}
	}
}
