package entities

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	words "toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/kinds"
	"toolkit/store/records"
	"toolkit/tools"
)

// Kinds of what is offered. A document is a record with a stored file.
const documentKind = "document"

// maxCandidateText bounds the text of a record that is weighed, in bytes; of a longer one its
// beginning is taken, and a passage in which words of the question stand.
const (
	maxCandidateText = 1500
	beginningLength  = 300
	// maxCandidatesPerKind is how many entities and how many records are offered.
	maxCandidatesPerKind = 20
)

type searchProvider struct{}

// SearchProvider is what the family offers to the search over everything.
func SearchProvider() tools.SearchProvider { return searchProvider{} }

func (searchProvider) Kinds() []string {
	return []string{kinds.TruthEntity, documentKind, kinds.Record}
}

func (searchProvider) Count(tx *store.Tx, q *tools.Question) (words.Statistics, error) {
	return q.CountIn(tx, kinds.RecordWords, kinds.SnapshotWords)
}

func (searchProvider) Search(_ context.Context, tx *store.Tx, q *tools.Question) ([]tools.Candidate, error) {
	if q.IsSessionOnly() {
		return nil, nil
	}
	list, err := searchUnpaid(tx, q)
	if err != nil {
		return nil, err
	}
	found, err := searchEntities(tx, q)
	if err != nil {
		return nil, err
	}
	for _, c := range found {
		if !slices.ContainsFunc(list, func(known tools.Candidate) bool { return known.ID == c.ID }) {
			list = append(list, c)
		}
	}
	more, err := searchRecords(tx, q, list)
	return append(list, more...), err
}

func searchEntities(tx *store.Tx, q *tools.Question) (list []tools.Candidate, err error) {
	rows, err := q.Match(tx, kinds.SnapshotWords)
	if err != nil {
		return nil, err
	}
	entityList, snapshots, err := entities.In(tx).SnapshotsFound(rows[:min(len(rows), maxCandidatesPerKind)])
	if err != nil {
		return nil, err
	}
	for i, e := range entityList {
		c, err := entityCandidate(q, e, snapshots[i])
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func entityCandidate(q *tools.Question, e entities.Entity, s entities.Snapshot) (tools.Candidate, error) {
	current, err := parseState(s.State)
	if err != nil {
		return tools.Candidate{}, err
	}
	c := tools.Candidate{
		Kind: kinds.TruthEntity, ID: e.ID, Text: excerpt(q, e.Name+" ("+e.Type+")\n", current.values()), At: time.UnixMilli(s.LastObservedAt).UTC(),
		Tool: snapshotName, Arguments: map[string]any{"entity_id": e.ID},
	}
	if fields := correctedFields(current); len(fields) > 0 {
		c.Note = "corrected by the user: " + strings.Join(fields, ", ")
	}
	return c, nil
}

// correctedFields are the fields of which the user's correction stands.
func correctedFields(s state) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s)), func(name string) bool { return !s.isCorrected(name) })
}

// searchRecords offers records, but those whose entity is offered already, which
// tells what all documents say.
func searchRecords(tx *store.Tx, q *tools.Question, entityList []tools.Candidate) (list []tools.Candidate, err error) {
	rows, err := q.Match(tx, kinds.RecordWords)
	if err != nil {
		return nil, err
	}
	rows = append(slices.Clone(rows[:min(len(rows), maxCandidatesPerKind)]), slices.Collect(maps.Keys(q.Meaning.Records))...)
	slices.Sort(rows)
	rows = slices.Compact(rows)
	found, err := records.In(tx).ByRows(rows)
	if err != nil {
		return nil, err
	}
	corrected, err := entities.In(tx).FilterCorrected(rows)
	if err != nil {
		return nil, err
	}
	for _, r := range found {
		e, err := entityOfRecord(tx, r)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(entityList, func(c tools.Candidate) bool { return c.ID == e.ID })
		if at >= 0 && storedFile(r) == "" && slices.Contains(q.Kinds, kinds.TruthEntity) {
			entityList[at].Covers = append(entityList[at].Covers, kinds.Record+":"+r.ID)
			entityList[at].Similarity = max(entityList[at].Similarity, q.Meaning.Records[r.Seq])
			continue
		}
		c, err := recordCandidate(q, r, e)
		if err != nil {
			return nil, err
		}
		c.Similarity = q.Meaning.Records[r.Seq]
		if slices.Contains(corrected, r.Seq) {
			if c.Note, err = correctedWarning(entities.In(tx), r); err != nil {
				return nil, err
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// entityOfRecord is the entity that a record is itself, or was merged into; none when it
// is not one.
func entityOfRecord(tx *store.Tx, r records.Record) (e entities.Entity, err error) {
	if r.Entity == 0 {
		return e, nil
	}
	if e, err = entities.In(tx).ByRow(r.Entity); err == nil && e.Root != e.Seq {
		e, err = entities.In(tx).ByRow(e.Root)
	}
	return e, err
}

func recordCandidate(q *tools.Question, r records.Record, e entities.Entity) (tools.Candidate, error) {
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return tools.Candidate{}, err
	}
	c := tools.Candidate{Kind: kinds.Record, ID: r.ID, At: time.UnixMilli(r.UpdatedAt).UTC()}
	if url := storedFile(r); url != "" {
		c.Kind, c.Tool, c.Arguments = documentKind, fileURLName, map[string]any{"file_path": url}
		c.Place = findBestPlace(q, r, properties)
	}
	delete(properties, sourcesField)
	c.Text = excerpt(q, r.Type+"\n", properties)
	if e.ID == "" {
		if c.Tool == "" {
			c.Tool, c.Arguments = retrieveName, map[string]any{"type": r.Type, "search": []string{q.Text}}
		}
		return c, nil
	}
	c.DuplicateOf = []string{kinds.TruthEntity + ":" + e.ID}
	if c.Tool == "" {
		c.Tool, c.Arguments = snapshotName, map[string]any{"entity_id": e.ID}
	}
	return c, nil
}

// findBestPlace is where in its file a document says most of what is asked.
func findBestPlace(q *tools.Question, r records.Record, properties object) tools.Place {
	p := tools.Place{Document: r.ID}
	for _, field := range []string{"file_name", "filename", "title"} {
		if name, ok := properties[field].(string); ok && name != "" {
			p.Document = name
			break
		}
	}
	var fields map[string]json.RawMessage
	var read map[string]sourceLocation
	if json.Unmarshal(r.Properties, &fields) != nil || json.Unmarshal(fields[sourcesField], &read) != nil {
		return p
	}
	most := 0
	for _, field := range slices.Sorted(maps.Keys(read)) {
		if n := len(words.Matched(q.Query, objectText(object{field: properties[field]}))); n > most {
			most, p.Page, p.Line = n, read[field].Page, read[field].Line
		}
	}
	return p
}

// objectText are the fields of an object in lines, with their names.
func objectText(o object) string { return embeddedText("", o) }

// excerpt is a text about an object: whole when it is short, else its beginning and the
// passage that holds most words of the question.
func excerpt(q *tools.Question, head string, o object) string {
	text, long := head+objectText(o), searchText(o)
	if len(long) <= maxCandidateText && len(text) <= maxCandidateText {
		return text
	}
	return words.Snippet(&words.Query{}, text, beginningLength) + "\n" + words.Snippet(q.Query, long, maxCandidateText-beginningLength)
}
