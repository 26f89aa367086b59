package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toolkit/internal/admin"
	"toolkit/internal/app"
	"toolkit/internal/capture/transcripts"
	"toolkit/store"
	"toolkit/store/sessions"
	"toolkit/tools"
)

// readCaptureSwitches say what is not captured.
func (o *settings) readCaptureSwitches() (admin.CaptureSwitches, error) {
	s, err := admin.ReadCaptureSwitches(o.streams.Getenv)
	if err != nil {
		err = &usageError{err}
	}
	return s, err
}

func newConfigCapture(o *settings) *cobra.Command {
	var clients, projects []string
	cmd := newCommand("config capture", requireAtMostOneOf("on", "off"), func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return o.printCaptureSwitches(false)
		}
		return o.switchCapture(cmd.Context(), args[0] == "on", clients, projects)
	})
	cmd.Flags().StringSliceVar(&clients, "client", nil, "only this client, such as codex; repeatable")
	cmd.Flags().StringSliceVar(&projects, "project", nil, "only this project: its name, or a folder such as .; repeatable")
	return cmd
}

func newConfigHooks(o *settings) *cobra.Command {
	return newCommand("config hooks", requireAtMostOneOf("on", "off"), func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			if err := o.writeSetting("hooks.enabled", args[0] == "on"); err != nil {
				return err
			}
		}
		return o.printCaptureSwitches(false)
	})
}

func requireAtMostOneOf(words ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 || len(args) == 1 && !slices.Contains(words, args[0]) {
			return usagef("%s takes %s, or nothing to see how it is", cmd.Name(), strings.Join(words, " or "))
		}
		return nil
	}
}

// printCaptureSwitches tells what is off and, after something was switched on, how each is
// switched on: the folder at hand may not be the one that is off.
func (o *settings) printCaptureSwitches(withCommands bool) error {
	s, err := o.readCaptureSwitches()
	if err != nil {
		return err
	}
	off, commands := s.ListSwitchedOff()
	text := "Nothing is switched off.\n"
	if len(off) > 0 {
		text = "Switched off: " + strings.Join(off, ", ") + ".\n"
	}
	if withCommands {
		for _, command := range commands {
			text += "  to switch it on: " + command + "\n"
		}
	}
	return o.printf("%s", text)
}

// switchCapture switches capture on or off: for some clients and projects, or, when
// none is named, for good.
func (o *settings) switchCapture(ctx context.Context, on bool, clients, projects []string) error {
	s, err := o.readCaptureSwitches()
	if err != nil {
		return err
	}
	for _, client := range clients {
		if !slices.Contains(transcripts.Clients, transcripts.Client(client)) {
			return usagef("--client: %q is none of %s", client, strings.Join(clientNames(), ", "))
		}
	}
	if len(clients)+len(projects) == 0 {
		err = o.writeSetting("capture.enabled", on)
	}
	if len(clients) > 0 {
		err = o.writeSetting("capture.off_clients", updateSwitchList(s.Clients, clients, on))
	}
	if len(projects) > 0 && err == nil {
		var keys, known []string
		if on { // an entry is switched on by itself, whatever it names
			known = s.Projects
		}
		if keys, err = o.findProjectKeys(ctx, updateSwitchList(projects, known, true), on); err == nil {
			off := s.Projects
			if on { // also entries that somebody wrote by hand, and such of old
				off = slices.DeleteFunc(off, func(one string) bool {
					return slices.Contains(projects, one) || slices.Contains(keys, admin.FoldersOfProjectKeys([]string{one})[0])
				})
			}
			err = o.writeSetting("capture.off_projects", updateSwitchList(off, keys, on))
		}
	}
	if err != nil {
		return err
	}
	return o.printCaptureSwitches(on)
}

func clientNames() (names []string) {
	for _, client := range transcripts.Clients {
		names = append(names, string(client))
	}
	return names
}

// updateSwitchList is a list of what is off, with some more, or without them.
func updateSwitchList(off, changed []string, on bool) []string {
	off = slices.DeleteFunc(slices.Clone(off), func(one string) bool { return slices.Contains(changed, one) })
	if on {
		return off
	}
	return append(off, changed...)
}

// writeSetting writes a setting into the file, for this command to see as well.
func (o *settings) writeSetting(key string, value any) error {
	if o.config == nil {
		return o.configError
	}
	text := "false"
	switch v := value.(type) {
	case []string:
		quoted := make([]string, len(v))
		for i, one := range v {
			if strings.Contains(one, "'") {
				return usagef("%s cannot be written into a list; give it another name with 'toolkit projects rename'", one)
			}
			quoted[i] = "'" + one + "'"
		}
		text = "[" + strings.Join(quoted, ", ") + "]"
	case bool:
		if v {
			text = "true"
		}
	}
	if err := o.config.WriteSetting(key, text); err != nil {
		return err
	}
	return o.warnOfOverridingVariable(key)
}

// warnOfOverridingVariable says when a variable of the environment keeps a setting of the file from
// counting.
func (o *settings) warnOfOverridingVariable(key string) error {
	for _, s := range admin.Settings() {
		if _, origin := o.config.Value(s); s.Key == key && origin == admin.SettingFromEnvironment {
			_, err := fmt.Fprintf(o.streams.Err, "toolkit: %s is written, but the variable %s of this environment counts more; unset it\n", key, s.Env)
			return err
		}
	}
	return nil
}

// isSubfolder reports whether a folder was named that lies inside a repository. It alone is
// meant then, and not all of the repository.
func isSubfolder(p transcripts.Project) bool {
	return p.Folder != p.Root && !slices.Contains(p.Keys(), transcripts.InFolder+p.Folder)
}

// findProjectKeys returns the remotes' keys and the folders of the projects that a person
// names, with those that were joined to them, so that they stay switched off when
// they move or go. A folder need not be that of a known one.
func (o *settings) findProjectKeys(ctx context.Context, names []string, on bool) (keys []string, err error) {
	discard, err := o.useTemporaryDatabaseIfNone()
	if err != nil {
		return nil, err
	}
	defer discard()
	err = o.withDatabase(ctx, func(a *app.App) error {
		return a.Store.Read(ctx, func(tx *store.Tx) error {
			for _, name := range names {
				folder, isFolder := findProjectOfFolder(name)
				if isFolder && name != "." && isSubfolder(folder) {
					if !on && !pathExists(name) {
						return newUnknownProjectError(name)
					}
					keys = append(keys, folder.Folder)
					continue
				}
				p, err := findProject(tx, tools.FindProject, name)
				if err != nil {
					return err
				}
				if p.ID == 0 && (!isFolder || !on && !pathExists(name)) { // else a misspelt one stays captured
					return newUnknownProjectError(name)
				}
				known, err := sessions.In(tx).ProjectKeys(p.ID)
				if err != nil {
					return err
				}
				if isFolder {
					known = append(known, folder.Keys()...)
				}
				keys = append(keys, known...)
			}
			return nil
		})
	})
	return admin.FoldersOfProjectKeys(keys), err
}
