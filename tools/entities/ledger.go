package entities

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
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

// documentSource is a document of no more weight than others.
func documentSource(key, kind string, observedAt int64) source {
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

// account is the snapshot of an entity in work.
type account struct {
	entity   entities.Entity
	snapshot entities.Snapshot
	state    state
	policies policies
	observed bool // something was observed before
}

// openAccount reads the snapshot that an entity's observations count for.
func openAccount(tx entities.Rows, e entities.Entity) (*account, error) {
	if e.Root != e.Seq {
		var err error
		if e, err = tx.ByRow(e.Root); err != nil {
			return nil, err
		}
	}
	a := &account{entity: e}
	var named map[string]string
	var err error
	if a.snapshot, a.observed, named, err = tx.SnapshotWithPolicies(e.Seq, e.Type); err != nil {
		return nil, err
	}
	a.policies = makePolicies(named)
	a.state, err = parseState(a.snapshot.State)
	return a, err
}

// index is under what the entity can be found in a state; nil while nothing was
// observed of it.
func (a *account) index(s state) *entities.SnapshotIndex {
	if !a.observed {
		return nil
	}
	return indexSnapshot(a.entity.Type, s)
}

func readPolicies(tx entities.Rows, entityType string) (policies, error) {
	named, err := tx.MergePolicies(entityType)
	return makePolicies(named), err
}

func makePolicies(named map[string]string) policies {
	p := make(policies, len(named))
	for field, s := range named {
		p[field] = strategy(s)
	}
	return p
}

// addObservation makes an observation and takes it into the snapshot, unless it says nothing
// beside what the same source said earlier. It returns the fields in which it counts
// for nothing.
func addObservation(tx entities.Rows, c claim, now int64, unless func(a *account, earlier []entities.Observation) bool) ([]overruledField, error) {
	a, err := openAccount(tx, c.Entity)
	if err != nil {
		return nil, err
	}
	earlier, err := tx.RecordObservations(c.Record, c.Entity.Seq)
	if err != nil {
		return nil, err
	}
	if !unless(a, earlier) {
		_, err = a.insertObservation(tx, c, len(earlier), now)
	}
	return a.findOverruledFields(c), err
}

// insertObservation makes the observation of a claim and returns its id; revision counts what
// the same source said of the entity before.
func (a *account) insertObservation(tx entities.Rows, c claim, revision int, now int64) (string, error) {
	o := entities.Observation{
		ID: observationID(c, revision), Entity: a.entity.Seq, Origin: c.Entity.Seq, Record: c.Record, Source: c.Source,
		ObservedAt: c.ObservedAt, CreatedAt: now, SpecificityScore: c.Specificity, SourcePriority: c.Priority,
		Digest: contentDigest(c.Fields), Request: c.Request, Fields: encodeJSON(c.Fields), Withdraws: c.Withdraws,
	}
	seq, err := tx.InsertObservation(o)
	if err != nil {
		return "", err
	}
	before := maps.Clone(a.state)
	maps.Copy(a.state, a.state.copyFields(c.Fields))
	o.Seq = seq
	if err := a.fold(tx, observation{rank: rankOf(o), Fields: c.Fields, Withdraws: c.Withdraws}); err != nil {
		return "", err
	}
	s := &a.snapshot
	if s.Count == 0 {
		s.FirstCreatedAt, s.LastObservedAt, s.LastCreatedAt = now, o.ObservedAt, now
	}
	s.Entity, s.Type, s.State, s.Count = a.entity.Seq, a.entity.Type, a.state.encode(), s.Count+1
	s.LastObservedAt, s.LastCreatedAt, s.FirstCreatedAt = max(s.LastObservedAt, o.ObservedAt), max(s.LastCreatedAt, now), min(s.FirstCreatedAt, now)
	if a.observed && sameClaims(before, a.state, c.Fields, sameText) {
		return o.ID, tx.SaveSnapshot(*s, nil, nil)
	}
	was, fresh := a.index(before), !a.observed
	a.observed = true
	is := a.index(a.state)
	if a.entity.Added && a.entity.Name == is.Name && is.Words != "" {
		was = &entities.SnapshotIndex{Name: is.Name, NameKey: is.NameKey} // it was added under it
	}
	if err := tx.SaveSnapshot(*s, was, is); err != nil {
		return "", err
	}
	return o.ID, reconcileEntity(tx, a.entity, a.state, fresh)
}

// isRepeated reports whether one of some observations says the same.
func (c claim) isRepeated(earlier []entities.Observation) bool {
	digest := contentDigest(c.Fields)
	return slices.ContainsFunc(earlier, func(o entities.Observation) bool { return o.Digest == digest })
}

// fold takes an observation that was stored into the state.
func (a *account) fold(tx entities.Rows, o observation) error {
	a.state.fold(o, a.policies)
	if o.Priority != correctionPriority || !slices.Contains(slices.Collect(maps.Values(o.Fields)), nil) {
		return nil
	}
	rows, err := tx.ObservationsFrom(a.entity.Seq, correctionPriority)
	if err != nil {
		return err
	}
	corrections := make([]observation, len(rows))
	for i, row := range rows {
		if corrections[i], err = parseObservation(row); err != nil {
			return err
		}
	}
	a.state.reapplyCorrections(corrections, a.policies)
	return nil
}

// observationID names an observation by what it says, so that the same payload
// gives the same id everywhere.
func observationID(c claim, revision int) string {
	return "obs_" + hash24(canonical(object{
		"entity": c.Entity.ID, "source": c.SourceKey, "kind": c.Source, "revision": number(int64(revision)), "observed_at": number(c.ObservedAt), "fields": c.Fields,
	}, exact))
}

func number(n int64) json.Number { return json.Number(encodeJSON(n)) }

// wouldChange reports whether a claim, made now, would change what is said of its
// fields, with its own weight or in all. Case and outer space say nothing, as in
// content ids.
func (a *account) wouldChange(c claim) bool {
	after := a.state.copyFields(c.Fields)
	after.fold(observation{rank: rank{"", c.ObservedAt, math.MaxInt64, c.Specificity, c.Priority}, Fields: c.Fields}, a.policies)
	return !sameClaims(a.state, after, c.Fields, sameContent)
}

// sameClaims compares what two states say of the given fields, in every class.
func sameClaims(a, b state, fields object, same func(x, y json.RawMessage) bool) bool {
	for name := range fields {
		var x, y []fieldClaim
		if a[name] != nil {
			x = a[name].Classes
		}
		if b[name] != nil {
			y = b[name].Classes
		}
		if !slices.EqualFunc(x, y, func(x, y fieldClaim) bool {
			return x.Winner.Priority == y.Winner.Priority && same(x.value(), y.value())
		}) {
			return false
		}
	}
	return true
}

// sameText compares values as they are written.
func sameText(x, y json.RawMessage) bool { return string(x) == string(y) }

// recompute reduces all observations of an entity again. An entity of which
// nothing is observed loses its snapshot.
func recompute(tx entities.Rows, entity int64) error {
	e, err := tx.ByRow(entity)
	if err != nil {
		return err
	}
	own := e
	own.Root = own.Seq // the snapshot of the entity itself, also of a merged one
	a, err := openAccount(tx, own)
	if err != nil {
		return err
	}
	was := a.index(a.state)
	totals, err := tx.TotalObservations(entity, unboundedWindow)
	if err != nil {
		return err
	}
	if totals.Count == 0 {
		if err := tx.DropSnapshot(entity, was, e.Root != e.Seq); err != nil {
			return err
		}
		return reconcileEntity(tx, e, nil, false)
	}
	fresh, err := foldObservations(tx, entity, unboundedWindow, a.policies, math.MaxInt)
	if err != nil {
		return err
	}
	if err := tx.SaveSnapshot(entities.Snapshot{
		Entity: entity, Type: e.Type, State: fresh.encode(), Count: totals.Count,
		LastObservedAt: totals.LastObservedAt, FirstCreatedAt: totals.FirstCreatedAt, LastCreatedAt: totals.LastCreatedAt,
	}, was, indexSnapshot(e.Type, fresh)); err != nil {
		return err
	}
	return reconcileEntity(tx, e, fresh, false)
}

// unboundedWindow is the window without bounds.
var unboundedWindow = entities.ObservationWindow{ObservedUntil: math.MaxInt64, CreatedUntil: math.MaxInt64}

// foldObservations gives the state of the observations in a window. It walks from the newest
// backwards and stops when as many classes of fields are decided as are open.
func foldObservations(tx entities.Rows, entity int64, w entities.ObservationWindow, p policies, open int) (state, error) {
	s, decided := state{}, 0
	var corrections []observation
	err := tx.EachObservation(entity, w, func(row entities.Observation) (bool, error) {
		o, err := parseObservation(row)
		if err != nil {
			return false, err
		}
		if o.Priority == correctionPriority {
			corrections = append(corrections, o)
		}
		decided += s.fold(o, p)
		return decided < open, nil
	})
	s.reapplyCorrections(corrections, p)
	return s, err
}

func parseObservation(row entities.Observation) (observation, error) {
	fields, err := decodeObject(row.Fields)
	return observation{rank: rankOf(row), Fields: fields, Withdraws: row.Withdraws}, err
}

func rankOf(row entities.Observation) rank {
	return rank{row.ID, row.ObservedAt, row.Seq, row.SpecificityScore, row.SourcePriority}
}

// indexSnapshot is under what an entity in a state can be found.
func indexSnapshot(entityType string, s state) *entities.SnapshotIndex {
	values := s.values()
	name := documentName(capabilityOf(entityType).Title, values, entityType)
	i := &entities.SnapshotIndex{Name: name, NameKey: normaliseName(entityType, name), Words: searchText(values), Values: valueKeys(values)}
	if keys := linkingKeys(entityType, values); len(keys) > 0 {
		i.Values = append(i.Values, keys...)
		slices.Sort(i.Values)
		i.Values = slices.Compact(i.Values)
	}
	for _, field := range slices.Sorted(maps.Keys(values)) {
		text, ok := values[field].(string)
		if at, dated := parseTime(strings.TrimSpace(text)); ok && dated && isDateField(field) {
			i.Events = append(i.Events, entities.Event{Field: field, At: at})
		}
	}
	return i
}

// isDateField reports whether a field is meant to hold a date.
func isDateField(field string) bool {
	switch field {
	case "date", "due", "deadline":
		return true
	}
	endings := []string{"_date", "_at", "_on", "_time", "Date", "At"}
	return slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(field, end) })
}

// document is a source about to be stored as a record with what it says.
type document struct {
	source
	Record     records.Record
	Properties object      // of the record
	Statements []statement // the document itself first
	Text       string      // of its file, for the full-text index
}

// recordIndex is under what a record can be found. Where in a file its values
// stand is nothing to look for.
func recordIndex(recordType string, properties object) records.Index {
	if _, placed := properties[sourcesField]; placed {
		properties = maps.Clone(properties)
		delete(properties, sourcesField)
	}
	return records.Index{Types: typeKeys(recordType, properties), Values: valueKeys(properties), Words: searchText(properties)}
}

// indexWithText is the index of a stored record with the text of its file.
func indexWithText(tx records.Rows, r records.Record, properties object) (records.Index, error) {
	index := recordIndex(r.Type, properties)
	text, err := tx.Text(r.Seq)
	if text != "" {
		index.Words += "\n" + text
	}
	return index, err
}

// updateVectors keeps the vectors of a record that was written up to date.
func (f *family) updateVectors(tx *store.Tx, r records.Record) error {
	if f.Vectors == nil {
		return nil
	}
	return f.Vectors.UpdateRecord(tx, r)
}

// replace updates a record: what it was, and its files, are kept.
func (f *family) replace(tx *store.Tx, r records.Record, formerType string, before, after object) error {
	index, err := indexWithText(records.In(tx), r, after)
	if err != nil {
		return err
	}
	if err := records.In(tx).Update(r, recordIndex(formerType, before), index); err != nil {
		return err
	}
	return f.updateVectors(tx, r)
}

// ingest stores a new document: record, entities, observations, snapshots. It
// returns the record and the fields that did not follow it.
func (f *family) ingest(tx *store.Tx, d document, now int64) (r records.Record, kept []overruledField, err error) {
	rows := records.In(tx)
	r = d.Record
	index := recordIndex(r.Type, d.Properties)
	if d.Text != "" {
		index.Words += "\n" + d.Text
	}
	if err := identify(entities.In(tx), d.Statements, ""); err != nil {
		return r, nil, err
	}
	if len(d.Statements) > 0 && d.Statements[0].Role == selfRole {
		r.Entity = d.Statements[0].entity.Seq
	}
	if r.Seq, err = rows.Insert(r, index); err != nil {
		return r, nil, err
	}
	if err := f.updateVectors(tx, r); err != nil {
		return r, nil, err
	}
	if len(r.FileURLs) > 0 {
		if err := holdFiles(rows, r.Seq, r.FileURLs); err != nil {
			return r, nil, err
		}
	}
	for i, s := range d.Statements {
		if s.isRepeated(d.Statements[:i]) {
			continue
		}
		c := d.claim(s.entity, r.Seq, s)
		a, err := openAccount(entities.In(tx), s.entity)
		if err != nil {
			return r, nil, err
		}
		if _, err := a.insertObservation(entities.In(tx), c, 0, now); err != nil { // a new record has said nothing before
			return r, nil, err
		}
		kept = append(kept, a.findOverruledFields(c)...)
	}
	return r, kept, linkDocument(entities.In(tx), r.Seq, d.Statements)
}

// isRepeated reports whether an earlier statement turned out to be of the same entity.
func (s statement) isRepeated(earlier []statement) bool {
	return slices.ContainsFunc(earlier, func(e statement) bool { return e.entity.Seq == s.entity.Seq })
}

func (d document) claim(e entities.Entity, record int64, s statement) claim {
	return claim{source: d.source, Entity: e, Record: record, Fields: s.Fields}
}
