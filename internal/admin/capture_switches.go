package admin

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"toolkit/internal/capture/transcripts"
	"toolkit/store/localfile"
	"toolkit/tools"
)

// CaptureSwitches say what is not captured, and whether hooks do anything.
type CaptureSwitches struct {
	CaptureOff, HooksOff bool
	Clients              []string // that are not captured
	Projects             []string // likewise: keys, names, folders with all below them, or remotes

	places []string // the folders among them, also with their links resolved
}

// ReadCaptureSwitches reads the switches from the environment with the file behind it.
// What can be read as neither yes nor no is an error, so that nothing is captured by
// mistake.
func ReadCaptureSwitches(getenv func(string) string) (s CaptureSwitches, err error) {
	s.Clients, s.Projects = tools.SplitList(getenv("TOOLKIT_CAPTURE_OFF_CLIENTS")), tools.SplitList(getenv("TOOLKIT_CAPTURE_OFF_PROJECTS"))
	for _, off := range s.Projects {
		if place := folderOfProjectKey(off); filepath.IsAbs(place) {
			s.places = append(s.places, place, localfile.ResolveLinks(place))
		}
	}
	for _, client := range s.Clients {
		if !slices.Contains(transcripts.Clients, transcripts.Client(client)) {
			return s, fmt.Errorf("%q of capture.off_clients ($TOOLKIT_CAPTURE_OFF_CLIENTS) is none of %v", client, transcripts.Clients)
		}
	}
	for _, one := range []struct {
		variable, key string
		off           *bool
	}{{"TOOLKIT_CAPTURE", "capture.enabled", &s.CaptureOff}, {"TOOLKIT_HOOKS", "hooks.enabled", &s.HooksOff}} {
		text := strings.TrimSpace(getenv(one.variable))
		on, known := tools.ParseSwitch(text)
		if text != "" && !known {
			return s, fmt.Errorf("%s ($%s) is neither yes nor no; use 1 or 0", one.key, one.variable)
		}
		*one.off = known && !on
	}
	return s, nil
}

// IsOff reports whether what a client says in a project is not captured; it fits
// capture.Capture. A nil project is none.
func (s CaptureSwitches) IsOff(client transcripts.Client, p *transcripts.Project) bool {
	return s.CaptureOff || slices.Contains(s.Clients, string(client)) || p != nil && s.IsProjectOff(p)
}

// IsProjectOff reports whether a project is not captured: it is named, or it was worked
// on below a folder that is.
func (s CaptureSwitches) IsProjectOff(p *transcripts.Project) bool {
	keys := p.Keys()
	return s.CaptureOff || slices.ContainsFunc(s.Projects, func(off string) bool {
		return strings.EqualFold(off, p.Name) || off == p.Remote || slices.Contains(keys, off) || slices.Contains(keys, transcripts.InFolder+filepath.Clean(off))
	}) || slices.ContainsFunc(s.places, func(place string) bool { return isWithin(place, p.Folder) || isWithin(place, p.Root) })
}

func isWithin(place, folder string) bool {
	below, err := filepath.Rel(place, folder)
	return err == nil && filepath.IsLocal(below)
}

// FoldersOfProjectKeys returns what to switch off for the keys of a project: its remote, and its
// folders with all below them, so that it stays off when it moves or goes.
func FoldersOfProjectKeys(keys []string) (list []string) {
	for _, key := range keys {
		if p := folderOfProjectKey(key); !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// folderOfProjectKey returns the folder that a key or a path names: that of the repository where
// git's own is named.
func folderOfProjectKey(key string) string {
	path, _ := strings.CutPrefix(key, transcripts.InFolder)
	if filepath.Base(path) == ".git" {
		path = filepath.Dir(path)
	}
	return path
}

// ListSwitchedOff names what is off, in the order in which it matters, and the commands that
// switch it on again.
func (s CaptureSwitches) ListSwitchedOff() (names, commands []string) {
	add := func(name, command string) {
		names, commands = append(names, name), append(commands, command)
	}
	const capture = "toolkit config capture on"
	if s.CaptureOff {
		add("capture", capture)
	}
	if s.HooksOff {
		add("hooks", "toolkit config hooks on")
	}
	for _, client := range s.Clients {
		add("client "+client, capture+" --client "+client)
	}
	for _, p := range s.Projects {
		if strings.HasPrefix(p, transcripts.ByHistory) { // what the same repository is known by when its folder moves
			if !slices.ContainsFunc(s.Projects, func(other string) bool { return !strings.HasPrefix(other, transcripts.ByHistory) }) {
				add("a project by its history", capture+" --project '"+p+"'")
			} else {
				commands = append(commands, capture+" --project '"+p+"'")
			}
			continue
		}
		add("project "+p, capture+" --project '"+p+"'")
	}
	return names, commands
}
