package capture

import (
	"path/filepath"
	"slices"
	"strings"

	"toolkit/internal/capture/transcripts"
)

// removeFactsOfOffProjects takes out of what was done before a turn what was done in a project that
// the user turned capture off for, though the session is of another.
func (r *run) removeFactsOfOffProjects(t *transcripts.Turn) {
	if r.Off == nil {
		return
	}
	t.Files = slices.DeleteFunc(t.Files, func(file string) bool { return r.isCaptureOff(t, file) })
	t.Commands = slices.DeleteFunc(t.Commands, func(command string) bool {
		words := strings.FieldsFunc(command, func(c rune) bool { return strings.ContainsRune(" \t;&|<>()=\"'`", c) })
		for i, word := range words {
			if (strings.ContainsAny(word, `/\~`) || i > 0 && words[i-1] == "cd") && r.isCaptureOff(t, word) {
				return true
			}
		}
		return false
	})
}

// isCaptureOff reports whether a path that a turn names lies in such a project.
func (r *run) isCaptureOff(t *transcripts.Turn, path string) bool {
	if rest, ok := strings.CutPrefix(path, "~"); ok {
		path = filepath.Join(r.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.Folder, path)
	}
	p := r.findProjectOfFolder(path)
	return p != nil && r.Off(t.Client, p)
}
