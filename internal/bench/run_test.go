package bench

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"toolkit/embed"
)

// locomo is the folder of the development conversations, which are not part of
// the repository.
func locomo(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("TOOLKIT_LOCOMO")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data", "locomo-dev")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("LoCoMo is not here; set TOOLKIT_LOCOMO to its folder")
	}
	return dir
}

func TestFusionFindsTheTurnsThatAnswer(t *testing.T) {
	corpus, err := Load(locomo(t))
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := Run(context.Background(), corpus, embed.Local(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Channels {
		t.Logf("%s %+v", c.Name, mean(outcomes[c.Name]))
	}
}

func mean(list []Outcome) Outcome {
	var m Outcome
	for _, o := range list {
		m.Recall1 += o.Recall1 / float64(len(list))
		m.Recall5 += o.Recall5 / float64(len(list))
		m.Recall10 += o.Recall10 / float64(len(list))
		m.Reciprocal += o.Reciprocal / float64(len(list))
	}
	return m
}
