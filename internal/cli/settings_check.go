package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"toolkit/internal/admin"
	"toolkit/internal/app"
	"toolkit/internal/orientation"
	"toolkit/tools"
)

// checkSettings turns the values that were set into settings of the app and reports all
// that mean nothing, as usage errors. It opens, makes and reaches nothing, so
// that a command line or a configuration can be judged before it is used.
func (o *settings) checkSettings() (app.Settings, []error) {
	s := app.Settings{Getenv: o.streams.Getenv}
	var faults []error
	found := func(errs ...error) {
		faults = append(faults, slices.DeleteFunc(errs, func(err error) bool { return err == nil })...)
	}
	_, err := o.newLogger(0)
	found(err, o.readAccessSwitches())
	if s.Orientation, err = orientation.ParseLevel(o.orientation); err != nil {
		found(o.newSettingError("TOOLKIT_ORIENTATION", "%q is not one of strict, standard, lenient", o.orientation))
	}
	if o.hints != "" && o.hints != "content" && o.hints != "meta" {
		found(o.newSettingError("TOOLKIT_HINTS", "%q is not content or meta", o.hints))
	}
	if o.compat != "" && o.compat != "memory" {
		found(o.newSettingError("TOOLKIT_COMPAT", "%q is unknown; the only one is memory", o.compat))
	}
	if s.TimeoutFactor, err = strconv.Atoi(o.envOr("TOOLKIT_PATIENCE", "1")); err != nil || s.TimeoutFactor < 1 {
		found(o.newSettingError("TOOLKIT_PATIENCE", "must be a whole number from 1; it multiplies the time a call may take"))
	}
	s.FileRoots, err = o.uploadFolders()
	found(err)
	if s.RateLimits, err = tools.ParseRateLimits(o.streams.Getenv("TOOLKIT_RATE_LIMITS")); err != nil {
		found(o.newSettingError("TOOLKIT_RATE_LIMITS", "%v", err))
	}
	s.Access = o.access
	found(o.checkToolSelection(s)...)
	s.HintsInMeta, s.MemoryCompat, s.PocketRateLimit = o.hints == "meta", o.compat == "memory", o.pocketLimit
	return s, faults
}

// checkDatabasePath refuses a database path that names a folder.
func (o *settings) checkDatabasePath() error {
	path, err := o.databasePath()
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return o.newSettingError("TOOLKIT_DB", "%s is a folder; give the path of a database file", path)
	}
	return nil
}

// checkToolSelection compares the names of families, tools and rights with those there
// are.
func (o *settings) checkToolSelection(s app.Settings) []error {
	a := s.Access
	if a.Toolset != "" && a.Toolset != tools.AllTools && a.Toolset != tools.CoreTools {
		return []error{o.newSettingError("TOOLKIT_TOOLSET", "%q is not core or all", a.Toolset)}
	}
	for flag, given := range map[string][]string{"families": a.Families, "tools": a.Tools} {
		if o.flags != nil && o.flags.Changed(flag) && len(given) == 0 {
			return []error{usagef("--%s is empty: name what to serve, or leave it out to serve all", flag)}
		}
	}
	if len(a.Families)+len(a.Tools)+len(a.Exclude)+len(a.Grants)+len(s.RateLimits) == 0 {
		return nil
	}
	registry, err := app.BuildRegistry()
	if err != nil {
		return []error{err}
	}
	var faults []error
	for _, part := range []struct {
		variable string
		access   tools.Access
	}{
		{"TOOLKIT_FAMILIES", tools.Access{Families: a.Families}},
		{"TOOLKIT_TOOLS", tools.Access{Tools: a.Tools}},
		{"TOOLKIT_EXCLUDE_TOOLS", tools.Access{Exclude: a.Exclude}},
		{"TOOLKIT_GRANT", tools.Access{Grants: a.Grants}},
	} {
		if err := part.access.CheckNamesAndGrants(registry); err != nil {
			faults = append(faults, o.newSettingError(part.variable, "%v", err))
		}
	}
	if err := s.RateLimits.Check(registry); err != nil {
		faults = append(faults, o.newSettingError("TOOLKIT_RATE_LIMITS", "%v", err))
	}
	return faults
}

// newSettingError is a value that means nothing. It begins with the place where the value
// was set, so that it is corrected there.
func (o *settings) newSettingError(variable, format string, args ...any) error {
	return usagef("%s: "+format, append([]any{o.settingPlace(variable)}, args...)...)
}

// settingPlace is where a setting got its value: its flag, its variable or its key in
// the file.
func (o *settings) settingPlace(variable string) string {
	all := admin.Settings()
	i := slices.IndexFunc(all, func(s admin.Setting) bool { return s.Env == variable })
	if i < 0 {
		return variable
	}
	s := all[i]
	if s.Flag != "" && o.isFlagChanged(s.Flag) {
		return "--" + s.Flag
	}
	if o.config != nil {
		if _, origin := o.config.Value(s); origin == admin.SettingFromFile {
			return fmt.Sprintf("%s in %s", s.Key, o.config.Path)
		}
	}
	return variable
}

// isFlagChanged reports whether a flag stands on the command line.
func (o *settings) isFlagChanged(flag string) bool {
	if o.flags == nil {
		return false
	}
	f := o.flags.Lookup(flag)
	return f != nil && f.Changed
}

// uploadFolders are the folders of --file-root; nil: the usual ones.
func (o *settings) uploadFolders() ([]string, error) {
	var folders []string
	for _, folder := range o.fileRoots {
		if strings.TrimSpace(folder) == "" {
			continue
		}
		whole, err := filepath.Abs(folder)
		if err != nil {
			return nil, o.newSettingError("TOOLKIT_FILE_ROOTS", "%q cannot be made a whole path: %v", folder, err)
		}
		if info, err := os.Stat(whole); err != nil || !info.IsDir() {
			return nil, o.newSettingError("TOOLKIT_FILE_ROOTS", "%q is no folder that can be read", folder)
		}
		folders = append(folders, whole)
	}
	return folders, nil
}

// readAccessSwitches settles the switches, of which two guard what is stored: none may
// open more than was meant because of a typing error or an unset variable.
func (o *settings) readAccessSwitches() error {
	if o.flags == nil || o.flags.Lookup("grant") == nil {
		return nil // a command that serves nothing
	}
	if len(o.access.Grants) == 0 && o.isFlagChanged("grant") {
		return usagef("--grant is empty; name the rights, such as graph:read, or leave it out to grant all")
	}
	if err := o.readSwitch("pocket-rate-limit", "TOOLKIT_POCKET_RATE_LIMIT", &o.pocketLimit); err != nil {
		return err
	}
	return o.readSwitch("read-only", "TOOLKIT_READ_ONLY", &o.access.ReadOnly)
}

// readSwitch takes the value of a variable where its flag is absent.
func (o *settings) readSwitch(flag, variable string, on *bool) error {
	if o.isFlagChanged(flag) {
		return nil
	}
	value := strings.TrimSpace(o.streams.Getenv(variable))
	yes, known := tools.ParseSwitch(value)
	if value != "" && !known {
		return o.newSettingError(variable, "%q is neither yes nor no; use 1 or 0", value)
	}
	*on = *on || yes
	return nil
}
