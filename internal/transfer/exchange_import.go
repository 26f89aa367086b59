package transfer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/graph"
)

// ExchangeOptions say how to import. The zero value writes, in silence.
type ExchangeOptions struct {
	DryRun   bool                // do everything and take it back: the result is that of an import
	Progress func(done, all int) // hears now and then how much of all work is done
}

// ExchangeResult tells what became of the records of a file, each counted once.
type ExchangeResult struct {
	Entities     ExchangeTally `json:"entities"`
	Relations    ExchangeTally `json:"relations"` // those that belong to charts and beats not counted
	Charts       ExchangeTally `json:"charts"`
	Steps        ExchangeTally `json:"steps"`
	Beats        ExchangeTally `json:"beats"`
	Dangling     ExchangeTally `json:"dangling"`     // relations without an entity at an end
	Kept         ExchangeTally `json:"kept"`         // lines that mean nothing here, kept for export
	Joined       int           `json:"joined"`       // lines about the entity or relation of an earlier line
	Observations int           `json:"observations"` // added to entities that were there already
	ExchangeProblems
}

// ExchangeTally counts what became of the records of one kind.
type ExchangeTally struct {
	New       int `json:"new"`
	Merged    int `json:"merged"`    // there already, and something was added
	Unchanged int `json:"unchanged"` // there already
	Skipped   int `json:"skipped"`   // each has its problem
}

var errExchangeDryRun = errors.New("dry run")

// ImportExchange adds the records of a file to the store, without the rules that tools
// apply. An entity or relation that is stored gets what it lacks; a stored chart or
// beat stays as it is. Other programs write while a large file comes in; when ImportExchange
// fails, what came before stays, and importing again adds the rest.
func ImportExchange(ctx context.Context, db *store.DB, file *ExchangeFile, o ExchangeOptions) (*ExchangeResult, error) {
	i := &exchangeImporter{
		result: &ExchangeResult{Joined: file.Joined}, now: db.Now().Truncate(time.Millisecond), progress: o.Progress,
		charts: map[string]*graph.Chart{}, counted: map[exchangeEdge]bool{}, storedLines: map[string]bool{},
	}
	records := i.listRecords(file)
	var err error
	if o.DryRun {
		err = db.Write(ctx, func(tx *store.Tx) error { return cmp.Or(i.importRecords(tx, records), errExchangeDryRun) })
	} else {
		err = store.WriteMany(ctx, db, records, i.importRecords)
	}
	if err != nil && !errors.Is(err, errExchangeDryRun) {
		return nil, fmt.Errorf("import: %w", err)
	}
	return i.result, nil
}

// exchangeImporter applies one file.
type exchangeImporter struct {
	tx          graph.Rows // of the records that are coming in
	result      *ExchangeResult
	now         time.Time
	progress    func(done, all int)
	done        int
	count       int                        // of all records
	refs        map[string]graph.EntityRef // what the names in these records mean
	charts      map[string]*graph.Chart    // charts of the file that are stored by now
	counted     map[exchangeEdge]bool      // relations
	storedLines map[string]bool            // foreign lines
}

// exchangeEdge identifies a stored relation by the rows of its ends.
type exchangeEdge struct {
	from, to     int64
	relationType string
}

// exchangeRecord is a part of the file, with the names in it.
type exchangeRecord struct {
	names []string
	add   func() error
}

// listRecords returns the parts of the file in the order in which they come in.
func (i *exchangeImporter) listRecords(file *ExchangeFile) []exchangeRecord {
	var all []exchangeRecord
	for _, e := range file.Entities {
		all = append(all, exchangeRecord{[]string{e.Name}, func() error { return i.importEntity(e) }})
	}
	for _, c := range file.Charts {
		all = append(all, exchangeRecord{append(c.names, c.ParentStep), func() error { return i.importChart(c) }})
	}
	for _, b := range file.Beats {
		all = append(all, exchangeRecord{[]string{b.Name, b.Chart, b.Parent}, func() error { return i.importBeat(b) }})
	}
	all = append(all, exchangeRecord{nil, i.connectDanglingRelations})
	for _, r := range file.Relations {
		all = append(all, exchangeRecord{[]string{r.From, r.To}, func() error { return i.importRelation(r) }})
	}
	for _, line := range file.Foreign {
		all = append(all, exchangeRecord{nil, func() error { return i.storeForeignLine(line, &i.result.Kept) }})
	}
	i.count = len(all)
	return all
}

// importRecords adds records in a transaction and looks up what is stored by then.
func (i *exchangeImporter) importRecords(tx *store.Tx, records []exchangeRecord) (err error) {
	i.tx = graph.In(tx)
	var names []string
	for _, r := range records {
		names = append(names, r.names...)
	}
	if i.refs, err = i.tx.ResolveEntities(names); err != nil {
		return err
	}
	for _, r := range records {
		if err := r.add(); err != nil {
			return err
		}
		i.done++
		if i.progress != nil && i.done%256 == 0 {
			i.progress(i.done, i.count)
		}
	}
	return nil
}

// describeNameConflict tells why a new node cannot have one of the names, or nothing.
func (i *exchangeImporter) describeNameConflict(names ...string) string {
	for _, name := range names {
		switch ref, isTaken := i.refs[name]; {
		case isTaken && ref.Part != "":
			return fmt.Sprintf("the name %q is that of a part of a stored chart", name)
		case isTaken:
			return fmt.Sprintf("the name %q belongs to a stored node of kind %s", name, ref.Kind)
		}
	}
	return ""
}

func (i *exchangeImporter) insertEntity(n graph.NewEntity) (int64, error) {
	row, err := i.tx.InsertEntity(n)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", n.Name, err)
	}
	i.refs[n.Name] = graph.EntityRef{ID: row, Kind: n.Kind}
	return row, nil
}

// importEntity adds an entity, or what a stored one lacks.
func (i *exchangeImporter) importEntity(e *ExchangeEntity) error {
	if ref := i.refs[e.Name]; ref.Kind == graph.KindPlain {
		return i.mergeEntity(ref.ID, e)
	}
	if conflict := i.describeNameConflict(e.Name); conflict != "" {
		i.result.addSkipped(e.Line, "entity %q: %s; rename one of them to import it", e.Name, conflict)
		i.result.Entities.Skipped++
		return nil
	}
	i.result.Entities.New++
	_, err := i.insertEntity(graph.NewEntity{
		Name: e.Name, Type: e.Type, Kind: graph.KindPlain, Observations: e.Observations,
		Metadata: e.Metadata.encode(), Extra: e.Extra.encode(), Origin: encodeExchangeValue(exchangeOrigin{}), Created: i.now, Updated: i.now,
	})
	return err
}

func (i *exchangeImporter) mergeEntity(row int64, e *ExchangeEntity) error {
	stored, err := i.tx.PlainNode(row)
	if err != nil {
		return err
	}
	if e.Type != "" && e.Type != stored.Type {
		i.result.addProblem(e.Line, "entity %q: its type is %q here and %q in the database, which stays", e.Name, e.Type, stored.Type)
	}
	if e.Name != stored.Name {
		i.result.addProblem(e.Line, "entity %q: the database writes the accents of this name otherwise; both are one entity", e.Name)
	}
	texts, err := i.tx.AppendObservations(row, e.Observations)
	if err != nil {
		return err
	}
	merged, isMore := decodeExtraMembers(stored.Metadata, stored.Extra).merge(e.extraMembers)
	if isMore {
		err = i.tx.SetNodeMetadata(row, merged.Metadata.encode(), merged.Extra.encode())
	}
	i.result.Observations += len(texts)
	if isMore || len(texts) > 0 {
		i.result.Entities.Merged++
	} else {
		i.result.Entities.Unchanged++
	}
	return err
}

// connectDanglingRelations connects the kept relations of earlier imports whose ends came.
func (i *exchangeImporter) connectDanglingRelations() error {
	lines, err := i.tx.ForeignLines()
	if err != nil {
		return err
	}
	for _, line := range lines {
		members := decodeJSONObject(line.Raw)
		i.storedLines[string(members.encode())] = true
		r, err := parseExchangeRelation(members)
		if err != nil {
			continue
		}
		refs, err := i.tx.ResolveEntities([]string{r.From, r.To})
		if err != nil {
			return err
		}
		maps.Copy(i.refs, refs)
		isConnected, err := i.insertOrMergeRelation(r)
		if isConnected && err == nil {
			err = i.tx.DeleteForeignLine(line.Row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// importRelation adds a relation. One whose end is missing waits as a foreign line.
func (i *exchangeImporter) importRelation(r *ExchangeRelation) error {
	isConnected, err := i.insertOrMergeRelation(r)
	if err != nil || isConnected {
		return err
	}
	i.result.addProblem(r.Line, "the relation %q from %q to %q: %s", r.Type, r.From, r.To, i.describeMissingEnds(r))
	return i.storeForeignLine(encodeExchangeLine(exchangeRelationLine{"relation", r.From, r.To, r.Type}, r.extraMembers), &i.result.Dangling)
}

// describeMissingEnds says which ends of a relation no entity has, and what becomes of it.
func (i *exchangeImporter) describeMissingEnds(r *ExchangeRelation) string {
	var missing []string
	for _, name := range []string{r.From, r.To} {
		ref, known := i.refs[name]
		if known && !canRelate(ref) {
			return fmt.Sprintf("%q is a part of a chart and has no relations of its own; it is shown like this", name)
		}
		if text := fmt.Sprintf("%q", name); !known && !slices.Contains(missing, text) {
			missing = append(missing, text)
		}
	}
	return "no entity " + strings.Join(missing, " or ") + "; it is shown like this, and connected when there is one"
}

// storeForeignLine keeps a line for an export, unless it is kept.
func (i *exchangeImporter) storeForeignLine(line json.RawMessage, tally *ExchangeTally) error {
	text := string(decodeJSONObject(line).encode())
	if i.storedLines[text] {
		tally.Unchanged++
		return nil
	}
	i.storedLines[text] = true
	tally.New++
	return i.tx.InsertForeignLine(line)
}

// insertOrMergeRelation adds a relation, or what a stored one lacks, if both ends are stored.
func (i *exchangeImporter) insertOrMergeRelation(r *ExchangeRelation) (isConnected bool, err error) {
	from, to := i.refs[r.From], i.refs[r.To]
	if !canRelate(from) || !canRelate(to) {
		return false, nil
	}
	isNew, err := i.tx.InsertRelation(from.ID, to.ID, r.Type, false, r.Metadata.encode(), r.Extra.encode())
	if err != nil {
		return false, err
	}
	key := exchangeEdge{from.ID, to.ID, r.Type}
	isCounted := i.counted[key]
	i.counted[key] = true
	if isNew {
		i.result.Relations.New++
		return true, nil
	}
	stored, isStructural, err := i.tx.RelationMetadata(from.ID, to.ID, r.Type)
	if err != nil {
		return false, err
	}
	merged, isMore := decodeExtraMembers(stored.Metadata, stored.Extra).merge(r.extraMembers)
	if isMore {
		stored.Metadata, stored.Extra = merged.Metadata.encode(), merged.Extra.encode()
		err = i.tx.SetRelationMetadata(from.ID, to.ID, stored)
	}
	switch {
	case isStructural: // it belongs to a chart
	case isCounted:
		i.result.Joined++
	case isMore:
		i.result.Relations.Merged++
	default:
		i.result.Relations.Unchanged++
	}
	return true, err
}

// canRelate reports whether a node has a row: outcome and reality have none.
func canRelate(ref graph.EntityRef) bool {
	return ref.ID != 0 && ref.Part != graph.PartOutcome && ref.Part != graph.PartReality
}
