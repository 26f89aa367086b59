package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"toolkit/internal/app"
	"toolkit/tools"
	"toolkit/tools/integrations/telemetry"
)

func TestMetricsTellTheCallsOfEverySpace(t *testing.T) {
	ctx := t.Context()
	settings := app.Settings{DB: database(t)}
	base, err := app.Open(ctx, settings)
	if err != nil {
		t.Fatal(err)
	}
	defer base.Close() //nolint:errcheck // the test is over
	spaces := &openSpaces{base: base}
	anna, err := spaces.newOpener(settings)(ctx, "anna")
	if err != nil {
		t.Fatal(err)
	}
	create := func(on *tools.Server, name string) {
		t.Helper()
		arguments, _ := json.Marshal(oneEntity(name))
		if r, err := on.Pipeline.Call(ctx, tools.Request{Tool: "create_entities", Arguments: arguments}); err != nil || r.IsError {
			t.Fatalf("%v %+v", err, r)
		}
	}
	create(base.Server, "Nutria")
	create(anna.Tools, "Otter")
	create(anna.Tools, "Heron")
	exposed := func() string {
		t.Helper()
		var text strings.Builder
		if err := telemetry.Recorders(spaces.listRecorders).Expose(ctx, &text); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	const ofBase = `toolkit_tool_calls_total{status="success",tool="create_entities"} 1`
	const ofAnna = `toolkit_tool_calls_total{space="anna",status="success",tool="create_entities"} 2`
	if text := exposed(); !strings.Contains(text, ofBase) || !strings.Contains(text, ofAnna) {
		t.Errorf("with an open space: %s", text)
	}
	anna.Close()
	if text := exposed(); !strings.Contains(text, ofBase) || strings.Contains(text, "anna") {
		t.Errorf("after it was closed: %s", text)
	}
}
