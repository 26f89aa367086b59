package app

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"toolkit/internal/plaidtest"
	"toolkit/internal/toolstest"
	"toolkit/store/localfile"
	"toolkit/tools"
	"toolkit/tools/entities"
	"toolkit/tools/toolset"
)

// exampleTimeout keeps a busy machine from failing a check of rules, not of speed.
const exampleTimeout = 60

// inputBudget is what a model may read before its first call, in bytes: all families together
// but the doors; 3,200 of them bound lengths.
const inputBudget = 64_000

// withBank has a bank inside the process, for the examples that need one.
func withBank() Settings {
	bank := plaidtest.New()
	bank.PublicToken()
	environment := map[string]string{"PLAID_CLIENT_ID": plaidtest.ClientID, "PLAID_SECRET": plaidtest.Secret}
	return Settings{HTTP: &http.Client{Transport: bank}, Getenv: func(name string) string { return environment[name] }}
}

// fresh opens an app in an empty folder, with what examples find besides an empty
// database: an archive to import and a file to upload.
func fresh(ctx context.Context, s Settings, dir string) (tools.ServerOptions, *App, error) {
	var none tools.ServerOptions
	if err := toolstest.WriteExampleArchive(dir); err != nil {
		return none, nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, entities.SampleName), []byte(entities.Sample), 0o600); err != nil {
		return none, nil, err
	}
	s.DB, s.TimeoutFactor = filepath.Join(dir, "toolkit.db"), exampleTimeout
	a, err := Open(ctx, s)
	if err != nil {
		return none, nil, err
	}
	a.files.Roots = localfile.Roots{Folders: []string{dir}, Working: dir}
	options, err := a.newServerOptions(s)
	if err != nil {
		a.Close() //nolint:errcheck // the first error is the one to report
	}
	return options, a, err
}

// The graph also gives its results under the rules of the official memory server.
func TestExamplesOfEveryToolGiveTheirResults(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	registry := allTools(t)
	for _, d := range registry.All() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			toolstest.CheckDefinition(t, registry, d)
			for i := range d.Examples() {
				runExample(t, d.Name, i, false)
				if d.Family == "graph" {
					runExample(t, d.Name, i, true)
				}
			}
		})
	}
}

// runExample runs an example of a tool in an app of its own.
func runExample(t *testing.T, tool string, example int, compat bool) {
	t.Helper()
	s := withBank()
	s.MemoryCompat = compat
	options, a, err := fresh(t.Context(), s, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, err := tools.NewPipeline(options)
	if err != nil {
		t.Fatal(err)
	}
	d := options.Registry.Get(tool)
	toolstest.RunExample(t, p, d, d.Examples()[example])
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

func TestInputSchemasOfAllFamiliesStayWithinTheirBudget(t *testing.T) {
	input := 0
	for _, d := range allTools(t).All() {
		schema, err := d.InputSchema()
		if err != nil {
			t.Fatal(err)
		}
		size := len(toolstest.EncodeJSON(map[string]any{"name": d.Name, "description": d.Description, "inputSchema": schema}))
		if d.Family != toolset.Name { // which is listed in place of the others
			input += size
		}
		if size < 100 {
			t.Errorf("%s: %d bytes of input; that cannot be all", d.Name, size)
		}
	}
	if input > inputBudget {
		t.Errorf("the tools cost a model %d bytes, more than %d", input, inputBudget)
	}
}
