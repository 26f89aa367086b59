package cli

import (
	"fmt"
	"slices"
	"strings"

	"toolkit/internal/admin"
)

// warnInstall says what the person may not mean: flags of the entry that go, and a memory server
// whose tools have the same names.
func (o *settings) warnInstall(plan installation) error {
	if dropped := findDroppedFlags(plan.entry.Args, plan.args); len(dropped) > 0 {
		fmt.Fprintf(o.streams.Err, "warning: the entry loses %s; to keep it, add it behind --\n", strings.Join(dropped, " "))
	}
	servers, err := plan.entry.FindMemoryServers()
	for _, s := range servers {
		fmt.Fprintln(o.streams.Err, formatMemoryServerWarning(s))
	}
	return err
}

func formatMemoryServerWarning(s admin.MemoryServer) string {
	file, where := s.File, ""
	if file == "" {
		file, where = "memory.jsonl", " (it lies beside that server's dist/index.js)"
	}
	return fmt.Sprintf("warning: the entry %q starts the official memory server, whose tools have the same names; bring its memory in with 'toolkit import %s'%s, then take that entry out", s.Name, file, where)
}

// findDroppedFlags returns the flags of an entry, with their values, that its next form does not have.
// One that chooses tools otherwise replaces the toolset.
func findDroppedFlags(before, after []string) (dropped []string) {
	names := map[string]bool{}
	for _, arg := range after {
		names[flagName(arg)] = true
	}
	names["--stdio"], names["--toolset"] = true, names["--toolset"] || slices.ContainsFunc(after, isToolSelectionFlag)
	for i, arg := range before {
		if !strings.HasPrefix(arg, "--") || names[flagName(arg)] {
			continue
		}
		dropped = append(dropped, arg)
		if next := i + 1; !strings.Contains(arg, "=") && next < len(before) && !strings.HasPrefix(before[next], "--") {
			dropped = append(dropped, before[next])
		}
	}
	return dropped
}

// flagName is an argument without the value that is joined to it.
func flagName(arg string) string {
	name, _, _ := strings.Cut(arg, "=")
	return name
}
