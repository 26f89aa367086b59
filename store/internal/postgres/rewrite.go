package postgres

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"toolkit/store/internal/query"
)

// Dialect says statements in PostgreSQL's words. The zero value is usable.
type Dialect struct{ rewritten sync.Map }

// rewrittenStatement is a statement in PostgreSQL's words, with the arguments that it takes of
// those it was given, in order.
type rewrittenStatement struct {
	statement     string
	argumentOrder []int
	ranked        bool // it takes what it matches as a list, see [ranked]
}

// Rewrite gives a statement and its arguments in PostgreSQL's words.
func (d *Dialect) Rewrite(statement string, args []any) (string, []any) {
	key := argumentKinds(args) + statement
	known, found := d.rewritten.Load(key)
	if !found {
		known, _ = d.rewritten.LoadOrStore(key, rewriteStatement(statement, args))
	}
	s := known.(rewrittenStatement)
	values := make([]any, len(s.argumentOrder))
	for i, n := range s.argumentOrder {
		values[i] = convertArgument(args[n-1])
		if match, matches := args[n-1].(query.Match); matches && s.ranked {
			values[i] = splitAlternatives(match)
		}
	}
	return s.statement, values
}

// argumentKinds has a letter for the type of each argument: PostgreSQL is told the types.
func argumentKinds(args []any) string {
	b := make([]byte, len(args), len(args)+1)
	for i, arg := range args {
		b[i] = argumentKind(arg)
	}
	return string(append(b, ' '))
}

func argumentKind(arg any) byte {
	switch arg.(type) {
	case nil:
		return 'n'
	case int, int64, int32, uint32, uint16, uint8, bool:
		return 'i'
	case float64:
		return 'f'
	case []byte:
		return 'b'
	case query.Numbers:
		return 'N'
	case query.Texts:
		return 'T'
	case query.Match:
		return 'm'
	case query.Matches:
		return 'M'
	}
	t := reflect.TypeOf(arg)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Float64 || t == reflect.TypeFor[sql.NullFloat64]():
		return 'f'
	case t.Kind() >= reflect.Bool && t.Kind() <= reflect.Uint64 || t == reflect.TypeFor[sql.NullInt64]():
		return 'i'
	case t.Kind() == reflect.Slice:
		return 'b'
	}
	return 's'
}

var types = map[byte]string{'i': "bigint", 'f': "double precision", 'b': "bytea", 'N': "text", 'T': "text", 'm': "text", 'M': "text", 's': "text"}

// convertArgument returns an argument as the driver of PostgreSQL takes it.
func convertArgument(arg any) any {
	switch v := arg.(type) {
	case bool:
		if v {
			return int64(1)
		}
		return int64(0)
	case query.Match:
		return translateToTSQuery(v.Words, v.Expression)
	case query.Matches:
		list := make([]string, len(v.Expressions))
		for i, expression := range v.Expressions {
			list[i] = translateToTSQuery(v.Words, expression)
		}
		return convertArgument(query.List(list))
	case query.Numbers:
		return string(v)
	case query.Texts:
		return EncodeText(string(v))
	case string:
		return EncodeText(v)
	case driver.Valuer:
		if value, err := v.Value(); err == nil {
			return value
		}
	}
	return arg
}

var (
	matching  = regexp.MustCompile(`(?:(\w+)\.)?(\w+_words\w*) MATCH (\?\d+|j\.value)`)
	weighing  = regexp.MustCompile(`bm25\((\w+)[^)]*\)`)
	listing   = regexp.MustCompile(`json_each\(\?(\d+)\)`)
	assembled = regexp.MustCompile(`\bjson_array\(([^()]*)\)`)
	crossing  = regexp.MustCompile(`CROSS JOIN (\w+)(?: (?:AS )?(\w+))? ON\b`)
	joined    = regexp.MustCompile(`(?:CROSS |LEFT )?JOIN\b|WHERE\b|GROUP BY\b|ORDER BY\b|LIMIT\b|UNION\b|RETURNING\b`)
	bounded   = regexp.MustCompile(`LIMIT (\?\d+)`)
	numbered  = regexp.MustCompile(`\?(\d+)`)
)

// rewriteStatement rewrites what PostgreSQL says differently.
func rewriteStatement(statement string, args []any) rewrittenStatement {
	s := numberPlaceholders(statement)
	ranks := ranking.MatchString(s)
	if ranks {
		s = rewriteRanked(s)
	}
	expression := ""
	s = matching.ReplaceAllStringFunc(s, func(found string) string {
		part := matching.FindStringSubmatch(found)
		expression = part[3] + "::tsquery"
		if part[1] != "" {
			return part[1] + ".terms @@ " + expression
		}
		return part[2] + ".terms @@ " + expression
	})
	s = weighing.ReplaceAllString(s, "-ts_rank($1.terms, "+expression+")") // by the column
	s = listing.ReplaceAllStringFunc(s, func(found string) string {
		n := listing.FindStringSubmatch(found)[1]
		switch at, _ := strconv.Atoi(n); argumentKind(args[at-1]) {
		case 'N':
			return "json_numbers(?" + n + ")"
		case 'T', 'M':
			return "json_texts(?" + n + ")"
		}
		return found
	})
	s = assembled.ReplaceAllString(s, "json_build_array($1)::text")
	s = rewriteConflict(nameSubqueries(rewriteCrossJoins(s)))
	s = bounded.ReplaceAllString(s, "LIMIT nullif($1, -1)") // SQLite's word for no limit
	var takes []int
	places := map[int]int{}
	s = numbered.ReplaceAllStringFunc(s, func(found string) string {
		n, _ := strconv.Atoi(found[1:])
		if places[n] == 0 {
			takes = append(takes, n)
			places[n] = len(takes)
		}
		place := "$" + strconv.Itoa(places[n])
		if n <= len(args) {
			if t := types[argumentKind(args[n-1])]; t != "" {
				place += "::" + t
			}
		}
		return place
	})
	return rewrittenStatement{s, takes, ranks}
}

// rewriteCrossJoins keeps the order of tables that stand on both sides of CROSS JOIN, as SQLite
// does: the second is looked up for each row of the first.
func rewriteCrossJoins(s string) string {
	at := crossing.FindStringSubmatchIndex(s)
	if at == nil {
		return s
	}
	table, rest := s[at[2]:at[3]], s[at[1]:]
	alias := table
	if at[4] >= 0 {
		alias = s[at[4]:at[5]]
	}
	depth, end := 0, len(rest)
scan:
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '(':
			depth++
		case c == ')' && depth == 0, c == ',' && depth == 0:
			end = i
			break scan
		case c == ')':
			depth--
		case depth == 0 && (c < 'a' || c > 'z') && (i == 0 || rest[i-1] == ' ' || rest[i-1] == '\t' || rest[i-1] == '\n'):
			if found := joined.FindStringIndex(rest[i:]); found != nil && found[0] == 0 {
				end = i
				break scan
			}
		}
	}
	return s[:at[0]] + "CROSS JOIN LATERAL (SELECT * FROM " + table + " " + alias + " WHERE" + rest[:end] + " OFFSET 0) AS " + alias + " " + rewriteCrossJoins(rest[end:])
}

// feeds are the tables that are read in the order of their changes: a row that is
// replaced gets the next number. To what makes rows one belongs what else they have.
var feeds = map[string]struct {
	key  string
	rest []string
}{
	"entity_changes": {"entity_id", nil},
	"memory_vectors": {"memory_id, space", []string{"source", "vector"}},
	"record_vectors": {"record, space", []string{"vector", "pending"}},
	"node_vectors":   {"node, space", []string{"version", "vector"}},
}

var replacing = regexp.MustCompile(`^\s*INSERT OR REPLACE INTO (\w+)\(([^)]*)\)`)

// rewriteConflict says what becomes of a row that is there already.
func rewriteConflict(s string) string {
	if strings.Contains(s, "INSERT OR IGNORE") {
		return strings.Replace(s, "INSERT OR IGNORE", "INSERT", 1) + " ON CONFLICT DO NOTHING"
	}
	found := replacing.FindStringSubmatch(s)
	if found == nil {
		return s
	}
	feed := feeds[found[1]]
	s = strings.Replace(s, "INSERT OR REPLACE", "INSERT", 1) + " ON CONFLICT (" + feed.key + ") DO UPDATE SET seq = DEFAULT"
	for _, column := range feed.rest {
		if slices.Contains(strings.Split(found[2], ", "), column) {
			s += ", " + column + " = excluded." + column
		} else {
			s += ", " + column + " = DEFAULT"
		}
	}
	return s
}

// numberPlaceholders gives every placeholder its number; what stands in quotes is
// no placeholder.
func numberPlaceholders(statement string) string {
	var b strings.Builder
	quoted, next := false, 1
	for i := 0; i < len(statement); i++ {
		c := statement[i]
		b.WriteByte(c)
		switch {
		case c == '\'':
			quoted = !quoted
		case c == '?' && !quoted:
			digits := strings.IndexFunc(statement[i+1:]+" ", func(r rune) bool { return r < '0' || r > '9' })
			if n, err := strconv.Atoi(statement[i+1 : i+1+digits]); err == nil {
				next = max(next, n+1) // as SQLite counts
				continue
			}
			b.WriteString(strconv.Itoa(next))
			next++
		}
	}
	return b.String()
}

var (
	opening  = regexp.MustCompile(`(?i)(FROM|JOIN)\s*$`)
	subquery = regexp.MustCompile(`^[\s(]*(?i:SELECT|WITH|VALUES)\b`)
	unnamed  = regexp.MustCompile(`^\s*(\)|,|$|(?i:WHERE|ORDER|GROUP|LIMIT|UNION|JOIN|CROSS|LEFT|ON)\b)`)
)

// nameSubqueries gives a name to every subquery in FROM that has none, which
// PostgreSQL wants up to its version 15.
func nameSubqueries(s string) string {
	var b strings.Builder
	var inFrom []bool
	quoted, names := false, 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		b.WriteByte(c)
		switch {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(':
			inFrom = append(inFrom, opening.MatchString(s[max(0, i-12):i]) && subquery.MatchString(s[i+1:]))
		case c == ')' && len(inFrom) > 0:
			last := len(inFrom) - 1
			if inFrom[last] && unnamed.MatchString(s[i+1:]) {
				names++
				fmt.Fprintf(&b, " AS s%d", names)
			}
			inFrom = inFrom[:last]
		}
	}
	return b.String()
}

var inserted = regexp.MustCompile(`^\s*INSERT INTO (\w+)`)

// AddReturning makes an INSERT give the number of its row, by which the tables of
// documents and pockets know their rows as seq.
func (d *Dialect) AddReturning(insertion string) string {
	found := inserted.FindStringSubmatch(insertion)
	if found == nil {
		return insertion
	}
	return insertion + " RETURNING " + idColumn(found[1])
}

// idColumn returns the column that numbers the rows of a table.
func idColumn(table string) string {
	switch table {
	case "records", "record_vectors", "node_vectors", "record_history", "truth_entities", "truth_observations", "entity_changes", "memory_vectors", "memory_forgotten", "pocket_datasets", "pocket_predictions":
		return "seq"
	}
	return "id"
}

// SequenceName returns the name of what numbers the rows of a table.
func SequenceName(table string) string { return table + "_" + idColumn(table) + "_seq" }

// NextNumberStatement returns the statement for the number that the next row of a table is given.
// It is not given again.
func (d *Dialect) NextNumberStatement(table string) string {
	return fmt.Sprintf(`SELECT nextval(pg_get_serial_sequence('%s', '%s'))`, table, idColumn(table))
}

// ReserveNumbersStatement returns the statement after which a table gives no numbers up to the one in
// its argument.
func (d *Dialect) ReserveNumbersStatement(table string) string {
	return fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%s', '%s'), ?1)`, table, idColumn(table))
}

// AddStatementToError names the statement in an error that only a wrong statement has.
func (d *Dialect) AddStatementToError(statement string, err error) error {
	if err == nil || !strings.HasPrefix(ErrorCode(err), "42") {
		return err
	}
	return fmt.Errorf("%w, in %s", err, strings.Join(strings.Fields(statement), " "))
}

// PostgreSQL keeps no NUL in a text. A mark that is no character stands for it there.
const mark = "\U0010FFFF"

var (
	withMarks    = strings.NewReplacer("\x00", mark+"0", mark, mark+"1")
	withoutMarks = strings.NewReplacer(mark+"0", "\x00", mark+"1", mark)
)

// EncodeText returns a text as PostgreSQL keeps it. What is no UTF-8 becomes what JSON makes of it.
// A NUL that is written as \u0000 within JSON stays so, for the text is read as JSON again;
// the functions that take JSON apart in the database put the mark for it.
func EncodeText(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if !strings.ContainsAny(text, "\x00"+mark) {
		return text
	}
	return withMarks.Replace(text)
}

// DecodeText returns a text as it was given.
func (d *Dialect) DecodeText(stored string) string {
	if !strings.Contains(stored, mark) {
		return stored
	}
	return withoutMarks.Replace(stored)
}

// Decode turns what was scanned into texts as they were given.
func (d *Dialect) Decode(into []any) {
	for _, target := range into {
		switch v := target.(type) {
		case *string:
			*v = d.DecodeText(*v)
		case *sql.NullString:
			v.String = d.DecodeText(v.String)
		case *any:
			if text, ok := (*v).(string); ok {
				*v = d.DecodeText(text)
			}
		case *int64, *int, *bool, *float64, *[]byte:
		default:
			if e := reflect.ValueOf(target).Elem(); e.Kind() == reflect.String {
				e.SetString(d.DecodeText(e.String()))
			}
		}
	}
}
