package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"toolkit/internal/capture/transcripts"
	"toolkit/store"
	"toolkit/store/sessions"
)

// CodeAmbiguous says that several things have the name that was given.
const CodeAmbiguous = "AMBIGUOUS"

// FindProject returns the project that a name, id, key, folder or remote means: the one
// at the top of those it was joined to. The zero Project: none is meant. Names are
// not unique, and none is chosen by chance: field is the argument that is to blame.
func FindProject(tx *store.Tx, field, text string) (sessions.Project, error) {
	text = NormalizeProjectText(text)
	list, err := sessions.In(tx).FindProjects(text)
	if err != nil {
		return sessions.Project{}, err
	}
	for i, p := range list {
		if list[i], err = sessions.In(tx).TopProject(p.ID); err != nil {
			return sessions.Project{}, err
		}
	}
	return selectAtMostOneProject(list, field, text)
}

// FindJoinedProject returns FindProject among the projects that were joined to another.
func FindJoinedProject(tx *store.Tx, field, text string) (sessions.Project, error) {
	text = NormalizeProjectText(text)
	list, err := sessions.In(tx).FindProjects(text)
	if err != nil {
		return sessions.Project{}, err
	}
	return selectAtMostOneProject(slices.DeleteFunc(list, func(p sessions.Project) bool { return p.Joined == 0 }), field, text)
}

// FindProjectOfFolder returns the project that a folder is in; not ok where it is in none.
func FindProjectOfFolder(folder string) (at transcripts.Project, ok bool) {
	home, _ := os.UserHomeDir() // without one no folder is left out
	return transcripts.FindProject(folder, home)
}

// EnsureProject returns the stored project of a folder, which is added where none is stored.
func EnsureProject(tx *store.Tx, at transcripts.Project) (sessions.Project, error) {
	id, err := sessions.In(tx).EnsureProject(sessions.Project{Key: at.Key, Name: at.Name, Root: at.Root, Remote: at.Remote}, at.Others...)
	if err != nil {
		return sessions.Project{}, err
	}
	return sessions.In(tx).ProjectByID(id)
}

// NormalizeProjectText returns a name or folder of a project as it is stored: without blanks around it,
// its accents composed, a folder in its shortest form.
func NormalizeProjectText(text string) string {
	text = strings.TrimSpace(norm.NFC.String(text))
	if filepath.IsAbs(text) {
		return filepath.Clean(text)
	}
	return text
}

// selectAtMostOneProject is the only project of a list.
func selectAtMostOneProject(list []sessions.Project, field, text string) (sessions.Project, error) {
	slices.SortStableFunc(list, func(a, b sessions.Project) int { return int(a.ID - b.ID) })
	list = slices.CompactFunc(list, func(a, b sessions.Project) bool { return a.ID == b.ID })
	switch len(list) {
	case 0:
		return sessions.Project{}, nil
	case 1:
		return list[0], nil
	}
	known := make([]string, len(list))
	for i, p := range list {
		known[i] = fmt.Sprintf("project:%d (%s)", p.ID, p.Key)
	}
	return sessions.Project{}, Refused(CodeAmbiguous, field, "one project", "%d projects are called %q: %s; nothing was changed, name one by its id, such as project:%d, its key or its folder", len(list), text, strings.Join(known, ", "), list[0].ID)
}
