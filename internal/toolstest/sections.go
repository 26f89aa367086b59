package toolstest

import (
	"os"
	"strings"
	"testing"
)

// ReadSections reads a list of lines under names of sections, such as prompts to be
// asked. Empty lines and comments are left out.
func ReadSections(t *testing.T, path string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lists, name := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "["):
			name, _, _ = strings.Cut(line[1:], "]")
		case line != "" && line[0] != '#':
			lists[name] = append(lists[name], line)
		}
	}
	return lists
}
