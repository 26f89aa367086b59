package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"toolkit/internal/capture/redact"
	"toolkit/internal/language"
	words "toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/kinds"
	"toolkit/store/records"
	"toolkit/tools"
)

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
	return []string{kinds.TruthEntity, kinds.Document, kinds.Record}
}

func (searchProvider) Count(tx *store.Tx, q *tools.Question) (words.Statistics, error) {
	return q.CountWordMatches(tx, kinds.RecordWords, kinds.SnapshotWords)
}

func (searchProvider) Search(ctx context.Context, tx *store.Tx, q *tools.Question) ([]tools.Candidate, error) {
	if q.IsLimitedToSessionOrProject() {
		return nil, nil
	}
	list, err := searchUnpaid(ctx, tx, q)
	if err != nil {
		return nil, err
	}
	found, err := searchEntities(ctx, tx, q)
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

func searchEntities(ctx context.Context, tx *store.Tx, q *tools.Question) (list []tools.Candidate, err error) {
	rows, err := q.MatchIndex(tx, kinds.SnapshotWords)
	if err != nil {
		return nil, err
	}
	known, err := parseKnownEntities(entities.In(tx).KnownEntities(rows[:min(len(rows), maxCandidatesPerKind)]))
	if err != nil {
		return nil, err
	}
	for _, e := range known {
		c, err := entityCandidate(ctx, tx, q, e)
		if err != nil {
			return nil, err
		}
		list = append(list, c.Candidate)
	}
	return list, nil
}

// entityCandidate offers an entity, and says of an invoice when it is due and of what repeats when it takes place next.
func entityCandidate(ctx context.Context, tx *store.Tx, q *tools.Question, e knownEntity) (c tools.DueItem, err error) {
	paid, err := loadInvoicePayment(entities.In(tx), e)
	if err != nil {
		return c, err
	}
	if err := paid.setSideAndCustomer(tx, q, e.values); err != nil {
		return c, err
	}
	if paid.Due != 0 {
		c.Due = time.UnixMilli(paid.Due).UTC()
	}
	next, err := describeNextOccurrence(ctx, tx, q, e)
	if err != nil {
		return c, err
	}
	c.Candidate = tools.Candidate{
		Kind: kinds.TruthEntity, ID: e.ID, Text: excerptObject(q, paid.describePaidOrUnpaid()+e.Name+" ("+e.Type+")\n"+next, e.values), At: time.UnixMilli(e.LastObservedAt).UTC(),
		Tool: snapshotName, Arguments: map[string]any{"entity_id": e.ID},
	}
	if terms := listPaymentSearchTerms(q); e.Type == invoiceType && len(terms) > 0 {
		c.Terms = append(language.Terms(c.Text), terms...)
	}
	if fields := correctedFields(e.state); len(fields) > 0 {
		c.Note = e.state.describeCorrections(fields)
	}
	if paid.Left != "" && paid.Side == SideUnknown {
		c.Note = strings.TrimPrefix(c.Note+"; whether the user pays it or is paid is not known", "; ")
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
	rows, err := q.MatchIndex(tx, kinds.RecordWords)
	if err != nil {
		return nil, err
	}
	matched := rows[:min(len(rows), maxCandidatesPerKind)]
	near := nearPassages(q)
	rows = joinFoundRows(matched, q, near)
	found, err := records.In(tx).ByRows(rows)
	if err != nil {
		return nil, err
	}
	corrected, err := entities.In(tx).FilterCorrectedRecords(rows)
	if err != nil {
		return nil, err
	}
	for _, r := range found {
		if r.Type == correctionType {
			continue // its entity says it, with a note
		}
		e, err := entityOfRecord(tx, r)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(entityList, func(c tools.Candidate) bool { return c.ID == e.ID })
		c, err := recordCandidate(tx, q, r, e, slices.Contains(corrected, r.Seq), near[r.Seq])
		if err != nil {
			return nil, err
		}
		// A file that was found by a word may say more than its entity.
		if at >= 0 && (c.Kind == kinds.Record || !slices.Contains(matched, r.Seq) && near[r.Seq] == nil) && slices.Contains(q.Kinds, kinds.TruthEntity) {
			known := &entityList[at]
			known.Covers = append(known.Covers, c.Ref())
			known.Similarity = max(known.Similarity, c.Similarity)
			known.Place = cmp.Or(known.Place, c.Place)
			continue
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

// recordCandidate offers a record as the user corrected it, with the passage of its file that answers.
func recordCandidate(tx *store.Tx, q *tools.Question, r records.Record, e entities.Entity, isCorrected bool, near map[int]float64) (tools.Candidate, error) {
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return tools.Candidate{}, err
	}
	c := tools.Candidate{Kind: kinds.Record, ID: r.ID, At: time.UnixMilli(r.UpdatedAt).UTC(), Similarity: q.Meaning.Records[r.Seq]}
	if url := firstStoredFileURL(r.FileURLs); url != "" {
		c.Kind, c.Tool, c.Arguments = kinds.Document, fileURLName, map[string]any{"file_path": url}
	}
	corrected := map[string]string{} // fields to the days of their corrections
	if isCorrected {
		a, names, err := applyCorrections(entities.In(tx), r, properties)
		if err != nil {
			return tools.Candidate{}, err
		}
		if len(names) > 0 {
			c.Note = a.state.describeCorrections(names)
		}
		for _, name := range names {
			corrected[name] = a.state.observationDay(name)
		}
	}
	if c.Kind == kinds.Document {
		if c.Place, err = findBestPlace(tx, q, r, properties, corrected); err != nil {
			return tools.Candidate{}, err
		}
	}
	delete(properties, sourcesField)
	c.Text = excerptObject(q, RecordDisplayType(r)+"\n", properties)
	if c.Kind == kinds.Document {
		p, err := findPassage(tx, q, r.Seq, near)
		if err != nil {
			return tools.Candidate{}, err
		}
		addPassage(&c, q, p, properties)
	}
	if e.ID == "" {
		if c.Tool == "" {
			// Of a term all words must be in the record.
			term := cmp.Or(strings.Join(words.FindMatchedWords(q.Query, c.Text), " "), q.Text)
			c.Tool, c.Arguments = retrieveName, map[string]any{"type": r.Type, "search": []string{term}}
		}
		return c, nil
	}
	states, err := entities.In(tx).InvoiceStatusOf([]int64{e.Seq})
	if states[e.Seq].Status == statusPaid {
		c.Note = strings.TrimPrefix(c.Note+"; the invoice is paid", "; ")
	}
	c.DuplicateOf = []string{kinds.TruthEntity + ":" + e.ID}
	if c.Tool == "" {
		c.Tool, c.Arguments = snapshotName, map[string]any{"entity_id": e.ID}
	}
	return c, err
}

// describeCorrections names fields that the user corrected, with the days.
func (s state) describeCorrections(fields []string) string {
	parts := make([]string, len(fields))
	for i, name := range fields {
		parts[i] = name + " (" + s.observationDay(name) + ")"
	}
	return "corrected by the user: " + strings.Join(parts, ", ")
}

// observationDay is the day of what stands of a field.
func (s state) observationDay(name string) string {
	return time.UnixMilli(s.currentClaim(name).Winner.ObservedAt).UTC().Format(time.DateOnly)
}

// findBestPlace returns where in its file a document says most of what is asked. Of a field that was corrected
// it is the correction: the file says something else.
func findBestPlace(tx *store.Tx, q *tools.Question, r records.Record, properties object, corrected map[string]string) (tools.Place, error) {
	name, err := FileName(tx, r.FileURLs)
	if err != nil {
		return tools.Place{}, err
	}
	p := tools.Place{Document: cmp.Or(firstText(properties, "file_name", "filename"), name, firstText(properties, "title"), r.ID)}
	_, read := parseSourceLocations(r)
	most, best := 0, ""
	for _, field := range slices.Sorted(maps.Keys(read)) {
		if n := len(words.FindMatchedWords(q.Query, formatObject(object{field: properties[field]}))); n > most {
			most, best = n, field
		}
	}
	if day, is := corrected[best]; is {
		return tools.Place{Document: "correction of " + best + ", " + day}, nil
	}
	p.Page, p.Line = read[best].Page, read[best].Line
	return p, nil
}

// formatObject returns the fields of an object in lines, with their names, for people: without what
// is known of a file only, and with amounts as they are written.
func formatObject(o object) string {
	shown := maps.Clone(o)
	delete(shown, metadataField)
	delete(shown, warningsField)
	for name, value := range shown {
		if n, is := value.(json.Number); is && isAmountField(name) {
			shown[name] = FormatMoney(formatCanonicalNumber(n.String()))
		}
	}
	return composeTextToEmbed("", shown)
}

// excerptObject is a text about an object: whole when it is short, else its beginning and the
// passage that holds most words of the question. Private keys go first: a passage may begin within one.
func excerptObject(q *tools.Question, head string, o object) string {
	text, long := redact.RedactPrivateKeys(head+formatObject(o)), redact.RedactPrivateKeys(joinTextsForSearch(o))
	if len(long) <= maxCandidateText && len(text) <= maxCandidateText {
		return text
	}
	return words.Snippet(&words.Query{}, text, beginningLength) + "\n" + words.Snippet(q.Query, long, maxCandidateText-beginningLength)
}

// passage is the part of a file's text that answers a question best.
type passage struct {
	text       string
	page, line int // from 1
	similarity float64
}

// nearPassages are the passages near to a question in meaning, with their likeness, by the rows of
// their records.
func nearPassages(q *tools.Question) map[int64]map[int]float64 {
	near := map[int64]map[int]float64{}
	for id, similarity := range q.Meaning.Passages {
		record, number := records.PassageOf(id)
		if near[record] == nil {
			near[record] = map[int]float64{}
		}
		near[record][number] = similarity
	}
	return near
}

// findPassage returns the passage of a record's file that has most of what is asked, by words of the
// question and by meaning; empty when no passage has any.
func findPassage(tx *store.Tx, q *tools.Question, record int64, near map[int]float64) (p passage, err error) {
	text, err := records.In(tx).FileText(record)
	if err != nil || text == "" {
		return p, err
	}
	text = redact.RedactPrivateKeys(text)
	spans := records.SplitPassages(text)
	shares := words.InformationShareOfSpans(q.Query, q.Scorer.TermInformation, text, spans)
	best, most := 0, 0.0
	for n, share := range shares {
		if share += max(0, near[n]); share > most {
			best, most = n, share
		}
	}
	if most == 0 {
		return p, nil
	}
	at := spans[best]
	p = passage{text: text[at.Start:at.End], similarity: near[best]}
	before := text[:at.Start+bestSentenceStart(q, p.text)]
	p.page = 1 + strings.Count(before, "\f")
	p.line = 1 + strings.Count(before[1+strings.LastIndex(before, "\f"):], "\n")
	return p, nil
}

// bestSentenceStart is where the sentence of a text begins that has most of what is asked.
func bestSentenceStart(q *tools.Question, text string) int {
	spans := language.SentenceSpans(text)
	shares := words.InformationShareOfSpans(q.Query, q.Scorer.TermInformation, text, spans)
	best := 0
	for i, share := range shares {
		if share > shares[best] {
			best = i
		}
	}
	return spans[best].Start
}

// hasAllWordsIn reports whether a text has all words of the question that the passage has.
func (p passage) hasAllWordsIn(q *tools.Question, text string) bool {
	shown := words.FindMatchedWords(q.Query, text)
	return !slices.ContainsFunc(words.FindMatchedWords(q.Query, p.text), func(word string) bool { return !slices.Contains(shown, word) })
}

// addPassage adds to a document what its file says to the question beyond the fields that were read of
// it, and where. What is near in meaning alone is added where the record has no text and no field that answers.
func addPassage(c *tools.Candidate, q *tools.Question, p passage, properties object) {
	if p.text == "" {
		return
	}
	c.Similarity = max(c.Similarity, p.similarity)
	if _, shows := properties[contentField]; p.hasAllWordsIn(q, c.Text) && (shows || c.Place.Line > 0 || p.similarity == 0) {
		return
	}
	c.Text += "\n" + p.text
	c.Place.Page, c.Place.Line = p.page, p.line
}

// joinFoundRows returns the rows of records that have words of a question or are near to it, each once.
func joinFoundRows(matched []int64, q *tools.Question, near map[int64]map[int]float64) []int64 {
	rows := slices.Concat(matched, slices.Collect(maps.Keys(q.Meaning.Records)), slices.Collect(maps.Keys(near)))
	slices.Sort(rows)
	return slices.Compact(rows)
}
