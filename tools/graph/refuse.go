package graph

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

// maxCandidates is how many similar names a refusal proposes.
const maxCandidates = 5

// checkTextsNotBlank refuses a blank text in a list.
func checkTextsNotBlank(list string, texts []string) error {
	for i, text := range texts {
		if err := tools.RequireText(fmt.Sprintf("%s[%d]", list, i), text); err != nil {
			return err
		}
	}
	return nil
}

// ignoreInCompat drops what a check of an observation or a type found in compatibility: the official memory server
// takes blank ones.
func (f family) ignoreInCompat(err error) error {
	if f.MemoryCompat {
		return nil
	}
	return err
}

// itemPath is the JSON path of a field of a list's item.
func itemPath(list string, i int, field string) string {
	return fmt.Sprintf("%s[%d].%s", list, i, field)
}

// missingEntity is a name that should exist and does not. It ends a write; the
// candidates are looked for afterwards, outside the transaction.
type missingEntity struct{ field, name string }

func (e *missingEntity) Error() string { return fmt.Sprintf("Entity with name %s not found", e.name) }

// writeOrRefuseMissing runs f in one transaction and turns a missing entity into the
// documented error.
func (f family) writeOrRefuseMissing(ctx context.Context, do func(*store.Tx) error) error {
	err := f.Store.Write(ctx, do)
	if missing, is := errors.AsType[*missingEntity](err); is {
		return f.notFoundError(ctx, missing)
	}
	return err
}

// notFoundError returns the documented error, worded like the official server's, with the
// nearest names.
func (f family) notFoundError(ctx context.Context, missing *missingEntity) error {
	candidates, err := f.findNameCandidates(ctx, missing.name)
	if err != nil {
		return err
	}
	h := tools.NewRefusalHints()
	if len(candidates) > 0 {
		h.Because(fmt.Sprintf("no entity has this exact name; perhaps meant: %s. Use one of them, or create the entity first.", quoteNames(candidates))).
			SuggestCall("open_nodes", tools.PriorityHigh, map[string]any{"names": candidates}, "see which of them is meant")
		for _, name := range candidates {
			h.AddRelatedResource("entity", name, name, 0.7)
		}
	} else {
		h.Because("no entity has this exact name or a similar one; create it first, or search by what is known of it.")
	}
	h.SuggestCall("search_nodes", tools.PriorityMedium, map[string]any{"query": missing.name}, "search names, types and observations").
		SuggestCall("create_entities", tools.PriorityMedium, map[string]any{"entities": []NewEntity{{missing.name, "thing", []string{}}}}, "add it, with its type, if it is new")
	refused := tools.Refused(tools.CodeNotFound, missing.field, "existing entity", "%s", missing.Error()).
		WithDetail("candidates", candidates).WithHints(h)
	refused.Verbatim = f.MemoryCompat
	return refused
}

// findNameCandidates returns the names of entities that may be meant by one that is not there: of
// charts, steps and beats with this title, else those most like it.
func (f family) findNameCandidates(ctx context.Context, name string) ([]string, error) {
	return store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]string, error) {
		if titled, err := findChartOrStepIDsByTitle(graph.In(tx), name); err != nil || len(titled) > 0 {
			return titled, err
		}
		return graph.In(tx).NearestNames(name, maxCandidates)
	})
}

// warnUnknownNames warns where names that were not there may mean other entities, and suggests to
// look for what was meant. What was asked for is written by then: that nothing could be looked up
// is a warning too, no failure.
func (f family) warnUnknownNames(ctx context.Context, h *tools.Hints, names []string) {
	if f.MemoryCompat || len(names) == 0 {
		return
	}
	var all []string
	for _, name := range names[:min(len(names), maxCandidates)] {
		candidates, err := f.findNameCandidates(ctx, name)
		if err != nil {
			h.Warn("validation", tools.PriorityLow, "it is done, but names like those that were not found could not be looked up", "")
			break
		}
		if len(candidates) > 0 {
			all = append(all, candidates...)
			h.Warn("validation", tools.PriorityMedium, fmt.Sprintf("no entity is named %q; perhaps meant: %s", tools.ShortenForMessage(name), quoteNames(candidates)), "names are exact: call again with the name that is meant")
		}
	}
	if len(all) > 0 {
		h.SuggestCall("open_nodes", tools.PriorityMedium, map[string]any{"names": all[:min(len(all), maxCandidates)]}, "see which of them is meant")
	} else {
		h.SuggestCall("search_nodes", tools.PriorityMedium, map[string]any{"query": names[0]}, "look for the name that was meant")
	}
}

const (
	// minObservationSimilarity is how like an observation is at least to one that is not there,
	// to be named beside it.
	minObservationSimilarity = 0.6
	// maxComparedWithMissing bounds the observations of an entity, the newest, that are compared.
	maxComparedWithMissing = 1000
)

// warnNearObservations names the observations nearest to those that were to be deleted from
// entities and are not there. What was there is deleted by then: that nothing could be looked up is
// a warning too, no failure.
func (f family) warnNearObservations(ctx context.Context, h *tools.Hints, missing []Deletion) {
	if f.MemoryCompat {
		return
	}
	for _, d := range missing[:min(len(missing), maxCandidates)] {
		observations, err := f.readDeletableObservations(ctx, d.EntityName)
		if err != nil {
			h.Warn("validation", tools.PriorityLow, "it is done, but observations like those that were not found could not be looked up", "")
			return
		}
		for _, wanted := range d.Observations[:min(len(d.Observations), maxCandidates)] {
			if near := findNearestText(wanted, observations); near != "" {
				h.Warn("validation", tools.PriorityMedium, fmt.Sprintf("%q has no observation %q; perhaps meant: %s", tools.ShortenForMessage(d.EntityName), tools.ShortenForMessage(wanted), quoteNames([]string{near})), "observations are given word for word: call again with the one that is meant")
			}
		}
	}
}

// readDeletableObservations returns the observations of an entity; what a chart, step or beat shows
// is mostly computed, and left out.
func (f family) readDeletableObservations(ctx context.Context, name string) (observations []string, err error) {
	err = f.Store.Read(ctx, func(tx *store.Tx) error {
		rows := graph.In(tx)
		refs, err := rows.ResolveEntities([]string{name})
		if err != nil || refs[name].Kind != graph.KindPlain {
			return err
		}
		entities, err := rows.ReadEntities([]int64{refs[name].ID}, maxComparedWithMissing)
		for _, e := range entities {
			observations = e.Observations
		}
		return err
	})
	return observations, err
}

// findNearestText returns the text that is most like the wanted one, none where no text is.
func findNearestText(wanted string, texts []string) (nearest string) {
	best := minObservationSimilarity
	pieces := language.PiecesOf(truncateQuery(wanted))
	for _, text := range texts {
		if similarity := pieces.Likeness(language.PiecesOf(truncateQuery(text))); similarity > best {
			nearest, best = text, similarity
		}
	}
	return nearest
}

// nearNames are the names of others that new entities nearly have, by theirs: one thing may have
// got two.
type nearNames map[string][]string

// findNearNames looks for them; known is false when a write cannot tell.
func findNearNames(rows graph.Rows, added []Entity) (near nearNames, known bool, err error) {
	near = nearNames{}
	for _, e := range added[:min(len(added), maxCandidates)] {
		names, known, err := rows.NearlySameNames(e.Name, maxCandidates)
		if err != nil || !known {
			return nil, known, err
		}
		if len(names) > 0 {
			near[e.Name] = names
		}
	}
	return near, true, nil
}

// warnNearNames warns of near names, which it looks for itself when near is nil, and returns them.
// The entities are written by then: that nothing could be looked up is a warning too, no failure.
func (f family) warnNearNames(ctx context.Context, h *tools.Hints, added []Entity, near nearNames) nearNames {
	if f.MemoryCompat {
		return nil
	}
	if near == nil {
		err := f.Store.Read(ctx, func(tx *store.Tx) (err error) {
			near, _, err = findNearNames(graph.In(tx), added)
			return err
		})
		if err != nil {
			h.Warn("duplicate", tools.PriorityLow, "they are created, but whether others have nearly their names could not be looked up", "")
		}
	}
	for _, e := range added {
		if names := near[e.Name]; len(names) > 0 {
			h.Warn("duplicate", tools.PriorityMedium, fmt.Sprintf("%q has nearly the name of %s", tools.ShortenForMessage(e.Name), quoteNames(names)), "if it is the same, add the observations there and delete this one")
		}
	}
	return near
}

func quoteNames(names []string) string {
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = fmt.Sprintf("%q", tools.ShortenForMessage(n))
	}
	return strings.Join(parts, ", ")
}
