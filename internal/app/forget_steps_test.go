package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/memory"
)

func secretTold(t *testing.T, a *App) {
	t.Helper()
	neighbours(t, a, 0, 6)
	callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "s1", "speaker": "user", "content": "My secret is " + canary})
}

// refusedForget is the code of a call that is refused.
func refusedForget(t *testing.T, a *App, in map[string]any) string {
	t.Helper()
	r := respond(t, a, "forget", in)
	if !r.IsError {
		t.Fatalf("%+v", r)
	}
	var refusal struct{ Code string }
	toolstest.Decode(t, []byte(r.Text), &refusal)
	return refusal.Code
}

func TestForgetRefusesAllButTheTokenOfItsPreview(t *testing.T) {
	a := newApp(t)
	secretTold(t, a)
	in := func(more ...any) map[string]any {
		m := map[string]any{"text": canary}
		for i := 0; i < len(more); i += 2 {
			m[more[i].(string)] = more[i+1]
		}
		return m
	}
	preview := callForget(t, a, in())
	if again := callForget(t, a, in()); again.Confirm != preview.Confirm || again.going() != "dialogue 1" || preview.Forgotten {
		t.Errorf("a preview changed something: %+v, then %+v", preview, again)
	}
	callTool(t, a, "update_working_memory", map[string]any{"content": "remember " + canary, "importance": 0.5})
	for name, wrong := range map[string]map[string]any{
		"a token that was made up":         in("confirm", "0123456789ab"),
		"a token of what was there before": in("confirm", preview.Confirm),
		"a token of another call":          {"items": []string{"session:stays"}, "confirm": preview.Confirm},
	} {
		if code := refusedForget(t, a, wrong); code != "NOT_CONFIRMED" {
			t.Errorf("%s is answered %s", name, code)
		}
	}
	for name, wrong := range map[string]struct {
		in   map[string]any
		code string
	}{
		"nothing named":                     {map[string]any{}, "MISSING_REQUIRED"},
		"a text of two letters":             {map[string]any{"text": " a "}, "VALIDATION_ERROR"},
		"an item without a kind":            {map[string]any{"items": []string{"12"}}, "VALIDATION_ERROR"},
		"an argument that it does not have": {map[string]any{"text": canary, "session": "s1"}, "VALIDATION_ERROR"},
		"a thing that is not there":         {map[string]any{"items": []string{"dialogue:4711"}}, "NOT_FOUND"},
	} {
		if code := refusedForget(t, a, wrong.in); code != wrong.code {
			t.Errorf("%s is answered %s", name, code)
		}
	}
	if now := callForget(t, a, in("wait_for_previous", true)); now.going() != "dialogue 1, working 1" {
		t.Errorf("after refusals there is %s", now.going())
	}
}

func TestTheForgetPreviewListsDerivedInsightsAndMentions(t *testing.T) {
	a := newApp(t)
	neighbours(t, a, 0, 3)
	callTool(t, a, "create_entities", map[string]any{"entities": []any{map[string]any{"name": "Mirabelle", "entityType": "person", "observations": []string{"likes tea"}}}})
	callTool(t, a, "add_observations", map[string]any{"observations": []any{map[string]any{"entityName": "Neighbour 0", "contents": []string{"met Mirabelle"}}}})
	callTool(t, a, "create_structural_tension_chart", map[string]any{"desiredOutcome": "Publish a finished album", "currentReality": "Mirabelle has two songs", "dueDate": "2030-01-01T00:00:00Z"})
	callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "s", "speaker": "user", "content": "Mirabelle plays the harp"})
	callTool(t, a, "compress_to_l2_insight", map[string]any{"content": "There is a harpist", "source_ids": []int{4}})
	refs := func(groups any) string {
		raw, _ := json.Marshal(groups)
		return string(raw)
	}
	entity := callForget(t, a, map[string]any{"items": []string{"entity:Mirabelle"}})
	if entity.going() != "entity 1, observation 1" {
		t.Errorf("with the entity goes %s", entity.going())
	}
	for _, want := range []string{"met Mirabelle", "Mirabelle has two songs", "Mirabelle plays the harp"} {
		if !strings.Contains(refs(entity.Mentions), want) {
			t.Errorf("%q is not among the mentions %s", want, refs(entity.Mentions))
		}
	}
	turn := callForget(t, a, map[string]any{"items": []string{"session:s"}})
	if turn.going() != "dialogue 1" || !strings.Contains(refs(turn.Derived), "There is a harpist") {
		t.Errorf("of a session goes %s, derived is %s", turn.going(), refs(turn.Derived))
	}
	forgetWhat(t, a, map[string]any{"items": []string{"session:s"}})
	if kept := callForget(t, a, map[string]any{"text": "harpist"}); kept.going() != "insight 1" {
		t.Errorf("the insight that was to stay: %s", kept.going())
	}
	sources := callTool(t, a, "get_insight_history", map[string]any{"id": 1})
	if raw, _ := json.Marshal(sources); strings.Contains(string(raw), `"source_ids":[4]`) {
		t.Errorf("it still names the forgotten turn: %s", raw)
	}
}

// The charts above a step know of it by its title.
func TestAForgottenStepTakesItsFactsFromTheChartAbove(t *testing.T) {
	a := appOn(t, filepath.Join(t.TempDir(), "t.db"))
	callTool(t, a, "create_structural_tension_chart", map[string]any{"desiredOutcome": "Publish a finished album", "currentReality": "Two songs exist", "dueDate": "2030-01-01T00:00:00Z", "actionSteps": []string{"Mirabelle recorded", "Cover printed"}})
	callTool(t, a, "mark_action_complete", map[string]any{"actionStepName": "Mirabelle recorded"})
	for _, group := range callForget(t, a, map[string]any{"text": "Mirabelle recorded"}).Going {
		if group.Kind == "entity" {
			forgetWhat(t, a, map[string]any{"items": []string{group.Items[0].Ref}})
		}
	}
	if left := callForget(t, a, map[string]any{"text": "Mirabelle"}); left.going() != "" {
		t.Errorf("the chart above still says it: %s", left.going())
	}
}

// What another process reads stays in the file and its log until it lets go; then the next
// write of any process removes it, also when the one that forgot is gone.
func TestForgottenBytesGoWithTheNextWriteAfterAReaderEnds(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "t.db")
	a, other := appOn(t, path), appOn(t, path)
	secretTold(t, a)
	storetest.Read(t, other.Store, func(tx *store.Tx) error {
		if _, err := memory.In(tx).Sessions("", 1); err != nil {
			return err
		}
		in := map[string]any{"text": canary}
		in["confirm"] = callForget(t, a, in).Confirm
		if done := callForget(t, a, in); !done.Forgotten || !strings.Contains(done.Message, "another process is reading: the last bytes in the database file and its log") {
			t.Errorf("it says %+v", done)
		}
		return a.Close()
	})
	if len(holding(t, folder)) == 0 {
		t.Error("the reader held nothing back; the test tests nothing")
	}
	callTool(t, other, "update_working_memory", map[string]any{"content": "something else", "importance": 0.5})
	if names := holding(t, folder); len(names) > 0 {
		t.Errorf("still in %v", names)
	}
}

// The files as a kill leaves them, before the commit and behind it.
func TestAKilledForgettingIsWholeOrNotAtAll(t *testing.T) {
	folder, inside, behind := t.TempDir(), t.TempDir(), t.TempDir()
	path := filepath.Join(folder, "t.db")
	a, other := appOn(t, path), appOn(t, path)
	secretTold(t, a)
	err := other.Store.Read(t.Context(), func(tx *store.Tx) error { // holds back what follows the commit
		if _, err := memory.In(tx).Sessions("", 1); err != nil {
			return err
		}
		return a.Store.Forget(t.Context(), func(tx *store.Tx) error {
			if _, err := memory.In(tx).DeleteDialogue([]int64{7}); err != nil {
				return err
			}
			return os.CopyFS(inside, os.DirFS(folder))
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(behind, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if found := callForget(t, appOn(t, filepath.Join(inside, "t.db")), map[string]any{"text": canary}); found.going() != "dialogue 1" {
		t.Errorf("killed before the commit, there is %q", found.going())
	}
	if len(holding(t, behind)) == 0 {
		t.Error("nothing was left behind the commit; the test tests nothing")
	}
	if found := callForget(t, appOn(t, filepath.Join(behind, "t.db")), map[string]any{"text": canary}); found.going() != "" {
		t.Errorf("killed behind the commit, there is %q", found.going())
	}
	if names := holding(t, behind); len(names) > 0 {
		t.Errorf("after the restart it is still in %v", names)
	}
}

// What somebody set right of a document says nothing without it.
func TestAnEntityGoesWithItsLastDocumentAndItsCorrections(t *testing.T) {
	const secret = "Nora Petrov"
	invoice := map[string]any{"invoice_number": "N-1", "amount": 90.1, "vendor_name": "Alpha", "customer_name": secret}
	contract := map[string]any{"contract_number": "C-1", "parties": []string{"Alpha", secret}, "start_date": "2026-05-01"}
	for name, c := range map[string]struct {
		kind, field string
		body        map[string]any
		withdrawn   bool
		more        map[string]any // another document of the same entity
		going       string
		stays       bool // the entity
	}{
		"an invoice with a correction that was withdrawn": {"invoice", "amount", invoice, true, nil, "record 3, truth_entity 2", false},
		"a contract with a corrected date":                {"contract", "start_date", contract, false, nil, "record 2, truth_entity 2", false},
		"an invoice that another document names too": {"invoice", "amount", invoice, false,
			map[string]any{"invoice_number": "N-1", "amount": 91, "vendor_name": "Alpha"}, "record 1, truth_entity 1", true},
	} {
		t.Run(name, func(t *testing.T) {
			a := newApp(t)
			submitted := func(kind string, body map[string]any) string {
				out := callTool(t, a, "submit_payload", map[string]any{"capability_id": "neotoma:store_" + kind + ":v1", "body": body,
					"provenance": map[string]any{"source_refs": []string{}, "extracted_at": "2026-01-01", "extractor_version": "test:v1"}})
				return out["entities"].([]any)[0].(map[string]any)["entity_id"].(string)
			}
			entity := submitted(c.kind, c.body)
			submitted("invoice", map[string]any{"invoice_number": "other", "vendor_name": "Alpha"})
			if c.more != nil {
				submitted(c.kind, c.more)
			}
			callTool(t, a, "correct_field", map[string]any{"entity_id": entity, "field": c.field, "value": "2026-06-01"})
			if c.withdrawn {
				callTool(t, a, "withdraw_correction", map[string]any{"entity_id": entity, "field": c.field})
			}
			if preview := callForget(t, a, map[string]any{"text": secret}); preview.going() != c.going {
				t.Errorf("the preview lists %s, not %s", preview.going(), c.going)
			}
			forgetWhat(t, a, map[string]any{"text": secret})
			left := callTool(t, a, "find_entities", map[string]any{"type": c.kind})
			raw, _ := json.Marshal(left)
			if strings.Contains(string(raw), entity) != c.stays {
				t.Errorf("of its kind are left %s", raw)
			}
			company := callTool(t, a, "find_entities", map[string]any{"type": "company", "name": "Alpha"})
			if raw, _ := json.Marshal(company); !strings.Contains(string(raw), "Alpha") {
				t.Errorf("the company that another document names went: %s", raw)
			}
		})
	}
}

func TestAPreviewShowsWholeWhatAWordWouldTakeAndAsksForConsent(t *testing.T) {
	a := appOn(t, filepath.Join(t.TempDir(), "t.db"))
	statement := "The tenants agreed on " + canary + " as the caretaker, who is paid on the first of each month, keeps all keys but that of the cellar, and may be called until ten in the evening, on Sundays until noon."
	callTool(t, a, "compress_to_l2_insight", map[string]any{"content": statement, "source_ids": []int{}})
	for range 7 {
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "s", "speaker": "user", "content": canary + " " + strings.Repeat("and so on ", 200)})
	}
	preview := callForget(t, a, map[string]any{"text": canary})
	for _, part := range []string{"8 things would go for good, each as a whole", "Show them to the user and ask", "only if the user agrees", "2 others are not shown here: show lists more"} {
		if !strings.Contains(preview.Message, part) {
			t.Errorf("%q is missing in %q", part, preview.Message)
		}
	}
	for _, g := range preview.Going {
		for _, item := range g.Items {
			if g.Kind == "insight" && item.Line != statement {
				t.Errorf("the user sees %q of %q", item.Line, statement)
			}
			if n := utf8.RuneCountInString(item.Line); n > 600 || g.Kind == "dialogue" && n < 600 {
				t.Errorf("%d characters are shown of a long text", n)
			}
		}
	}
}
