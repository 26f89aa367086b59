package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"toolkit/internal/admin"
	"toolkit/store"
)

type installFlags struct {
	name, config               string
	families                   []string
	toolset                    string
	project, dryRun, uninstall bool
	noHooks                    bool
}

func newInstall(o *settings) *cobra.Command {
	var f installFlags
	cmd := newCommand("install", nil, func(cmd *cobra.Command, args []string) error {
		client, pass := args, []string(nil)
		if at := cmd.ArgsLenAtDash(); at >= 0 {
			client, pass = args[:at], args[at:]
		}
		switch {
		case len(client) > 1:
			return usagef("install takes one client at a time; see 'toolkit install --help'")
		case len(client) == 0 && (len(pass) > 0 || f.uninstall || f.config != ""):
			return usagef("name the client; 'toolkit install' lists them")
		case len(client) == 0:
			return o.listClients(f)
		}
		return o.install(client[0], pass, f)
	})
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, c := range admin.Clients() {
			names = append(names, c.Name+"\t"+c.Title)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	cmd.Flags().StringVar(&f.name, "name", "toolkit", "name of the server in the configuration")
	cmd.Flags().StringVar(&f.config, "config", "", "edit this file instead of the client's own")
	cmd.Flags().StringSliceVar(&f.families, "families", nil, "serve only these of charts, graph, memory, documents, pockets; all: every one")
	cmd.Flags().StringVar(&f.toolset, "toolset", "", "which tools to list: core, or all; what fits the client if absent")
	cmd.Flags().BoolVar(&f.project, "project", false, "for the project in the working folder only, in a form that others can use")
	cmd.Flags().BoolVar(&f.noHooks, "no-hooks", false, "leave out the hooks, by which the client remembers and recalls by itself")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "show the change without making it")
	cmd.Flags().BoolVar(&f.uninstall, "uninstall", false, "take the toolkit out of the configuration")
	return cmd
}

func (o *settings) install(client string, pass []string, f installFlags) error {
	c, err := admin.FindClient(client)
	if err != nil {
		return &usageError{err}
	}
	file, err := o.configurationFile(c, f)
	if err != nil {
		return err
	}
	plan, err := o.planInstall(c, file, pass, f)
	if err != nil {
		return err
	}
	if err := o.applyInstall(c, plan, f); err != nil {
		return err
	}
	if f.project && !f.uninstall {
		fmt.Fprintln(o.streams.Out, "The entry names the program alone: 'toolkit' has to be on the path of everyone who opens the project.")
	}
	return o.printOtherInstallations(c, file, f)
}

// installation is what is planned for a client.
type installation struct {
	entry *admin.ClientEdit
	args  []string // of the entry as it is to be
	hooks bool     // the client gets hooks
	parts []admin.ClientPart
}

func (p installation) listChangingEdits() []*admin.ClientEdit {
	edits := []*admin.ClientEdit{p.entry}
	for _, part := range p.parts {
		edits = append(edits, part.Edits...)
	}
	return slices.DeleteFunc(edits, func(e *admin.ClientEdit) bool { return !e.Changes })
}

// applyInstall shows the changes and makes them.
func (o *settings) applyInstall(c admin.Client, plan installation, f installFlags) error {
	out := o.streams.Out
	edits := plan.listChangingEdits()
	if len(edits) == 0 {
		state := "already has the toolkit"
		if f.uninstall {
			state = "does not have the toolkit"
		}
		return o.printf("%s %s as %q in %s; nothing to change.\n", c.Title, state, f.name, plan.entry.File)
	}
	o.printInstallChanges(plan)
	if !f.uninstall {
		if err := o.warnInstall(plan); err != nil {
			return err
		}
	}
	if f.dryRun {
		return o.printf("Nothing was written (--dry-run).\n")
	}
	for _, edit := range edits {
		backup, err := edit.Apply(time.Now())
		if err != nil {
			return err
		}
		if backup != "" && (!f.uninstall || edit.IsOurs()) {
			fmt.Fprintf(out, "The file as it was is in %s\n", backup)
		}
	}
	if plan.entry.Removes {
		fmt.Fprintln(out, "The file, which install had made, held nothing else and is gone.")
	}
	if f.uninstall {
		return o.removeBackupsAndReportUninstall(c, plan)
	}
	next := c.Next
	if plan.hooks && c.Trust != "" {
		next += " " + c.Trust
	}
	return o.printf("Installed in %s. %s\n", c.Title, next)
}

// removeBackupsAndReportUninstall removes the copies of settings, which nobody needs any more, and says where the memory still is.
func (o *settings) removeBackupsAndReportUninstall(c admin.Client, plan installation) error {
	all := []*admin.ClientEdit{plan.entry}
	for _, part := range plan.parts {
		all = append(all, part.Edits...)
	}
	for _, edit := range all {
		if err := edit.RemoveBackups(); err != nil {
			return err
		}
	}
	memory := databaseOfArguments(plan.entry.Args)
	if memory == "" {
		var err error
		if memory, err = o.absoluteDatabasePath(); err != nil {
			return err
		}
	}
	beside, again := fmt.Sprintf(", with what lies beside it: files, logs, and data in %[1]s.before-* and %[1]s%[2]s", filepath.Base(memory), store.SpoolFolder), ""
	if cache := o.pdfEngineCache(); cache != "" {
		again = " The folder " + filepath.Dir(cache) + " holds only what can be made again."
	}
	if store.IsPostgres(memory) {
		memory, beside = "its PostgreSQL database", ""
	}
	return o.printf("Taken out of %s. A server that it runs now stops when it is closed. What is remembered stays in %s%s, and other clients go on using it; delete that yourself to forget it all.%s\n", c.Title, memory, beside, again)
}

// printInstallChanges shows every line that comes or goes; of texts for the model, which are
// long, only the file.
func (o *settings) printInstallChanges(plan installation) {
	out := o.streams.Out
	show := func(e *admin.ClientEdit) {
		for _, line := range e.Diff() {
			fmt.Fprintln(out, o.colourDiffLine(line))
		}
	}
	if plan.entry.Changes {
		fmt.Fprintln(out, plan.entry.File)
		show(plan.entry)
	}
	for _, part := range plan.parts {
		if len(part.ChangedFiles()) > 0 {
			fmt.Fprintf(out, "%s (%s)\n", part.Place, part.Title)
		}
		for _, e := range part.ChangedFiles() {
			sign, name := e.ChangeSign(), part.RelativeName(e)
			fmt.Fprintln(out, o.colourDiffLine(fmt.Sprintf("%s %s", sign, name)))
			if !e.IsText() {
				show(e)
			}
		}
	}
	if plan.hooks {
		fmt.Fprintln(out, "The hooks read your prompts, the answers and the client's transcript, write them into the database, secrets left out, and show the model what fits. --no-hooks leaves them out.")
	}
}

func (o *settings) planInstall(c admin.Client, file string, pass []string, f installFlags) (plan installation, err error) {
	if strings.TrimSpace(f.name) == "" {
		return plan, usagef("--name is empty; leave it out for the usual name, toolkit")
	}
	s, err := o.clientEnvironment()
	if err != nil {
		return plan, err
	}
	setup := admin.ClientSetup{NoHooks: f.noHooks, Project: f.project, Remove: f.uninstall}
	if f.uninstall {
		if len(pass) > 0 {
			return plan, usagef("--uninstall takes no flags of serve")
		}
		if plan.entry, err = admin.PlanRemoval(c, file, f.name); err == nil {
			setup.Offers, _ = o.toolsOfferedBy(plan.entry.Args) // where it cannot be told, rules of fewer tools are kept in a copy
		}
	} else {
		var entry admin.ClientEntry
		if entry, err = o.makeClientEntry(c, pass, f); err != nil {
			return plan, err
		}
		plan.args = entry.Args
		setup.Program, setup.Database = entry.Command, databaseOfArguments(entry.Args)
		if setup.Offers, err = o.toolsOfferedBy(entry.Args); err != nil {
			return plan, err
		}
		if entry.Hooks, err = c.ListHooksToInstall(s, setup); err != nil {
			return plan, err
		}
		plan.entry, err = admin.PlanInstall(c, file, entry)
		plan.hooks = c.HasHooks() && !f.noHooks && !f.project && (f.config == "" || len(entry.Hooks) > 0)
	}
	if err == nil && f.config == "" {
		plan.parts, err = c.PlanPluginAndRules(s, setup)
	}
	return plan, err
}

// makeClientEntry returns how the client starts the server.
func (o *settings) makeClientEntry(c admin.Client, pass []string, f installFlags) (e admin.ClientEntry, err error) {
	chosen, err := o.chooseToolFlags(c, pass, f)
	if err != nil {
		return e, err
	}
	pass, err = o.checkAndRewriteEntryFlags(append(chosen, pass...), f.project)
	if err != nil {
		return e, err
	}
	program := "toolkit"
	if !f.project {
		if program, err = o.programPath(); err != nil {
			return e, err
		}
	}
	args := []string{"serve", "--stdio"}
	db, err := o.chooseEntryDatabase(pass, f.project)
	if err != nil {
		return e, err
	}
	if db != "" {
		args = append(args, "--db", db)
	}
	return admin.ClientEntry{Name: f.name, Command: program, Args: append(args, pass...)}, nil
}

// databaseOfArguments is the database that arguments of serve name; "": the usual one.
func databaseOfArguments(args []string) string {
	for i, a := range args {
		if value, ok := strings.CutPrefix(a, "--db="); ok {
			return value
		}
		if a == "--db" && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// chooseEntryDatabase is the database that the entry must name: a flag or variable
// of this shell means nothing to a client that is started from elsewhere. That of
// a project is shared: it names none of this machine.
func (o *settings) chooseEntryDatabase(pass []string, project bool) (string, error) {
	for _, p := range pass {
		if p == "--db" || strings.HasPrefix(p, "--db=") {
			return "", nil
		}
	}
	if project {
		if filepath.IsAbs(o.db) {
			return "", newPortablePathError("--db")
		}
		return filepath.ToSlash(o.db), nil
	}
	db := o.envOr("TOOLKIT_DB", "")
	if o.db != "" {
		db = o.db
	}
	if db == "" {
		return "", nil
	}
	if store.IsPostgres(db) {
		return db, nil
	}
	db, err := filepath.Abs(db)
	if _, origin := o.config.Value(admin.Setting{Env: "TOOLKIT_DB"}); err == nil && o.db == "" && origin == admin.SettingFromEnvironment {
		fmt.Fprintf(o.streams.Err, "warning: the entry names %s, the database of TOOLKIT_DB in this shell; the assistant's memory lies there from now on. For the usual place unset TOOLKIT_DB and repeat the command.\n", db)
	}
	return db, err
}

// checkAndRewriteEntryFlags are the flags behind -- as the entry names them. It refuses what would
// keep the server from starting, and in a project's file paths of this machine.
func (o *settings) checkAndRewriteEntryFlags(pass []string, project bool) ([]string, error) {
	s, rest, err := o.parseServerFlags(append([]string{"--stdio"}, pass...))
	if err != nil {
		return nil, usagef("'toolkit serve' would refuse the flags behind --: %v", err)
	}
	if len(rest) > 0 {
		return nil, usagef("'toolkit serve' takes no arguments, but %q stands behind --", rest[0])
	}
	if !s.overStdio {
		return nil, usagef("the client speaks to the server over standard input and output; leave --stdio=false out")
	}
	faults := s.checkServerSettings()
	if err := s.checkDatabasePath(); err != nil {
		faults = append(faults, err)
	}
	if len(faults) > 0 {
		return nil, usagef("'toolkit serve' would not start with these settings: %v", faults[0])
	}
	form := filepath.Abs // the client starts the server in a folder of its own
	if project {         // or in that of the project
		form = checkPathIsPortable
	}
	return rewritePaths(s.flags, pass, form)
}

// checkPathIsPortable refuses a path that means nothing on another machine.
func checkPathIsPortable(path string) (string, error) {
	if filepath.IsAbs(path) {
		return "", newPortablePathError(path)
	}
	return path, nil
}

func newPortablePathError(what string) error {
	return usagef("%s is a path of this machine, but the file of a project is shared; name one within the project, or leave out --project", what)
}

// rewritePaths brings the paths in flags into a form. The flags have been parsed
// before.
func rewritePaths(flags *pflag.FlagSet, args []string, rewrite func(string) (string, error)) ([]string, error) {
	whole := slices.Clone(args)
	for i := 0; i < len(whole); i++ {
		name, value, joined := strings.Cut(strings.TrimPrefix(whole[i], "--"), "=")
		f := flags.Lookup(name)
		if f == nil || !joined && (f.NoOptDefVal != "" || i+1 == len(whole)) {
			continue // a switch, whose value is joined to it if it has one
		}
		prefix := "--" + name + "="
		if !joined {
			i++
			prefix, value = "", whole[i]
		}
		if value == "" || !isPathFlag(name) {
			continue
		}
		path, err := rewrite(value)
		if err != nil {
			return nil, err
		}
		whole[i] = prefix + path
	}
	return whole, nil
}

// isPathFlag reports whether the value of a flag is a path.
func isPathFlag(flag string) bool {
	return slices.ContainsFunc(admin.Settings(), func(s admin.Setting) bool {
		return s.Flag == flag && (s.Kind == admin.FileSetting || s.Kind == admin.FoldersSetting)
	})
}

// programPath is the absolute path of this binary as a client can start it.
func (o *settings) programPath() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding this program: %w", err)
	}
	if strings.Contains(path, string(filepath.Separator)+"go-build") {
		return "", fmt.Errorf("this program runs from a folder that is deleted when it ends; build it first: make build")
	}
	if strings.Contains(path, string(filepath.Separator)+"_npx"+string(filepath.Separator)) {
		fmt.Fprintln(o.streams.Err, "warning: this program lies in the cache of npx, which npm may empty; 'npm install -g' of the same package gives it a lasting place: then repeat this command.")
	}
	return path, nil
}

func (o *settings) clientEnvironment() (admin.ClientEnvironment, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return admin.ClientEnvironment{}, err
	}
	folder, err := os.Getwd()
	return admin.ClientEnvironment{GOOS: runtime.GOOS, Home: home, Folder: folder, Getenv: o.streams.Getenv}, err
}

// configurationFile is the file to edit.
func (o *settings) configurationFile(c admin.Client, f installFlags) (string, error) {
	if f.config != "" {
		if f.project {
			return "", usagef("--config and --project both name the file; use one")
		}
		return filepath.Abs(f.config)
	}
	s, err := o.clientEnvironment()
	if err != nil {
		return "", err
	}
	file, err := c.ConfigFile(s, f.project)
	if err != nil {
		return "", &usageError{err}
	}
	return file, nil
}

// colourDiffLine is a changed line, green or red on a terminal that has colours.
func (o *settings) colourDiffLine(line string) string {
	if !o.streams.canShowColours(o.streams.Out) {
		return line
	}
	colour := "\x1b[32m"
	if strings.HasPrefix(line, "-") {
		colour = "\x1b[31m"
	}
	return protectColourCode(o.streams.Out, colour) + line + protectColourCode(o.streams.Out, "\x1b[0m")
}
