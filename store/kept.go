package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"toolkit/internal/plainjson"
)

// Kept is a row of what is remembered, as tools that work across families name
// it: by its kind and its id there.
type Kept struct {
	Kind string
	ID   string
	Text string // what it says
	Name string // how others may mention it; empty: by nothing short of its text
	At   int64  // unix milliseconds
}

// Ref names the row for a caller.
func (k Kept) Ref() string { return k.Kind + ":" + k.ID }

// Kinds of rows.
const (
	KeptDialogue     = "dialogue"
	KeptInsight      = "insight" // by the first row of its history
	KeptEpisode      = "episode"
	KeptWorking      = "working"
	KeptStale        = "stale"
	KeptGoldenQuery  = "golden_query"
	KeptGroundTruth  = "ground_truth"
	KeptEntity       = "entity" // of the graph: also charts, steps and beats
	KeptObservation  = "observation"
	KeptRelation     = "relation"
	KeptLine         = "line" // of an imported file
	KeptRecord       = "record"
	KeptTruthEntity  = "truth_entity" // what documents speak of
	KeptRelationship = "relationship" // between such
)

// keptRows say how rows of a kind are read. All texts of a row, in whichever
// table, are in searched.
type keptRows struct {
	from, id, text, name, at string
	searched                 []string
}

var keptOf = map[string]keptRows{
	KeptDialogue: {from: `l0_raw t`, id: `t.id`, text: `t.speaker || ': ' || t.content`, name: `t.content`, at: `t.occurred_at`,
		searched: []string{`t.content`, `t.metadata`, `t.session_id`, `t.speaker`}},
	KeptInsight: {from: `l2_insights t`, id: `t.root_id`, text: `t.content`, name: `t.content`, at: `t.created_at`, searched: []string{`t.content`, `t.metadata`, `t.reason`}},
	KeptEpisode: {from: `episode_memory t`, id: `t.id`, text: `t.query || ' ' || t.reflection`, name: `t.reflection`, at: `t.created_at`, searched: []string{`t.query`, `t.reflection`}},
	KeptWorking: {from: `working_memory t`, id: `t.id`, text: `t.content`, name: `t.content`, at: `t.created_at`, searched: []string{`t.content`}},
	KeptStale:   {from: `stale_memory t`, id: `t.id`, text: `t.original_content`, name: `t.original_content`, at: `t.archived_at`, searched: []string{`t.original_content`}},
	KeptGoldenQuery: {from: `golden_queries t`, id: `t.id`, text: `t.query`, name: `t.query`, at: `t.created_at`,
		searched: []string{`t.query`, `t.session_id`}},
	KeptGroundTruth: {from: `ground_truth t`, id: `t.id`, text: `t.query`, name: `t.query`, at: `t.created_at`, searched: []string{`t.query`}},
	KeptEntity: {from: `entities t LEFT JOIN beats b ON b.entity_id = t.id`, id: `t.name`, text: `t.name || ' (' || t.type || ') ' || t.title`,
		name: `CASE t.title WHEN '' THEN t.name ELSE t.title END`, at: `t.created_at`,
		searched: []string{`t.name`, `t.type`, `t.title`, `t.body`, `t.metadata`, `t.extra`, `t.origin`,
			`b.type_dramatic`, `b.universes`, `b.narrative`, `b.alignment`, `b.directions`}},
	KeptObservation: {from: `observations t JOIN entities e ON e.id = t.entity_id`, id: `t.id`, text: `CASE e.title WHEN '' THEN e.name ELSE e.title END || ': ' || t.content`,
		name: `t.content`, at: `t.created_at`, searched: []string{`t.content`}},
	KeptRelation: {from: `relations t JOIN entities a ON a.id = t.from_id JOIN entities z ON z.id = t.to_id`, id: `t.id`, text: `a.name || ' ' || t.type || ' ' || z.name`,
		name: `''`, at: `t.created_at`, searched: []string{`t.type`, `t.metadata`, `t.extra`}},
	KeptLine: {from: `foreign_lines t`, id: `t.id`, text: `t.raw`, name: `''`, at: `0`, searched: []string{`t.raw`}},
	KeptRecord: {from: `records t LEFT JOIN payloads p ON p.id = t.id`, id: `t.id`,
		text: `t.type || ' ' || coalesce(t.properties ->> '$.title', t.properties ->> '$.name', t.properties ->> '$.filename', t.properties ->> '$.summary', t.properties ->> '$.content', t.properties)`,
		name: `coalesce(t.properties ->> '$.title', t.properties ->> '$.filename', '')`, at: `t.created_at`,
		searched: []string{`t.type`, `t.properties`, `t.file_urls`, `p.body`, `p.source_refs`, `p.extractor_version`, `p.agent_id`, `p.client_request_id`,
			`(SELECT group_concat(o.fields || ' ' || o.request, char(10)) FROM truth_observations o WHERE o.record = t.seq)`,
			`(SELECT group_concat(h.type || ' ' || h.properties || ' ' || h.file_urls, char(10)) FROM record_history h WHERE h.record = t.seq)`,
			`(SELECT group_concat(b.name || ' ' || b.text, char(10)) FROM record_blobs h JOIN blobs b ON b.sha256 = h.sha256 WHERE h.record = t.seq)`}},
	KeptTruthEntity: {from: `truth_entities t`, id: `t.id`, text: `t.name || ' (' || t.type || ')'`, name: `t.name`, at: `t.created_at`, searched: []string{`t.name`, `t.type`}},
	KeptRelationship: {from: `typed_relationships t JOIN truth_entities a ON a.seq = t.source JOIN truth_entities z ON z.seq = t.target`, id: `t.id`,
		text: `a.name || ' ' || t.type || ' ' || z.name`, name: `''`, at: `t.created_at`, searched: []string{`t.type`, `t.metadata`}},
}

// mostKeptText bounds what is read of a row's text.
const mostKeptText = 2000

// KeptContaining returns up to limit rows of a kind that contain one of some
// texts, whatever their letter case, in the order of their ids.
func (tx *Tx) KeptContaining(kind string, texts []string, limit int) ([]Kept, error) {
	rows := keptOf[kind]
	var parts []string
	for _, expression := range rows.searched {
		parts = append(parts, expression+` LIKE p.value ESCAPE '\'`)
	}
	return tx.kept(kind, `EXISTS (SELECT 1 FROM json_each(?1) p WHERE `+strings.Join(parts, " OR ")+`)`, limit, encodeList(likePatterns(texts)))
}

// KeptByID returns the rows of a kind that have one of some ids.
func (tx *Tx) KeptByID(kind string, ids []string) ([]Kept, error) {
	return tx.kept(kind, `CAST(`+keptOf[kind].id+` AS TEXT) IN (SELECT value FROM json_each(?1))`, -1, encodeList(ids))
}

// kept reads rows of a kind on a condition over its tables, of which ?1 is the
// argument.
func (tx *Tx) kept(kind, condition string, limit int, argument any) ([]Kept, error) {
	rows, known := keptOf[kind]
	if !known {
		return nil, fmt.Errorf("there is no kind %q of what is kept", kind)
	}
	list := []Kept{}
	seen := map[string]bool{}
	err := tx.each(func(scan func(...any) error) error {
		k := Kept{Kind: kind}
		err := scan(&k.ID, &k.Text, &k.Name, &k.At)
		if !seen[k.ID] { // an insight has several rows
			seen[k.ID] = true
			list = append(list, k)
		}
		return err
	}, fmt.Sprintf(`SELECT CAST(%s AS TEXT), substr(%s, 1, %d), substr(%s, 1, %d), %s FROM %s WHERE %s ORDER BY t.rowid LIMIT ?2`,
		rows.id, rows.text, mostKeptText, rows.name, mostKeptText, rows.at, rows.from, condition), argument, limit)
	return list, err
}

// likePatterns are patterns that find texts in any letter case, composed or not,
// and as JSON writes them. LIKE itself folds the letters of ASCII only.
func likePatterns(texts []string) []string {
	var patterns []string
	escape := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	for _, text := range texts {
		for _, cased := range []string{text, strings.ToLower(text), strings.ToUpper(text), cases.Title(language.Und).String(text)} {
			for _, form := range []string{norm.NFC.String(cased), norm.NFD.String(cased)} {
				quoted := strconv.Quote(form)
				if raw, err := plainjson.Encode(form); err == nil {
					quoted = string(raw)
				}
				patterns = append(patterns, "%"+escape.Replace(form)+"%", "%"+escape.Replace(quoted[1:len(quoted)-1])+"%")
			}
			if isASCII(text) {
				break
			}
		}
	}
	slices.Sort(patterns)
	return slices.Compact(patterns)
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// RowsOf are the row ids of those of a kind whose ids are numbers.
func RowsOf(list []Kept, kind string) []int64 {
	rows := []int64{}
	for _, k := range list {
		if row, err := strconv.ParseInt(k.ID, 10, 64); err == nil && k.Kind == kind {
			rows = append(rows, row)
		}
	}
	return rows
}

// IDsOf are the ids of those of a kind.
func IDsOf(list []Kept, kind string) []string {
	ids := []string{}
	for _, k := range list {
		if k.Kind == kind {
			ids = append(ids, k.ID)
		}
	}
	return ids
}
