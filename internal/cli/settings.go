package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"toolkit/internal/admin"
	"toolkit/internal/app"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/tools"
)

// settings are the flags that commands share; each has an environment variable
// of the same meaning, which the flag overrides.
type settings struct {
	streams Streams
	// config is the file behind the environment; configError says why it could
	// not be read.
	config      *admin.Config
	configError error

	db       string
	space    string
	logLevel string

	access      tools.Access
	hints       string
	compat      string
	orientation string
	fileRoots   []string
	pocketLimit bool
	lifted      string // a tool whose limit of calls does not bind a person's own command

	flags *pflag.FlagSet // of the command, to tell an absent flag from an empty one; nil: none
}

func (o *settings) envOr(name, fallback string) string {
	if v := o.streams.Getenv(name); v != "" {
		return v
	}
	return fallback
}

func (o *settings) envList(name string) []string { return tools.SplitList(o.streams.Getenv(name)) }

// addCommonFlags adds the flags that every command has.
func (o *settings) addCommonFlags(f *pflag.FlagSet) {
	f.StringVar(&o.space, "space", o.envOr("TOOLKIT_SPACE", ""), "the space of a shared database that is used, such as anna ($TOOLKIT_SPACE)")
	f.StringVar(&o.db, "db", "", "database file, or address of a PostgreSQL database such as postgres://user@host/name (default $TOOLKIT_DB, else toolkit/toolkit.db in the data folder)")
	f.StringVar(&o.logLevel, "log-level", o.envOr("TOOLKIT_LOG_LEVEL", ""), "what to log on standard error: debug, info, warn, error (default info for serve, else warn; $TOOLKIT_LOG_LEVEL)")
}

// addToolSelectionFlags adds the flags that choose which tools are served and listed.
func (o *settings) addToolSelectionFlags(f *pflag.FlagSet) {
	f.StringSliceVar(&o.access.Families, "families", o.envList("TOOLKIT_FAMILIES"), "serve only these: charts, graph, memory, documents, pockets ($TOOLKIT_FAMILIES)")
	f.StringVar((*string)(&o.access.Toolset), "toolset", o.envOr("TOOLKIT_TOOLSET", string(tools.AllTools)), "which tools to list: all, or core: few, and find_tools and call_tool for the others ($TOOLKIT_TOOLSET)")
	f.StringSliceVar(&o.access.Tools, "tools", o.envList("TOOLKIT_TOOLS"), "serve only these tools ($TOOLKIT_TOOLS)")
	f.StringSliceVar(&o.access.Exclude, "exclude-tools", o.envList("TOOLKIT_EXCLUDE_TOOLS"), "do not serve these tools ($TOOLKIT_EXCLUDE_TOOLS)")
}

// addServeFlags adds the flags that choose what is served and how.
func (o *settings) addServeFlags(f *pflag.FlagSet) {
	o.addToolSelectionFlags(f)
	f.StringSliceVar(&o.access.Grants, "grant", o.envList("TOOLKIT_GRANT"), "grant only these rights, such as graph:read,charts:* ($TOOLKIT_GRANT)")
	f.BoolVar(&o.access.ReadOnly, "read-only", false, "refuse every tool that writes ($TOOLKIT_READ_ONLY=1)")
	f.StringVar(&o.hints, "hints", o.envOr("TOOLKIT_HINTS", "content"), "where agentHints travel: content or meta ($TOOLKIT_HINTS)")
	f.BoolVar(&o.pocketLimit, "pocket-rate-limit", false, "let the tools of pockets share a limit of 30 calls a minute ($TOOLKIT_POCKET_RATE_LIMIT=1)")
	f.StringVar(&o.compat, "compat", o.envOr("TOOLKIT_COMPAT", ""), "memory: the rules of the official memory server: names that exist are skipped, a relation may lack an end, searches match substrings only ($TOOLKIT_COMPAT)")
	f.StringArrayVar(&o.fileRoots, "file-root", filepath.SplitList(o.streams.Getenv("TOOLKIT_FILE_ROOTS")), "take uploads from this folder instead of the working folder, Documents, Downloads and Desktop; repeatable ($TOOLKIT_FILE_ROOTS)")
	f.StringVar(&o.orientation, "orientation", o.envOr("TOOLKIT_ORIENTATION", "standard"), "how strictly outcomes must be creative: strict, standard or lenient ($TOOLKIT_ORIENTATION)")
}

// databasePath is the database file in use.
func (o *settings) databasePath() (string, error) {
	path, err := o.db, error(nil)
	if path == "" {
		path, err = store.DefaultPath(o.streams.Getenv)
	}
	if o.space == "" || err != nil {
		return path, err
	}
	if !store.ValidSpace(o.space) {
		return "", o.newSettingError("TOOLKIT_SPACE", "%q is no name of a space, such as anna", o.space)
	}
	return store.SpacePath(path, o.space), nil
}

// absoluteDatabasePath is path as it is wherever a process is started.
func (o *settings) absoluteDatabasePath() (string, error) {
	path, err := o.databasePath()
	if err != nil || store.IsPostgres(path) {
		return path, err
	}
	return filepath.Abs(path)
}

// openNonToolkitFile opens a file that somebody named, unless it is toolkit's own.
func (o *settings) openNonToolkitFile(name string) (*os.File, error) {
	file, err := o.privateFiles().Open(name)
	switch {
	case errors.Is(err, localfile.ErrPrivate):
		return nil, newToolkitFileError(name)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", name, localfile.Cause(err))
	}
	return file, nil
}

// checkIsNoToolkitFile refuses to read or replace what is toolkit's own.
func (o *settings) checkIsNoToolkitFile(name string) error {
	if o.privateFiles().CheckNotPrivate(name) != nil {
		return newToolkitFileError(name)
	}
	return nil
}

func (o *settings) privateFiles() localfile.Private {
	path, _ := o.databasePath() // without a home there is no data folder to keep
	path, _ = store.LocalPath(path, "")
	return store.PrivateFiles(path, o.streams.Getenv)
}

func newToolkitFileError(name string) error {
	return fmt.Errorf("%s is toolkit's own, or lies in its data folder: the database, its logs, keys and stored files are neither read nor replaced as files; choose another place, or give a database with --db", name)
}

// newLogger writes JSON lines to standard error.
func (o *settings) newLogger(fallback slog.Level) (*slog.Logger, error) {
	level := fallback
	if o.logLevel != "" {
		if err := level.UnmarshalText([]byte(o.logLevel)); err != nil {
			return nil, o.newSettingError("TOOLKIT_LOG_LEVEL", "%q is not one of debug, info, warn, error", o.logLevel)
		}
	}
	return slog.New(slog.NewJSONHandler(o.streams.Err, &slog.HandlerOptions{Level: level})), nil
}

// openApp builds the app that a command works with, which logs from a level on.
func (o *settings) openApp(ctx context.Context, level slog.Level) (*app.App, error) {
	s, err := o.appSettings(level, nil)
	if err != nil {
		return nil, err
	}
	s.Access.Toolset = tools.AllTools // a command is told of no doors: it calls every tool itself
	return app.Open(ctx, s)
}

// appSettings are what the app is opened with. notify reaches the client of a server.
func (o *settings) appSettings(level slog.Level, notify tools.NotifyFunc) (app.Settings, error) {
	s, faults := o.checkSettings()
	if len(faults) > 0 {
		return s, faults[0]
	}
	logger, err := o.newLogger(level)
	if err != nil {
		return s, err
	}
	if s.DB, err = o.databasePath(); err != nil {
		return s, err
	}
	if o.lifted != "" {
		limits := tools.RateLimits{o.lifted: nil}
		for name, limit := range s.RateLimits {
			if name != o.lifted {
				limits[name] = limit
			}
		}
		s.RateLimits = limits
	}
	s.Logger, s.Notifications, s.EngineCache = logger, notify, o.pdfEngineCache()
	return s, nil
}

// withDatabase opens the database for f, and makes it where there is none.
func (o *settings) withDatabase(ctx context.Context, f func(*app.App) error) error {
	a, err := o.openApp(ctx, slog.LevelError)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // every committed write is already on disk
	return f(a)
}

// withExistingDatabase is withDatabase for commands that are of no use without a
// database: a misspelt path must not make an empty one.
func (o *settings) withExistingDatabase(ctx context.Context, f func(*app.App) error) error {
	if err := o.requireDatabase(); err != nil {
		return err
	}
	return o.withDatabase(ctx, f)
}

func (o *settings) requireDatabase() error {
	path, err := o.databasePath()
	if err != nil {
		return err
	}
	if store.IsPostgres(path) {
		return nil // whether it is there shows when it is opened
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if o.db != "" {
			return fmt.Errorf("there is no database at %s; %s", path, o.suggestDatabase(path))
		}
		return fmt.Errorf("there is no database at %s; give its path with --db FILE or TOOLKIT_DB, or make one: 'toolkit capture --all' takes in your earlier sessions, 'toolkit remember' a first thing", path)
	}
	return nil
}

// suggestDatabase says, where --db names a database that is not there, which may be meant, and how
// one is made there.
func (o *settings) suggestDatabase(path string) string {
	folder, name := filepath.Split(path)
	beside, _ := filepath.Glob(filepath.Join(folder, "*.db")) // without them none is near
	for i, file := range beside {
		beside[i] = filepath.Base(file)
	}
	if near := language.NearestNames(name, beside, 1); len(near) > 0 {
		return "did you mean " + folder + near[0] + "?"
	}
	advice := "check the path"
	if usual, err := store.DefaultPath(o.streams.Getenv); err == nil && pathExists(usual) {
		advice += ", or leave out --db to use " + usual
	}
	return advice + "; to make one there, run: TOOLKIT_DB=" + quoteShell(path) + " toolkit remember \"what you want to keep\""
}

// pdfEngineCache is where the PDF reader's compiled code is kept between runs;
// empty where the user has no folder for such things.
func (o *settings) pdfEngineCache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "toolkit", "pdfium")
}
