package notice

import (
	"math"
	"testing"

	"toolkit/embed"
)

func TestComparedStatementsAreJudgedAsTheHeadJudgesBoth(t *testing.T) {
	texts := []string{"We use Stripe for payments.", "We moved to Mollie for payments.", "Mara owns the shop.", "der Laden schließt montags"}
	vectors, err := embed.EmbedSentences(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	compared := make([]*ComparedStatement, len(vectors))
	for i, vector := range vectors {
		compared[i] = NewComparedStatement(vector)
	}
	for i, later := range vectors {
		for j, earlier := range vectors {
			want := loadHeads().JudgeLaterReplacesEarlier(ChangeInputs(earlier, later))
			if got := compared[i].ChangeScore(compared[j]); math.Abs(got-want) > 1e-4 {
				t.Errorf("%q before %q: %.6f, and the head says %.6f", texts[j], texts[i], got, want)
			}
		}
	}
}
