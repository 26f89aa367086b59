package entities

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"toolkit/store/entities"
	"toolkit/tools"
)

// Weights of observations by where they come from.
const (
	documentSpecificity   = 0.8
	documentPriority      = 0
	updateSpecificity     = 1.0
	updatePriority        = 100
	correctionSpecificity = 1.0
	correctionPriority    = 1000
)

// Sources of observations.
const (
	fromPayload    = "payload"
	fromRecord     = "record"
	fromUpdate     = "update"
	fromCorrection = "correction"
)

// source is where observations come from, and what they weigh.
type source struct {
	SourceKey   string // what names the source on every machine
	Source      string
	ObservedAt  int64
	Specificity float64
	Priority    int
	Request     string
}

// newDocumentSource is a document of no more weight than others.
func newDocumentSource(key, kind string, observedAt int64) source {
	return source{SourceKey: key, Source: kind, ObservedAt: observedAt, Specificity: documentSpecificity, Priority: documentPriority}
}

// claim is an observation about to be made.
type claim struct {
	source
	Entity    entities.Entity // the one it is made for; merges are followed
	Record    int64
	Fields    object
	Withdraws string // id of the correction that it takes back
}

// isRepeated reports whether one of some observations says the same.
func (c claim) isRepeated(earlier []entities.Observation) bool {
	digest := contentDigest(c.Fields)
	return slices.ContainsFunc(earlier, func(o entities.Observation) bool { return o.Digest == digest })
}

// entityState is an entity with what is known of it, to which observations are added.
type entityState struct {
	entities.Entity                   // the one that holds the observations
	Asked           entities.Entity   // the one that was asked for, perhaps merged into it
	Snapshot        entities.Snapshot // of it
	state           state
	policies        policies
	observed        bool // something was observed before
	added           bool // it is new, so nothing is related to it yet
}

// loadEntityState reads the snapshot that an entity's observations count for.
func loadEntityState(tx entities.Rows, e entities.Entity) (*entityState, error) {
	a := &entityState{Entity: e, Asked: e, policies: policies{}}
	var err error
	if e.Root != e.Seq {
		if a.Entity, err = tx.ByRow(e.Root); err != nil {
			return nil, err
		}
	}
	var named map[string]string
	if a.Snapshot, a.observed, named, err = tx.SnapshotWithPolicies(a.Seq, a.Type); err != nil {
		return nil, err
	}
	for _, field := range capabilityForType(a.Type).Title {
		a.policies[field] = ownLastWrite // the target of a merge keeps its name
	}
	for field, s := range named {
		a.policies[field] = strategy(s)
	}
	a.state, err = parseState(a.Snapshot.State)
	return a, err
}

// resolveEntity finds the entity of an id, following merges. Of an entity whose
// documents were deleted nothing is known.
func resolveEntity(tx entities.Rows, id entityIDValue, field string) (*entityState, error) {
	e, known, err := tx.ByID(string(id))
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, entityNotFoundError(field)
	}
	a, err := loadEntityState(tx, e)
	if err == nil && !a.observed {
		err = entityNotFoundError(field).WithDetail("reason", "nothing is observed of it any more")
	}
	return a, err
}

// warnOfMerge warns that another entity answers than was asked for.
func (a *entityState) warnOfMerge(h *tools.Hints) {
	if a.Asked.ID != a.ID {
		h.Warn("conflict", tools.PriorityLow, "the entity that was asked for was merged into "+a.ID, "use "+a.ID+", or "+unmergeName+" to part them")
	}
}

// buildIndex returns under what the entity can be found; nil while nothing was observed of it.
func (a *entityState) buildIndex() *entities.SnapshotIndex {
	if !a.observed {
		return nil
	}
	return buildSnapshotIndex(a.Type, a.state)
}

// skipRule reports whether an observation that a record could make is to be left out, for it
// says nothing beside what the same record said of the entity earlier.
type skipRule func(a *entityState, s statement, c claim, earlier []entities.Observation) (bool, error)

// storeObservations makes the observations of a document, of each entity one, and returns the fields
// in which they count for nothing. With skip, the record is one that was observed before.
func (d document) storeObservations(tx entities.Rows, record, now int64, skip skipRule) (overruled []string, err error) {
	for i, s := range d.Statements {
		if slices.ContainsFunc(d.Statements[:i], func(before statement) bool { return before.entity.Seq == s.entity.Seq }) {
			continue // it turned out to be of the same entity
		}
		c := claim{source: d.source, Entity: s.entity, Record: record, Fields: s.Fields}
		a, err := loadEntityState(tx, s.entity)
		if err != nil {
			return nil, err
		}
		a.added = s.added
		skipped := false
		var earlier []entities.Observation
		if skip != nil {
			if earlier, err = tx.ObservationsOfRecord(record, s.entity.Seq); err == nil {
				skipped, err = skip(a, s, c, earlier)
			}
		}
		if err == nil && !skipped {
			_, err = a.insertAndApplyObservation(tx, c, len(earlier), now)
		}
		if err != nil {
			return nil, err
		}
		overruled = append(overruled, a.listOverruledFieldWarnings(c)...)
	}
	return overruled, nil
}

// insertAndApplyObservation makes the observation of a claim and returns its id; revision counts what
// the same source said of the entity before.
func (a *entityState) insertAndApplyObservation(tx entities.Rows, c claim, revision int, now int64) (string, error) {
	o := entities.Observation{
		ID: observationID(c, revision), Entity: a.Seq, Origin: c.Entity.Seq, Record: c.Record, Source: c.Source,
		ObservedAt: c.ObservedAt, CreatedAt: now, SpecificityScore: c.Specificity, SourcePriority: c.Priority,
		Digest: contentDigest(c.Fields), Request: c.Request, Fields: encodeJSON(c.Fields), Withdraws: c.Withdraws,
	}
	var err error
	if o.Seq, err = tx.InsertObservation(o); err != nil {
		return "", err
	}
	if c.Withdraws != "" {
		return o.ID, recomputeAndSaveSnapshot(tx, a.Seq)
	}
	before := a.buildIndex()
	a.observed = true
	a.state.applyObservation(observation{rank: rankOfObservation(o), Fields: c.Fields, Merged: o.Origin != o.Entity}, nil, a.policies)
	s := &a.Snapshot
	if s.Count == 0 {
		s.FirstCreatedAt, s.LastObservedAt, s.LastCreatedAt = now, o.ObservedAt, now
	}
	s.Entity, s.Type, s.State, s.Count = a.Seq, a.Type, encodeJSON(a.state), s.Count+1
	s.LastObservedAt, s.LastCreatedAt, s.FirstCreatedAt = max(s.LastObservedAt, o.ObservedAt), max(s.LastCreatedAt, now), min(s.FirstCreatedAt, now)
	if err := tx.SaveSnapshot(*s, before, a.buildIndex()); err != nil {
		return "", err
	}
	return o.ID, updateAffectedInvoiceStatus(tx, a.Entity, a.state, a.added)
}

// wouldChange reports whether a claim, made now, would change what is said of its
// fields, with its own weight or in all. Case and outer space say nothing, as in
// content ids.
func (a *entityState) wouldChange(c claim) (bool, error) {
	after, err := parseState(a.Snapshot.State)
	if err != nil {
		return false, err
	}
	after.applyObservation(observation{rank: rank{"", c.ObservedAt, math.MaxInt64, c.Specificity, c.Priority}, Fields: c.Fields, Merged: c.Entity.Seq != a.Seq}, nil, a.policies)
	for name := range c.Fields {
		same := slices.EqualFunc(a.state[name].Claims, after[name].Claims, func(x, y fieldClaim) bool {
			return x.Winner.Priority == y.Winner.Priority && isSameContent(x.encodeValue(), y.encodeValue())
		})
		if !same {
			return true, nil
		}
	}
	return false, nil
}

// observationID names an observation by what it says, so that the same payload
// gives the same id everywhere.
func observationID(c claim, revision int) string {
	return "obs_" + hash24(encodeCanonicalJSON(object{
		"entity": c.Entity.ID, "source": c.SourceKey, "kind": c.Source, "revision": jsonInteger(int64(revision)), "observed_at": jsonInteger(c.ObservedAt), "fields": c.Fields,
	}, exact))
}

func jsonInteger(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

func parseObservation(row entities.Observation) (observation, error) {
	fields, err := decodeObject(row.Fields)
	return observation{rank: rankOfObservation(row), Fields: fields, Withdraws: row.Withdraws, Merged: row.Origin != row.Entity}, err
}

func rankOfObservation(row entities.Observation) rank {
	return rank{row.ID, row.ObservedAt, row.Seq, row.SpecificityScore, row.SourcePriority}
}

// knownEntity is an entity with what is known of it.
type knownEntity struct {
	entities.KnownEntity
	state  state
	values object // that stand
}

// parseKnownEntities reads what is known of the entities that the store returned.
func parseKnownEntities(list []entities.KnownEntity, err error) ([]knownEntity, error) {
	if err != nil {
		return nil, err
	}
	known := make([]knownEntity, len(list))
	for i, e := range list {
		current, err := parseState(e.State)
		if err != nil {
			return nil, fmt.Errorf("entity %s: %w", e.ID, err)
		}
		known[i] = knownEntity{e, current, current.currentValues()}
	}
	return known, nil
}

// loadKnownEntity reads what is known of the entity that holds the observations of one; false:
// nothing is.
func loadKnownEntity(tx entities.Rows, e entities.Entity) (knownEntity, bool, error) {
	list, err := parseKnownEntities(tx.KnownEntities([]int64{e.Root}))
	if err != nil || len(list) == 0 {
		return knownEntity{}, false, err
	}
	return list[0], true, nil
}

// loadEntitiesOfType reads what is known of up to limit entities of a type, the last observed first.
func loadEntitiesOfType(tx entities.Rows, entityType string, limit int) ([]knownEntity, error) {
	found, _, err := tx.FindEntities(entities.EntityFilter{Types: []string{entityType}}, limit, 0)
	if err != nil {
		return nil, err
	}
	rows := make([]int64, len(found))
	for i, e := range found {
		rows[i] = e.Seq
	}
	return parseKnownEntities(tx.KnownEntities(rows))
}
