package cli

import (
	"io"
	"strings"
	"testing"

	"toolkit/fixtures"
)

// find_tools names commands for what no tool does.
func TestCommandsThatFindToolsNamesExist(t *testing.T) {
	root := newRoot(Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: nothingSet})
	for _, line := range fixtures.WordLists("tools")["commands"] {
		name, _, _ := strings.Cut(line, ": ")
		found, rest, err := root.Find(strings.Fields(name)[1:])
		if err != nil || len(rest) > 0 || found == root {
			t.Errorf("there is no command %q: %v", name, err)
		}
	}
}
