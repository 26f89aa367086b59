package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"toolkit/internal/capture/transcripts"
	"toolkit/store"
	"toolkit/store/sessions"
)

const (
	// maxProjectsCompared is among how many projects one is sought whose folder is gone.
	maxProjectsCompared = 200
	// maxHintedSessions is in how many sessions of a folder it is told that it may have been
	// moved: after that it is one of its own.
	maxHintedSessions = 3
)

// FindMovedProject returns the project whose folder is gone and may be the one of p, which
// was moved or renamed since: a folder without a repository has nothing else by which it is
// known again. The zero Project: there is none, or several are as likely.
func FindMovedProject(tx *store.Tx, p *transcripts.Project) (sessions.Project, error) {
	rows := sessions.In(tx)
	if p == nil || p.Key != transcripts.InFolder+p.Root {
		return sessions.Project{}, nil
	}
	known, err := rows.ProjectByKey(p.Keys()...)
	if err != nil {
		return sessions.Project{}, err
	}
	if known.ID != 0 {
		own, err := rows.ListSessions(known.ID, maxHintedSessions+1)
		if err != nil || len(own) > maxHintedSessions {
			return sessions.Project{}, err
		}
	}
	all, err := rows.ListProjects(maxProjectsCompared)
	if err != nil {
		return sessions.Project{}, err
	}
	var sameName, renamed []sessions.Project
	for _, other := range all {
		if other.ID == known.ID || other.Key != transcripts.InFolder+other.Root || !isFolderGone(other.Root) {
			continue
		}
		switch {
		case strings.EqualFold(filepath.Base(other.Root), filepath.Base(p.Root)):
			sameName = append(sameName, other)
		case filepath.Dir(other.Root) == filepath.Dir(p.Root):
			last, err := rows.ListSessions(other.ID, 1)
			if err != nil {
				return sessions.Project{}, err
			}
			if len(last) > 0 && hasEntryOlderThan(p.Root, last[0].Ended) {
				renamed = append(renamed, other)
			}
		}
	}
	for _, found := range [][]sessions.Project{sameName, renamed} {
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return sessions.Project{}, nil
}

func isFolderGone(folder string) bool {
	_, err := os.Lstat(folder)
	return errors.Is(err, fs.ErrNotExist)
}

// hasEntryOlderThan reports whether something in a folder is older than a time: a folder that was
// made since holds nothing of before.
func hasEntryOlderThan(folder string, limit time.Time) bool {
	list, _ := os.ReadDir(folder) // without one nothing is known of it
	for _, entry := range list {
		if info, err := entry.Info(); err == nil && info.ModTime().Before(limit) {
			return true
		}
	}
	return false
}

// MovedFolderHint says that what is known of a project may belong to the folder at hand, and
// the command that brings it there.
func MovedFolderHint(moved sessions.Project) (hint, command string) {
	return fmt.Sprintf("The folder %s is not there any more; what was said in it is known as project:%d.", moved.Root, moved.ID),
		fmt.Sprintf("toolkit projects join project:%d .", moved.ID)
}
