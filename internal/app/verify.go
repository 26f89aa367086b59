package app

import (
	"context"
	"os"
	"path/filepath"

	"toolkit/tools"
	"toolkit/tools/integrations"
	"toolkit/tools/payloads"
)

// verifyPatience keeps a busy machine from failing a check of rules, not of speed.
const verifyPatience = 60

// Verify walks the contract's checklist for every tool, running each tool's
// examples on fresh databases in a temporary folder. withBank gives the settings
// of each, with a bank for the examples that need one; nil: there is none.
func Verify(ctx context.Context, withBank func() Settings) ([]tools.Check, error) {
	registry, err := Registry()
	if err != nil {
		return nil, err
	}
	return tools.Verify(ctx, registry, ground(ctx, withBank))
}

// Costs weighs what every tool takes of a model's context, running each tool's
// examples like Verify.
func Costs(ctx context.Context, withBank func() Settings) ([]tools.Cost, error) {
	registry, err := Registry()
	if err != nil {
		return nil, err
	}
	return tools.Costs(ctx, registry, ground(ctx, withBank))
}

// ground makes empty databases in temporary folders.
func ground(ctx context.Context, withBank func() Settings) tools.Ground {
	var g tools.Ground
	if withBank == nil {
		withBank, g.Lacks = func() Settings { return Settings{} }, integrations.Bank
	}
	g.Fresh = func() (tools.ServerOptions, func(), error) {
		dir, err := os.MkdirTemp("", "toolkit-verify-")
		if err != nil {
			return tools.ServerOptions{}, nil, err
		}
		discard := func() { os.RemoveAll(dir) } //nolint:errcheck // a leftover temporary folder harms nobody
		options, a, err := fresh(ctx, withBank(), dir)
		if err != nil {
			discard()
			return tools.ServerOptions{}, nil, err
		}
		return options, func() { a.Close(); discard() }, nil //nolint:errcheck // nothing to keep
	}
	return g
}

// fresh opens an app in an empty folder, with what examples find besides an empty
// database: an archive to import and a file to upload.
func fresh(ctx context.Context, s Settings, dir string) (tools.ServerOptions, *App, error) {
	var none tools.ServerOptions
	name, contents := integrations.ExampleArchive()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return none, nil, err
	}
	if err := os.WriteFile(path, contents, 0o600); err != nil {
		return none, nil, err
	}
	s.DB, s.Patience = filepath.Join(dir, "toolkit.db"), verifyPatience
	a, err := Open(ctx, s)
	if err != nil {
		return none, nil, err
	}
	options := none
	if a.files.Roots, err = payloads.WriteSample(dir); err == nil {
		options, err = a.serverOptions(s)
	}
	if err != nil {
		a.Close() //nolint:errcheck // the first error is the one to report
	}
	return options, a, err
}
