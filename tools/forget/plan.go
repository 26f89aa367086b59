package forget

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	"toolkit/store/records"
	"toolkit/tools"
)

const (
	// MaxDeletedItems bounds what goes at once, so that a call ends in time; so many
	// at most are shown of a kind.
	MaxDeletedItems = 20_000
	// maxMentions bounds what is looked up that mentions it, of each kind.
	maxMentions = 100
	// maxNamesSearchedSingly is up to how many names it is shown which of them something mentions.
	maxNamesSearchedSingly = 5
	// maxNames bounds the names that mentions are looked for by.
	maxNames = 50
	// maxCandidates bounds the sessions that are listed where several are meant, and
	// maxNearestEntities the names that are listed where there is no such entity.
	maxCandidates, maxNearestEntities = 10, 3
	// minTextLength and minNameLength are the fewest characters that tell something from
	// everything else.
	minTextLength, minNameLength = 3, 4
	// defaultShownItems and maxLineRunes bound what is shown of a kind, where nobody asks for
	// more, and of a row. Of one that goes so much is shown that nobody agrees to lose a
	// statement of which he has seen a word.
	defaultShownItems, maxLineRunes, maxGoingRunes = 5, 80, 600
)

// check refuses what names nothing, or nearly everything.
func (in Input) check() error {
	switch text := strings.TrimSpace(in.Text); {
	case len(in.Items) == 0 && text == "":
		return tools.Invalid(tools.CodeMissing, "items", "items or text", "say what to forget: items such as session:ID or entity:NAME, or a text")
	case in.Text != "" && utf8.RuneCountInString(strings.TrimSpace(kinds.Fold(text))) < minTextLength:
		return tools.Invalid(tools.CodeInvalid, "text", "at least 3 characters", "the text is so short that nearly everything contains it; give at least %d characters", minTextLength)
	}
	return nil
}

// plan is what would go, and what else is concerned. Mentions are found by reading
// everything, so they are looked for in previews only.
type plan struct {
	going, derived, mentions rows
	unsearched               []kinds.Row // records of files that were searched in part only
	sealed, sealedOf         int         // predictions that contain the text, or are of a pocket, and stay
	archives                 []string    // folders of archives that still hold what was imported from them
	staged                   int         // files on their way in, which are not searched
	hasReplica               bool        // Litestream copies the database
}

// rows are rows in the order in which they were found, each once.
type rows struct {
	list []kinds.Row
	has  map[string]bool
	why  map[string]string // why a row is among them, by its ref
}

// Why something goes.
const (
	isNamed  = "named"
	contains = "contains the text"
	inFile   = "its file contains the text"
	goesWith = "a part of what goes, or known from it alone"
	madeOf   = "made from what goes"
)

// addUnlessPresent takes rows in that neither r nor others have, and says how many.
func (r *rows) addUnlessPresent(why string, list []kinds.Row, others ...*rows) (added int) {
	if r.has == nil {
		r.has, r.why = map[string]bool{}, map[string]string{}
	}
	for _, k := range list {
		if r.has[k.Ref()] || slices.ContainsFunc(others, func(o *rows) bool { return o.has[k.Ref()] }) {
			continue
		}
		r.has[k.Ref()], r.why[k.Ref()] = true, why
		r.list = append(r.list, k)
		added++
	}
	return added
}

// makePlanAndClearStaging finds out what would go: of what contains the text, files are given by
// their hashes, because reading them takes longer than a transaction should.
func (f family) makePlanAndClearStaging(tx *store.Tx, in Input, files []string) (*plan, error) {
	rows := kinds.In(tx)
	p := &plan{hasReplica: f.hasReplica()}
	for _, item := range in.Items {
		found, err := findItemRows(tx, item)
		if err != nil {
			return nil, err
		}
		p.going.addUnlessPresent(isNamed, found)
		if pocket, ok := strings.CutPrefix(item, kinds.GroupPocket+":"); ok {
			count, err := rows.CountPredictionsOf(strings.TrimSpace(pocket))
			if err != nil {
				return nil, err
			}
			p.sealedOf += count
		}
	}
	if text := strings.TrimSpace(in.Text); text != "" {
		if err := addRowsContaining(rows, contains, []string{text}, MaxDeletedItems+1, &p.going); err != nil {
			return nil, err
		}
		holding, err := rows.FindRecordsWithBlobs(files)
		if err != nil {
			return nil, err
		}
		p.going.addUnlessPresent(inFile, holding)
		if p.sealed, err = rows.CountPredictionsContaining([]string{text}); err != nil {
			return nil, err
		}
		if p.unsearched, err = rows.FindPartlySearchedRecords(); err != nil {
			return nil, err
		}
	}
	names := p.collectNames()
	if err := addDependents(tx, p, in.WithDerived); err != nil {
		return nil, err
	}
	if n := len(p.going.list); n > MaxDeletedItems {
		return nil, tools.Refused(tools.CodeInvalid, "items", "at most 20000", "more than %d things would go; forget them in parts", MaxDeletedItems)
	}
	if in.Confirm != "" {
		return p, nil
	}
	p.staged = f.Store.ClearStaging()
	if err := p.addInsideWords(rows, in.Text); err != nil {
		return nil, err
	}
	return p, p.addMentions(rows, names)
}

// addInsideWords adds what contains a word only inside others, such as another form of a name.
func (p *plan) addInsideWords(rows kinds.Rows, text string) error {
	if !kinds.IsWord(strings.TrimSpace(kinds.Fold(text))) {
		return nil
	}
	for _, kind := range kinds.Names() {
		list, err := rows.FindInsideWords(kind, []string{text}, MaxDeletedItems)
		if err != nil {
			return err
		}
		p.mentions.addUnlessPresent("contains the text inside another word", list, &p.going, &p.derived)
	}
	return nil
}

// addMentions adds what mentions what goes by one of its names. Each name takes a pass over everything,
// so that it is told of few.
func (p *plan) addMentions(rows kinds.Rows, names []string) error {
	if len(names) > maxNamesSearchedSingly {
		return addRowsContaining(rows, "mentions what goes", names, maxMentions, &p.mentions, &p.going, &p.derived)
	}
	for _, name := range names {
		if err := addRowsContaining(rows, "mentions “"+shortenLine(name, maxLineRunes)+"”", []string{name}, maxMentions, &p.mentions, &p.going, &p.derived); err != nil {
			return err
		}
	}
	return nil
}

// hasReplica reports whether Litestream copies the database, or did.
func (f family) hasReplica() bool {
	last, err := store.LastLitestreamTime(f.Store.Path())
	return err != nil || !last.IsZero() // a warning too many harms nobody
}

// findItemRows reads what an item such as dialogue:3 means.
func findItemRows(tx *store.Tx, item string) ([]kinds.Row, error) {
	kind, id, _ := strings.Cut(item, ":")
	kind, id = strings.TrimSpace(kind), strings.TrimSpace(id)
	named := id
	if kind == kinds.Project {
		p, err := tools.FindProject(tx, "items", id)
		if err != nil {
			return nil, err
		}
		named = strconv.FormatInt(p.ID, 10)
	}
	found, err := kinds.In(tx).Find(kind, named)
	if err == nil && len(found) == 0 && kind == kinds.GroupSession && id != "" {
		found, err = findOnlySessionByPrefix(kinds.In(tx), id)
	}
	if err != nil || len(found) > 0 {
		return found, err
	}
	known := kinds.FindableNames()
	if !slices.Contains(known, kind) || id == "" {
		return nil, tools.Invalid(tools.CodeInvalid, "items", "kind:id", "%q is not of the form kind:id; kinds are %s", shortenLine(item, maxLineRunes), strings.Join(known, ", "))
	}
	meant, err := describeNearestEntities(tx, kind, id)
	if err != nil {
		return nil, err
	}
	return nil, tools.Refused(tools.CodeNotFound, "items", "exists", "there is no %s %q%s; nothing was changed", kind, shortenLine(id, maxLineRunes), meant).
		WithHints(tools.NewHints(tools.NewReadEvidence(0)).SuggestCall(Name, tools.PriorityMedium, map[string]any{"text": shortenLine(id, maxLineRunes)}, "see what contains it"))
}

// describeNearestEntities names the entities of the graph that an unknown name of one may mean.
func describeNearestEntities(tx *store.Tx, kind, name string) (string, error) {
	if kind != kinds.Entity {
		return "", nil
	}
	names, err := graph.In(tx).NearestNames(name, maxNearestEntities)
	if err != nil || len(names) == 0 {
		return "", err
	}
	quoted := make([]string, len(names))
	for i, near := range names {
		quoted[i] = strconv.Quote(shortenLine(near, maxLineRunes))
	}
	return "; perhaps meant: " + strings.Join(quoted, ", "), nil
}

// findOnlySessionByPrefix finds the only session whose id begins so, with or without the name of its client.
func findOnlySessionByPrefix(rows kinds.Rows, beginning string) ([]kinds.Row, error) {
	candidates, err := rows.FindSessions(beginning, maxCandidates+1)
	switch {
	case err != nil || len(candidates) == 0:
		return nil, err
	case len(candidates) == 1:
		return rows.Find(kinds.GroupSession, candidates[0])
	}
	shown := strings.Join(candidates[:min(len(candidates), maxCandidates)], ", ")
	if len(candidates) > maxCandidates {
		shown += " …"
	}
	return nil, tools.Refused(tools.CodeInvalid, "items", "one session", "several sessions begin with %q; nothing was changed; give more of the id of one: %s", shortenLine(beginning, maxLineRunes), shown)
}

// addRowsContaining adds the rows of all kinds that contain one of some texts.
func addRowsContaining(tx kinds.Rows, why string, texts []string, limit int, into *rows, others ...*rows) error {
	if len(texts) == 0 {
		return nil
	}
	for _, kind := range kinds.Names() {
		list, err := tx.FindContaining(kind, texts, limit)
		if err != nil {
			return fmt.Errorf("looking for mentions in %s: %w", kind, err)
		}
		into.addUnlessPresent(why, list, others...)
	}
	return nil
}

// addDependents adds what goes along with what goes, until nothing more does.
func addDependents(tx *store.Tx, p *plan, withDerived bool) error {
	for more := true; more; {
		parts, derived, err := kinds.In(tx).Dependents(p.going.list)
		if err != nil {
			return err
		}
		more = p.going.addUnlessPresent(goesWith, parts) > 0
		if withDerived {
			more = p.going.addUnlessPresent(madeOf, derived) > 0 || more
		}
		p.derived.addUnlessPresent(madeOf, derived)
	}
	archives, err := records.In(tx).ImportedFrom(kinds.IDs(p.going.list, kinds.Record))
	if err != nil {
		return err
	}
	p.archives = archives
	p.unsearched = slices.DeleteFunc(p.unsearched, func(k kinds.Row) bool { return p.going.has[k.Ref()] })
	p.derived.list = slices.DeleteFunc(p.derived.list, func(k kinds.Row) bool { return p.going.has[k.Ref()] })
	return nil
}

// collectNames returns the texts by which others may mention what goes.
func (p *plan) collectNames() []string {
	var names []string
	for _, k := range p.going.list {
		if name := strings.TrimSpace(k.Name); utf8.RuneCountInString(name) >= minNameLength && len(names) < maxNames && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// confirmToken stands for exactly these rows as they are. Who has not seen the preview
// cannot know it.
func (p *plan) confirmToken() string {
	lines := make([]string, len(p.going.list))
	for i, k := range p.going.list {
		lines[i] = fmt.Sprintf("%q %d %q", k.Ref(), k.At, k.Text)
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:6])
}

// groupByKind shows the first rows of each kind, in the order in which kinds were found, each in
// a line of so many characters.
func (r *rows) groupByKind(shown, length int) []Group {
	groups := []Group{}
	at := map[string]int{}
	for _, k := range r.list {
		i, known := at[k.Kind]
		if !known {
			i = len(groups)
			at[k.Kind] = i
			groups = append(groups, Group{Kind: k.Kind, Items: []Item{}})
		}
		g := &groups[i]
		if g.Count++; len(g.Items) < shown {
			g.Items = append(g.Items, Item{Ref: k.Ref(), Line: shortenLine(formatJSONForPeople(k.Text), length), Why: r.why[k.Ref()]})
		}
	}
	return groups
}

// jsonNames are the names of fields in JSON, and jsonMarks what else of it no person reads.
var (
	jsonNames = regexp.MustCompile(`"([\w ]+)":`)
	// readerFields say how a file was read, and not what it says; the last may be cut off.
	readerFields = regexp.MustCompile(`"(?:field_sources|metadata)":\{(?:[^{}]|\{[^{}]*\})*(?:\},?|$)`)
	jsonMarks    = strings.NewReplacer(`{`, "", `}`, "", `[`, "", `]`, "", `\"`, `"`, `"`, "", `,`, ", ")
)

// formatJSONForPeople returns the text of a row for people: the fields of one without a title stand in JSON.
func formatJSONForPeople(text string) string {
	before, fields, found := strings.Cut(readerFields.ReplaceAllString(text, ""), `{"`)
	if !found {
		return text
	}
	return before + jsonMarks.Replace(jsonNames.ReplaceAllStringFunc(`"`+fields, func(name string) string {
		return strings.ReplaceAll(strings.Trim(name, `":`), "_", " ") + ": "
	}))
}

// shortenLine returns a text in one line, cut.
func shortenLine(text string, length int) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > length {
		text = string([]rune(text)[:length-1]) + "…"
	}
	return text
}
