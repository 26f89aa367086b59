package app

import (
	"net/http"
	"testing"

	"toolkit/tools/integrations"
	"toolkit/tools/integrations/plaid/standin"
)

// withBank has a bank inside the process, for the examples that need one.
func withBank() Settings {
	bank := standin.New()
	bank.PublicToken()
	environment := map[string]string{"PLAID_CLIENT_ID": standin.ClientID, "PLAID_SECRET": standin.Secret}
	return Settings{HTTP: &http.Client{Transport: bank}, Getenv: func(name string) string { return environment[name] }}
}

// checklistLines is how many lines the source's verification checklist has.
const checklistLines = 29

func TestEveryToolPassesEveryLineOfTheChecklist(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	registry, err := Registry()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		surroundings func() Settings
		needy        int // tools whose examples need what is not there
	}{
		"with a bank": {withBank, 0}, "without one": {nil, 4},
	} {
		checks, err := Verify(t.Context(), tc.surroundings)
		if err != nil || len(checks) != checklistLines*len(registry.All()) {
			t.Fatalf("%s: %d checks, %v", name, len(checks), err)
		}
		needy := map[string]bool{}
		for _, c := range checks {
			if c.Needs != "" {
				needy[c.Tool] = true
			}
			if c.Needs != "" && (c.OK || c.Needs != integrations.Bank) || c.Needs == "" && !c.OK {
				t.Errorf("%s: %+v", name, c)
			}
		}
		if len(needy) != tc.needy {
			t.Errorf("%s: the examples of %v need a bank", name, needy)
		}
	}
}
