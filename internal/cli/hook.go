package cli

import (
	"context"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"toolkit/embed"
	"toolkit/internal/app"
	"toolkit/internal/capture"
	"toolkit/internal/capture/hooks"
	"toolkit/store"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

// hookName is the command that never fails: to a client an exit code may mean that
// a prompt is to be blocked.
const hookName = "hook"

func newHook(o *settings) *cobra.Command {
	var h hooks.Options
	cmd := newCommand(hookName, cobra.ArbitraryArgs, func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			h.Event = args[0]
		}
		o.runHook(cmd.Context(), h)
		return nil
	})
	cmd.FParseErrWhitelist.UnknownFlags = true
	cmd.Flags().StringVar(&h.Client, "client", "", "who calls: claude-code, codex or gemini-cli; told by the input if absent")
	cmd.Flags().StringVar(&h.Transcript, "transcript", "", "of capture: the session to take in; if absent, what changed since the last look")
	return cmd
}

// maxHookMemory is how much memory a hook takes before it collects garbage, in bytes. Few
// take as much, and to look for garbage is a seventh of their work.
const maxHookMemory = 256 << 20

// runHook runs a hook. It never fails: what went wrong is recorded for toolkit doctor.
func (o *settings) runHook(ctx context.Context, h hooks.Options) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(maxHookMemory))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	switches, misread := o.readCaptureSwitches()
	path, err := o.absoluteDatabasePath()
	if err != nil || misread != nil || switches.HooksOff { // misread: rather silent
		return
	}
	h.Database, h.In, h.Out, h.Getenv, h.Now, h.Detach = path, o.streams.In, o.streams.Out, o.streams.Getenv, time.Now, hooks.StartSelfDetached
	if o.configError != nil { // it may name another database
		hooks.RecordFailureToStart(h, "the configuration cannot be read")
		return
	}
	if h.Transcript != "" && o.checkIsNoToolkitFile(h.Transcript) != nil {
		return
	}
	h.Home, _ = os.UserHomeDir()                            // without one every folder is a project
	h.Embedder, _ = embed.FromEnvironment(o.streams.Getenv) // a wrong setting is the server's to tell
	h.TimeoutFactor, _ = strconv.Atoi(o.streams.Getenv("TOOLKIT_PATIENCE"))
	h.Capture = func(db *store.DB, search *memory.Search) *capture.Capture {
		return &capture.Capture{Store: db, Search: search, Home: h.Home, Off: switches.IsOff}
	}
	h.StoreTurn = func(ctx context.Context, c *capture.Capture, said capture.HookTurn) error {
		return c.StoreHookTurn(ctx, said)
	}
	h.Recall = func(ctx context.Context, db *store.DB, a recall.PromptRequest) (recall.Injection, error) {
		return recall.FindNotesForPrompt(ctx, db, app.SearchProviders(), a)
	}
	hooks.HandleHookEvent(ctx, h)
}
