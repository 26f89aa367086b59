package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"toolkit/tools/memory/project"
	"toolkit/tools/memory/transcripts"
)

// Switches say what is not captured, and whether hooks do anything.
type Switches struct {
	CaptureOff, HooksOff bool
	Clients              []string // that are not captured
	Projects             []string // likewise: keys, names, folders with all below them, or remotes
}

// ReadSwitches reads the switches from the environment with the file behind it.
// What can be read as neither yes nor no is an error, so that nothing is captured by
// mistake.
func ReadSwitches(getenv func(string) string) (s Switches, err error) {
	s.Clients, s.Projects = parts(getenv("TOOLKIT_CAPTURE_OFF_CLIENTS")), parts(getenv("TOOLKIT_CAPTURE_OFF_PROJECTS"))
	for _, client := range s.Clients {
		if !slices.Contains(transcripts.Clients, transcripts.Client(client)) {
			return s, fmt.Errorf("%q of capture.off_clients ($TOOLKIT_CAPTURE_OFF_CLIENTS) is none of %v", client, transcripts.Clients)
		}
	}
	for _, one := range []struct {
		variable, key string
		off           *bool
	}{{"TOOLKIT_CAPTURE", "capture.enabled", &s.CaptureOff}, {"TOOLKIT_HOOKS", "hooks.enabled", &s.HooksOff}} {
		switch strings.ToLower(strings.TrimSpace(getenv(one.variable))) {
		case "", "1", "true", "yes", "on":
		case "0", "false", "no", "off":
			*one.off = true
		default:
			return s, fmt.Errorf("%s ($%s) is neither yes nor no; use 1 or 0", one.key, one.variable)
		}
	}
	return s, nil
}

func parts(text string) []string {
	list := strings.Split(text, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return slices.DeleteFunc(list, func(part string) bool { return part == "" })
}

// Off reports whether what a client says in a project is not captured; it fits
// capture.Capture. A nil project is none.
func (s Switches) Off(client transcripts.Client, p *project.Project) bool {
	return s.CaptureOff || slices.Contains(s.Clients, string(client)) || p != nil && s.OffFor(p.Key, p.Name, p.Root, p.Remote)
}

// OffFor reports whether a project is not captured.
func (s Switches) OffFor(key, name, root, remote string) bool {
	return s.CaptureOff || slices.ContainsFunc(s.Projects, func(off string) bool {
		return off == key || strings.EqualFold(off, name) || off == remote || root == off || strings.HasPrefix(root, filepath.Clean(off)+string(filepath.Separator))
	})
}

// Says tells what is off, in the order in which it matters.
func (s Switches) Says() (list []string) {
	if s.CaptureOff {
		list = append(list, "capture")
	}
	if s.HooksOff {
		list = append(list, "hooks")
	}
	for _, client := range s.Clients {
		list = append(list, "client "+client)
	}
	for _, p := range s.Projects {
		list = append(list, "project "+p)
	}
	return list
}
