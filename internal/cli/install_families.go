package cli

import (
	"fmt"
	"slices"
	"strings"

	"toolkit/internal/admin"
	"toolkit/internal/app"
	"toolkit/internal/language"
	"toolkit/tools"
)

// chooseToolFlags returns the flags of serve that say which tools the client gets, and tells the
// person. The caller's flags decide; without them a client that sends every definition
// with every request gets the small toolset.
func (o *settings) chooseToolFlags(c admin.Client, pass []string, f installFlags) ([]string, error) {
	var flags []string
	if len(f.families) > 0 && !slices.Contains(f.families, "all") {
		flags = []string{"--families", strings.Join(f.families, ",")}
	}
	if f.toolset != "" {
		return append(flags, "--toolset", f.toolset), nil
	}
	if len(f.families) > 0 || slices.ContainsFunc(pass, isToolSelectionFlag) {
		return flags, nil
	}
	listed, all, err := countTools()
	switch {
	case err != nil:
		return nil, err
	case c.SendsAll:
		return []string{"--toolset", string(tools.CoreTools)}, o.printf("%s sends every tool's definition with every request, so it gets the toolset core: %s, and through find_tools and call_tool all %d. --toolset all lists all.\n", c.Title, language.FormatCount(listed, "tool", "tools"), all)
	}
	return nil, o.printf("%s looks tools up when it needs them, so it gets all %d. --toolset core lists %d.\n", c.Title, all, listed)
}

// toolsOfferedBy says which tools a server of these arguments has.
func (o *settings) toolsOfferedBy(args []string) (func(tool string) bool, error) {
	s, _, err := o.parseServerFlags(slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "serve" }))
	if err != nil {
		return nil, err
	}
	registry, err := app.BuildRegistry()
	return func(tool string) bool {
		d := registry.Get(tool)
		return d == nil || s.access.IsCallable(d)
	}, err
}

// isToolSelectionFlag reports whether a flag of serve chooses tools.
func isToolSelectionFlag(flag string) bool {
	name, _, _ := strings.Cut(flag, "=")
	return name == "--families" || name == "--tools" || name == "--toolset"
}

// countTools returns how many tools the small toolset lists, and how many there are to be
// reached.
func countTools() (core, all int, err error) {
	registry, err := app.BuildRegistry()
	if err != nil {
		return 0, 0, err
	}
	for _, d := range registry.All() {
		if d.Core || d.Door {
			core++
		}
		if !d.Door {
			all++
		}
	}
	return core, all, nil
}

// printOtherInstallations says where else the client finds the toolkit: of two entries
// of one name it uses only the nearer, and one that stays is easily forgotten.
func (o *settings) printOtherInstallations(c admin.Client, file string, f installFlags) error {
	s, err := o.clientEnvironment()
	if err != nil {
		return err
	}
	places, err := c.FindEntries(s, f.name)
	for _, p := range places {
		if p.File == file && p.Scope != "local" {
			continue
		}
		text := "%s has %q in its scope %s too, in %s; the nearest of them counts: local, then project, then user.\n"
		if f.uninstall {
			text = "%s still has %q in its scope %s, in %s.\n"
		}
		if err := o.printf(text, c.Title, f.name, formatScope(p), p.File); err != nil {
			return err
		}
	}
	if err != nil {
		_, err = fmt.Fprintf(o.streams.Out, "Another configuration of %s cannot be read: %s\n", c.Title, errorAsLine(err))
	}
	return err
}

// formatScope returns a place's scope, with the folder of a local one.
func formatScope(p admin.ClientPlace) string {
	if p.For != "" {
		return p.Scope + " for " + p.For
	}
	return p.Scope
}
