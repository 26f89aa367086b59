package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"toolkit/internal/admin"
)

// listClients shows where the toolkit is installed.
func (o *settings) listClients(f installFlags) error {
	s, err := o.clientEnvironment()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(o.streams.Out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "CLIENT\tSTATE\tCONFIGURATION")
	var unreadable []string
	for _, c := range admin.Clients() {
		file, err := c.ConfigFile(s, f.project)
		if err != nil {
			continue // the client knows no configuration of a project
		}
		state, err := describeInstallation(c, file, f.name)
		if state == installed && c.HasHooks() && !f.project {
			state += map[bool]string{true: ", with hooks", false: ", without hooks"}[c.HasHooksInstalled(s, file, f.name)]
		}
		if err != nil {
			unreadable = append(unreadable, fmt.Sprintf("%s is unreadable: %s", c.Name, errorAsLine(err)))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.Name, state, file)
		places, _ := c.FindEntries(s, f.name) // an unreadable file of the list is told of below
		for _, p := range places {
			if p.File != file || p.Scope == "local" {
				fmt.Fprintf(w, "%s\tinstalled (%s)\t%s\n", c.Name, formatScope(p), p.File)
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, why := range unreadable {
		if _, err := fmt.Fprintln(o.streams.Out, why); err != nil {
			return err
		}
	}
	return nil
}

const installed = "installed"

// describeInstallation describes a client's configuration; the error is why it cannot be
// read.
func describeInstallation(c admin.Client, file, name string) (string, error) {
	edit, err := admin.PlanRemoval(c, file, name)
	switch {
	case err != nil:
		return "unreadable", err
	case edit.Found:
		return installed, nil
	case edit.Exists:
		return "not installed", nil
	default:
		return "no configuration yet", nil
	}
}

// errorAsLine is an error as a line of a list.
func errorAsLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
