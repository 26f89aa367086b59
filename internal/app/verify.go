package app

import (
	"context"
	"net/http"
	"os"
	"path/filepath"

	"toolkit/internal/plaid/standin"
	"toolkit/tools"
	"toolkit/tools/integrations"
	"toolkit/tools/payloads"
)

// verifyPatience keeps a busy machine from failing a check of rules, not of speed.
const verifyPatience = 60

// Verify walks the contract's checklist for every tool, running each tool's
// examples on fresh databases in a temporary folder.
func Verify(ctx context.Context) ([]tools.Check, error) {
	registry, err := Registry()
	if err != nil {
		return nil, err
	}
	return tools.Verify(ctx, registry, fresh(ctx))
}

// Costs weighs what every tool takes of a model's context, running each tool's
// examples like Verify.
func Costs(ctx context.Context) ([]tools.Cost, error) {
	registry, err := Registry()
	if err != nil {
		return nil, err
	}
	return tools.Costs(ctx, registry, fresh(ctx))
}

// fresh makes empty databases in temporary folders.
func fresh(ctx context.Context) func() (tools.ServerOptions, func(), error) {
	return func() (tools.ServerOptions, func(), error) {
		dir, err := os.MkdirTemp("", "toolkit-verify-")
		if err != nil {
			return tools.ServerOptions{}, nil, err
		}
		discard := func() { os.RemoveAll(dir) } //nolint:errcheck // a leftover temporary folder harms nobody
		settings, err := surroundings(dir)
		if err != nil {
			discard()
			return tools.ServerOptions{}, nil, err
		}
		a, err := Open(ctx, settings)
		if err != nil {
			discard()
			return tools.ServerOptions{}, nil, err
		}
		if a.files.Roots, err = payloads.WriteSample(dir); err != nil {
			a.Close() //nolint:errcheck // the first error is the one to report
			discard()
			return tools.ServerOptions{}, nil, err
		}
		options, err := a.serverOptions(settings)
		if err != nil {
			a.Close() //nolint:errcheck // the first error is the one to report
			discard()
			return tools.ServerOptions{}, nil, err
		}
		return options, func() { a.Close(); discard() }, nil //nolint:errcheck // nothing to keep
	}
}

// surroundings are what examples find besides an empty database: an archive to
// import, and a bank that answers inside the process.
func surroundings(dir string) (Settings, error) {
	name, contents := integrations.ExampleArchive()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return Settings{}, err
	}
	if err := os.WriteFile(path, contents, 0o600); err != nil {
		return Settings{}, err
	}
	bank := standin.New()
	bank.PublicToken()
	environment := map[string]string{"PLAID_CLIENT_ID": standin.ClientID, "PLAID_SECRET": standin.Secret}
	return Settings{
		DB: filepath.Join(dir, "toolkit.db"), Patience: verifyPatience, HTTP: &http.Client{Transport: bank},
		Getenv: func(name string) string { return environment[name] },
	}, nil
}
