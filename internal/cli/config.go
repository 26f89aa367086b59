package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"toolkit/internal/admin"
	"toolkit/store"
)

func newConfig(o *settings) *cobra.Command {
	return newCommandGroup("config", newConfigShow(o), newConfigPath(o), newConfigCapture(o), newConfigHooks(o))
}

func newConfigPath(o *settings) *cobra.Command {
	return newCommand("config path", checkNoArguments, func(*cobra.Command, []string) error {
		path, err := admin.ConfigPath(o.streams.Getenv)
		if err != nil {
			return err
		}
		return o.printf("%s\n", path)
	})
}

// shownSetting is a line of config show.
type shownSetting struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Origin  string `json:"origin"`
	Env     string `json:"env"`
	Flag    string `json:"flag,omitempty"`
	Meaning string `json:"meaning"`
}

func newConfigShow(o *settings) *cobra.Command {
	var asJSON bool
	cmd := newCommand("config show", checkNoArguments, func(cmd *cobra.Command, _ []string) error {
		if o.configError != nil {
			return o.configError
		}
		shown := o.listSettings(cmd.Flags())
		if asJSON {
			return o.printJSON(map[string]any{"file": o.config.Path, "exists": o.config.Exists, "settings": shown})
		}
		state := "not there"
		if o.config.Exists {
			state = "read"
		}
		fmt.Fprintf(o.streams.Out, "file: %s (%s)\n\n", o.config.Path, state)
		w := tabwriter.NewWriter(o.streams.Out, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "SETTING\tVALUE\tORIGIN\tVARIABLE\tMEANING")
		for _, s := range shown {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.Key, s.Value, s.Origin, s.Env, s.Meaning)
		}
		return w.Flush()
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	o.addServeFlags(cmd.Flags())
	return cmd
}

func (o *settings) listSettings(flags *pflag.FlagSet) []shownSetting {
	var list []shownSetting
	for _, s := range admin.Settings() {
		value, origin := o.config.Value(s)
		if s.Env == "TOOLKIT_DB" {
			value = store.DisplayName(value)
		}
		line := shownSetting{Key: s.Key, Value: value, Origin: string(origin), Env: s.Env, Flag: s.Flag, Meaning: s.Meaning}
		if s.Flag != "" {
			if f := flags.Lookup(s.Flag); f != nil && f.Changed {
				line.Value, line.Origin = store.DisplayName(f.Value.String()), "flag"
				if list, ok := f.Value.(pflag.SliceValue); ok {
					line.Value = strings.Join(list.GetSlice(), ",")
				}
			}
		}
		if s.Secret && line.Value != "" {
			line.Value = "(set)"
		}
		if s.Key == "db" && line.Value == "" {
			if path, err := o.databasePath(); err == nil {
				line.Value = path
			}
		}
		list = append(list, line)
	}
	return list
}
