package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"toolkit/internal/app"
	"toolkit/internal/config"
	"toolkit/internal/orientation"
	"toolkit/store"
	"toolkit/tools"
)

// settings are the flags that commands share; each has an environment variable
// of the same meaning, which the flag overrides.
type settings struct {
	streams Streams
	// config is the file behind the environment; configError says why it could
	// not be read.
	config      *config.Config
	configError error

	db       string
	logLevel string

	families    []string
	tools       []string
	exclude     []string
	grants      []string
	readOnly    bool
	hints       string
	compat      string
	orientation string
	fileRoots   []string
	pocketLimit bool

	tracing *tools.Tracing // of a server; nil: none

	readOnlyFlag, grantFlag *pflag.Flag // to tell an absent flag from an empty one
}

func (o *settings) env(name, fallback string) string {
	if v := o.streams.Getenv(name); v != "" {
		return v
	}
	return fallback
}

func (o *settings) envList(name string) []string {
	var list []string
	for _, part := range strings.Split(o.streams.Getenv(name), ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// serving adds the flags that choose what is served and how.
func (o *settings) serving(f *pflag.FlagSet) {
	f.StringSliceVar(&o.families, "families", o.envList("TOOLKIT_FAMILIES"), "serve only these families, such as charts,graph ($TOOLKIT_FAMILIES)")
	f.StringSliceVar(&o.tools, "tools", o.envList("TOOLKIT_TOOLS"), "serve only these tools ($TOOLKIT_TOOLS)")
	f.StringSliceVar(&o.exclude, "exclude-tools", o.envList("TOOLKIT_EXCLUDE_TOOLS"), "do not serve these tools ($TOOLKIT_EXCLUDE_TOOLS)")
	f.StringSliceVar(&o.grants, "grant", o.envList("TOOLKIT_GRANT"), "grant only these rights, such as graph:read,charts:* ($TOOLKIT_GRANT)")
	f.BoolVar(&o.readOnly, "read-only", false, "refuse every tool that writes ($TOOLKIT_READ_ONLY=1)")
	f.StringVar(&o.hints, "hints", o.env("TOOLKIT_HINTS", "content"), "where agentHints travel: content or meta ($TOOLKIT_HINTS)")
	f.BoolVar(&o.pocketLimit, "pocket-rate-limit", o.env("TOOLKIT_POCKET_RATE_LIMIT", "") == "1", "let the tools of pockets share a limit of 30 calls a minute ($TOOLKIT_POCKET_RATE_LIMIT=1)")
	f.StringVar(&o.compat, "compat", o.env("TOOLKIT_COMPAT", ""), "memory: create_entities skips existing names and searches match substrings only, like the official memory server ($TOOLKIT_COMPAT)")
	f.StringArrayVar(&o.fileRoots, "file-root", filepath.SplitList(o.streams.Getenv("TOOLKIT_FILE_ROOTS")), "take uploads from this folder instead of the home and working folders; repeatable ($TOOLKIT_FILE_ROOTS)")
	f.StringVar(&o.orientation, "orientation", o.env("TOOLKIT_ORIENTATION", "standard"), "how strictly outcomes must be creative: strict, standard or lenient ($TOOLKIT_ORIENTATION)")
}

// path is the database file in use.
func (o *settings) path() (string, error) {
	if o.db != "" {
		return o.db, nil
	}
	return store.DefaultPath(o.streams.Getenv)
}

// logger writes JSON lines to standard error.
func (o *settings) logger(fallback slog.Level) (*slog.Logger, error) {
	level := fallback
	if o.logLevel != "" {
		if err := level.UnmarshalText([]byte(o.logLevel)); err != nil {
			return nil, usagef("--log-level %q is not one of debug, info, warn, error", o.logLevel)
		}
	}
	return slog.New(slog.NewJSONHandler(o.streams.Err, &slog.HandlerOptions{Level: level})), nil
}

// open builds the app that a command works with. notify reaches the client of a
// server; commands without one pass nil.
func (o *settings) open(ctx context.Context, level slog.Level, notify tools.NotifyFunc) (*app.App, *slog.Logger, error) {
	logger, err := o.logger(level)
	if err != nil {
		return nil, nil, err
	}
	path, err := o.path()
	if err != nil {
		return nil, nil, err
	}
	if err := o.checkRights(); err != nil {
		return nil, nil, err
	}
	orient := orientation.Standard
	if o.orientation != "" {
		if orient, err = orientation.ParseLevel(o.orientation); err != nil {
			return nil, nil, usagef("--orientation %q is not one of strict, standard, lenient", o.orientation)
		}
	}
	if o.hints != "" && o.hints != "content" && o.hints != "meta" {
		return nil, nil, usagef("--hints %q is not content or meta", o.hints)
	}
	if o.compat != "" && o.compat != "memory" {
		return nil, nil, usagef("--compat %q is unknown; the only one is memory", o.compat)
	}
	patience, err := strconv.Atoi(o.env("TOOLKIT_PATIENCE", "1"))
	if err != nil || patience < 1 {
		return nil, nil, usagef("TOOLKIT_PATIENCE must be a whole number from 1; it multiplies the time a call may take")
	}
	roots, err := o.uploadFolders()
	if err != nil {
		return nil, nil, err
	}
	limits, err := tools.ParseRateLimits(o.streams.Getenv("TOOLKIT_RATE_LIMITS"))
	if err != nil {
		return nil, nil, usagef("TOOLKIT_RATE_LIMITS: %v", err)
	}
	a, err := app.Open(ctx, app.Settings{
		FileRoots: roots, EngineCache: o.engineCache(),
		RateLimits: limits, Tracing: o.tracing,
		Patience: patience,
		DB:       path, Logger: logger, Notifications: notify,
		Access:      tools.Access{Families: o.families, Tools: o.tools, Exclude: o.exclude, Grants: o.grants, ReadOnly: o.readOnly},
		HintsInMeta: o.hints == "meta", MemoryCompat: o.compat == "memory", Orientation: orient, Getenv: o.streams.Getenv,
		PocketRateLimit: o.pocketLimit,
	})
	var misnamed *tools.AccessError
	if errors.As(err, &misnamed) {
		return nil, nil, &usageError{err}
	}
	return a, logger, err
}

// openExisting builds the app over a database that must be there; it logs errors
// alone.
func (o *settings) openExisting(ctx context.Context) (*app.App, error) {
	path, err := o.path()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no database at %s; give its path with --db FILE or TOOLKIT_DB", path)
	}
	a, _, err := o.open(ctx, slog.LevelError, nil)
	return a, err
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
			return nil, usagef("--file-root %q cannot be made a whole path: %v", folder, err)
		}
		if info, err := os.Stat(whole); err != nil || !info.IsDir() {
			return nil, usagef("--file-root %q is no folder that can be read", folder)
		}
		folders = append(folders, whole)
	}
	return folders, nil
}

// engineCache is where the PDF reader's compiled code is kept between runs;
// empty where the user has no folder for such things.
func (o *settings) engineCache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "toolkit", "pdfium")
}

// checkRights settles the two switches that guard what is stored: neither may
// open more than was meant because of a typing error or an unset variable.
func (o *settings) checkRights() error {
	if o.grantFlag == nil {
		return nil // a command that serves nothing
	}
	if len(o.grants) == 0 && o.grantFlag.Changed {
		return usagef("--grant is empty; name the rights, such as graph:read, or leave it out to grant all")
	}
	if o.readOnlyFlag.Changed {
		return nil
	}
	switch value := strings.ToLower(strings.TrimSpace(o.streams.Getenv("TOOLKIT_READ_ONLY"))); value {
	case "", "0", "false", "no", "off":
	case "1", "true", "yes", "on":
		o.readOnly = true
	default:
		return usagef("TOOLKIT_READ_ONLY=%s is neither yes nor no; use 1 or 0", value)
	}
	return nil
}
