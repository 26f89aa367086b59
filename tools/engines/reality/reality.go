// Package reality keeps the facts that a chart's current reality has from its
// action steps: that a step is complete, that everything below one is, and what
// was observed on the way. They follow the steps: a step that is reopened,
// renamed or deleted takes its facts along, so that reality never tells of a
// step what is not so. Charts and graph share it, because both can change a step.
package reality

import (
	"strings"

	"toolkit/store/nodes"
)

const (
	completed   = "Completed: "
	allComplete = "All action steps complete: "
	progress    = "Progress on "
)

// Completed is the fact that a step is complete, in the chart that owns it.
func Completed(title string) string { return completed + title }

// Progress is an observation on a step, in the chart that owns it.
func Progress(title, text string) string { return progress + title + ": " + text }

// Derived reports whether a fact is one that follows from the state of a step.
func Derived(fact string) bool {
	return strings.HasPrefix(fact, completed) || strings.HasPrefix(fact, allComplete)
}

// Facts are the facts of a text that gives several, joined as realities are shown.
// A text that would not read the same when joined again is one fact.
func Facts(text string) []string {
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

// News is what a change of a step did to the realities above it.
type News struct {
	Told      []string // ids of the charts that heard that all below a step is complete
	Withdrawn []string // facts that are not so any more
}

// Settle brings the realities above a chart in line with its steps: the parent
// hears when all steps below its step are complete, and so on upward; it hears
// the contrary when one is open again. The step itself stays as it is: its
// outcome is more than its steps.
func Settle(tx nodes.Rows, chart int64) (n News, err error) {
	seen := map[int64]bool{} // imported charts are not trusted to form a tree
	for !seen[chart] {
		seen[chart] = true
		c, err := tx.ChartAt(chart)
		if err != nil || c == nil || c.ParentStep == "" {
			return n, err
		}
		row, parent := c.ParentRows()
		step, err := tx.StepAt(row)
		if err != nil || step == nil {
			return n, err
		}
		done, total, err := tx.StepsBelow(row)
		if err != nil {
			return n, err
		}
		if done < total || total == 0 {
			gone, err := tx.DeleteObservations(parent, []string{allComplete + step.Title})
			n.Withdrawn = append(n.Withdrawn, gone...)
			return n, err
		}
		news, err := tx.AppendFacts(parent, []string{allComplete + step.Title})
		if err != nil {
			return n, err
		}
		if len(news) > 0 {
			n.Told = append(n.Told, step.ChartID)
		}
		chart = parent
	}
	return n, nil
}

// Reopen withdraws what the owner of a step knows of its completion, and settles
// what lies above. The step is open already.
func Reopen(tx nodes.Rows, s *nodes.Step) (News, error) {
	gone, err := tx.DeleteObservations(s.Chart, []string{completed + s.Title})
	if err != nil {
		return News{}, err
	}
	n, err := Settle(tx, s.Chart)
	n.Withdrawn = append(gone, n.Withdrawn...)
	return n, err
}

// Rename lets the facts of a step's owner speak of it by its new title.
func Rename(tx nodes.Rows, s *nodes.Step, title string) error {
	facts, err := tx.Facts(s.Chart)
	if err != nil {
		return err
	}
	for _, fact := range facts {
		renamed := fact
		switch rest, ofProgress := strings.CutPrefix(fact, progress+s.Title+": "); {
		case ofProgress:
			renamed = Progress(title, rest)
		case fact == completed+s.Title:
			renamed = completed + title
		case fact == allComplete+s.Title:
			renamed = allComplete + title
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

// Delete removes nodes with all that lives in them, as [store.Tx.ChartSubtree]
// lists it, and withdraws from the charts that stay what followed from the
// deleted steps.
func Delete(tx nodes.Rows, rows []int64) (n News, err error) {
	steps, err := tx.StepsOf(rows)
	if err != nil {
		return n, err
	}
	detailed, err := tx.StepsDetailedBy(rows)
	if err != nil {
		return n, err
	}
	for _, s := range steps {
		gone, err := tx.DeleteObservations(s.Chart, []string{completed + s.Title, allComplete + s.Title})
		if err != nil {
			return n, err
		}
		n.Withdrawn = append(n.Withdrawn, gone...)
	}
	if err := tx.DeleteEntityRows(rows); err != nil {
		return n, err
	}
	for _, s := range detailed { // their charts are gone
		gone, err := tx.DeleteObservations(s.Chart, []string{allComplete + s.Title})
		if err != nil {
			return n, err
		}
		n.Withdrawn = append(n.Withdrawn, gone...)
	}
	for _, s := range steps {
		above, err := Settle(tx, s.Chart)
		if err != nil {
			return n, err
		}
		n.Told, n.Withdrawn = append(n.Told, above.Told...), append(n.Withdrawn, above.Withdrawn...)
	}
	return n, nil
}
