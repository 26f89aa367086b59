// Package reality keeps the facts that a chart's current reality has from its
// action steps: that a step is complete, that everything below one is, and what
// was observed on the way. They follow the steps: a step that is reopened,
// renamed or deleted takes its facts along, so that reality never tells of a
// step what is not so. Charts and graph share it, because both can change a step.
package reality

import (
	"strings"

	"toolkit/store/graph"
)

const (
	completedPrefix   = "Completed: "
	allCompletePrefix = "All action steps complete: "
	progressPrefix    = "Progress on "
)

// FormatCompletedFact returns the fact that a step is complete, in the chart that owns it.
func FormatCompletedFact(title string) string { return completedPrefix + title }

// FormatProgressFact returns an observation on a step, in the chart that owns it.
func FormatProgressFact(title, text string) string { return progressPrefix + title + ": " + text }

// IsDerivedFact reports whether a fact is one that follows from the state of a step.
func IsDerivedFact(fact string) bool {
	return strings.HasPrefix(fact, completedPrefix) || strings.HasPrefix(fact, allCompletePrefix)
}

// SplitFacts returns the facts of a text that gives several, joined as realities are shown.
// A text that would not read the same when joined again is one fact.
func SplitFacts(text string) []string {
	parts := strings.Split(text, "; ")
	seen := map[string]bool{}
	for _, part := range parts {
		if strings.TrimSpace(part) != part || part == "" || seen[part] {
			return []string{text}
		}
		seen[part] = true
	}
	return parts
}

// FactChanges is what a change of a step did to the realities above it.
type FactChanges struct {
	NotifiedCharts []string // ids of the charts that heard that all below a step is complete
	Withdrawn      []string // facts that are not so any more
}

// ReconcileParentFacts brings the realities above a chart in line with its steps: the parent
// hears when all steps below its step are complete, and so on upward; it hears
// the contrary when one is open again. The step itself stays as it is: its
// outcome is more than its steps.
func ReconcileParentFacts(tx graph.Rows, chart int64) (n FactChanges, err error) {
	seen := map[int64]bool{} // imported charts are not trusted to form a tree
	for !seen[chart] {
		seen[chart] = true
		c, err := tx.ChartAt(chart)
		if err != nil || c == nil || c.ParentStep == "" {
			return n, err
		}
		row, parent := c.ParentStepRow, c.ParentChartRow
		step, err := tx.StepAt(row)
		if err != nil || step == nil {
			return n, err
		}
		done, total, err := tx.CountStepsBelow(row)
		if err != nil {
			return n, err
		}
		if done < total || total == 0 {
			gone, err := tx.DeleteObservations(parent, []string{allCompletePrefix + step.Title})
			n.Withdrawn = append(n.Withdrawn, gone...)
			return n, err
		}
		news, err := tx.AppendFacts(parent, []string{allCompletePrefix + step.Title})
		if err != nil {
			return n, err
		}
		if len(news) > 0 {
			n.NotifiedCharts = append(n.NotifiedCharts, step.ChartID)
		}
		chart = parent
	}
	return n, nil
}

// WithdrawCompletionFacts withdraws what the owner of a step knows of its completion, and settles
// what lies above. The step is open already.
func WithdrawCompletionFacts(tx graph.Rows, s *graph.Step) (FactChanges, error) {
	gone, err := tx.DeleteObservations(s.Chart, []string{completedPrefix + s.Title})
	if err != nil {
		return FactChanges{}, err
	}
	n, err := ReconcileParentFacts(tx, s.Chart)
	n.Withdrawn = append(gone, n.Withdrawn...)
	return n, err
}

// RenameStepInFacts lets the facts of a step's owner speak of it by its new title.
func RenameStepInFacts(tx graph.Rows, s *graph.Step, title string) error {
	facts, err := tx.Facts(s.Chart)
	if err != nil {
		return err
	}
	for _, fact := range facts {
		renamed := fact
		switch rest, ofProgress := strings.CutPrefix(fact, progressPrefix+s.Title+": "); {
		case ofProgress:
			renamed = FormatProgressFact(title, rest)
		case fact == completedPrefix+s.Title:
			renamed = completedPrefix + title
		case fact == allCompletePrefix+s.Title:
			renamed = allCompletePrefix + title
		}
		if renamed == fact {
			continue
		}
		if _, err := tx.ReplaceObservation(s.Chart, fact, renamed); err != nil {
			return err
		}
	}
	return nil
}

// DeleteNodesAndFacts removes nodes with all that lives in them, as [store.Tx.ChartSubtree]
// lists it, and withdraws from the charts that stay what followed from the
// deleted steps.
func DeleteNodesAndFacts(tx graph.Rows, rows []int64) (n FactChanges, err error) {
	steps, err := tx.StepsOf(rows)
	if err != nil {
		return n, err
	}
	detailed, err := tx.StepsDetailedBy(rows)
	if err != nil {
		return n, err
	}
	for _, s := range steps {
		gone, err := tx.DeleteObservations(s.Chart, []string{completedPrefix + s.Title, allCompletePrefix + s.Title})
		if err != nil {
			return n, err
		}
		n.Withdrawn = append(n.Withdrawn, gone...)
	}
	if err := tx.DeleteEntityRows(rows); err != nil {
		return n, err
	}
	for _, s := range detailed { // their charts are gone
		gone, err := tx.DeleteObservations(s.Chart, []string{allCompletePrefix + s.Title})
		if err != nil {
			return n, err
		}
		n.Withdrawn = append(n.Withdrawn, gone...)
	}
	for _, s := range steps {
		above, err := ReconcileParentFacts(tx, s.Chart)
		if err != nil {
			return n, err
		}
		n.NotifiedCharts, n.Withdrawn = append(n.NotifiedCharts, above.NotifiedCharts...), append(n.Withdrawn, above.Withdrawn...)
	}
	return n, nil
}
