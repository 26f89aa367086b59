package postgres

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	porter "github.com/blevesearch/go-porterstemmer"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"toolkit/store/internal/query"
)

const (
	// maxPosition and maxPositionsPerWord are PostgreSQL's bounds of a tsvector: the places of
	// words that come later are not told apart.
	maxPosition         = 16383
	maxPositionsPerWord = 255

	// maxWordLength keeps a word within what a tsvector takes.
	maxWordLength = 512

	// maxVectorBytes keeps a tsvector below the megabyte that PostgreSQL allows, in which a
	// word takes its letters and a few bytes, and each of its places two. A longer text
	// keeps fewer places of each word; what words still come later are not found.
	maxVectorBytes = 1_000_000
	wordBytes      = 4
	placeBytes     = 2

	// noWord stands in no text: a query for it finds nothing.
	noWord = "' '"
)

// columns are the letters that stand for the columns of a full-text index.
const columns = "ABCD"

// hasColumnLabels reports whether the words of a table's columns are kept apart, by the letter of
// the column before each. The index then finds the rows alone that hold a word in one
// column; by the weights of a tsvector PostgreSQL tells columns apart row by row, and in
// memory most words stand in another column of some row.
func hasColumnLabels(table string) bool { return strings.HasPrefix(table, "memory_") }

// IndexTerms returns what the full-text index of a table keeps of the texts of its columns: a
// tsvector, in which a letter stands for the column.
func (d *Dialect) IndexTerms(table string, texts []string) string {
	split := make([][]string, len(texts))
	for i, text := range texts {
		split[i] = splitIndexWords(table, text)
	}
	for _, maxPositions := range []int{maxPositionsPerWord, 16, 1} {
		if terms, all := buildTSVector(table, split, maxPositions); all || maxPositions == 1 {
			return terms
		}
	}
	return ""
}

// buildTSVector returns the tsvector of the words of some columns, with up to so many places of each
// in a column, and whether it holds them all.
func buildTSVector(table string, split [][]string, maxPositions int) (terms string, all bool) {
	type place struct {
		at     int
		column byte
	}
	places := map[string][]place{}
	var order []string
	at, size := 0, 0
	all = true
	for i, list := range split {
		before, column := "", columns[i]
		if hasColumnLabels(table) {
			before, column = columns[i:i+1], 'D' // what a place has without a letter
		}
		for _, word := range list {
			word = before + word
			at = min(at+1, maxPosition)
			known := places[word]
			switch {
			case len(known) > 0 && (known[len(known)-1] == place{at, column} || len(known) >= maxPositions && known[len(known)-1].column == column):
				continue
			case known == nil && size+len(word)+wordBytes+placeBytes > maxVectorBytes, size+placeBytes > maxVectorBytes:
				all = false
				continue
			case known == nil:
				size += len(word) + wordBytes
				order = append(order, word)
			}
			size += placeBytes
			places[word] = append(known, place{at, column})
		}
		at = min(at+1, maxPosition) // no phrase reaches into the next column
	}
	var b strings.Builder
	for _, word := range order {
		b.WriteString(quoteLexeme(word))
		for i, p := range places[word] {
			b.WriteByte(":,"[min(i, 1)])
			b.WriteString(strconv.Itoa(p.at))
			b.WriteByte(p.column)
		}
		b.WriteByte(' ')
	}
	return b.String(), all
}

var quotes = strings.NewReplacer(`'`, `''`, `\`, `\\`)

func quoteLexeme(word string) string { return "'" + quotes.Replace(word) + "'" }

// splitIndexWords splits a text as the full-text index of a table does. Those of memory hold
// terms that are ready; the others hold words by their English stems, without marks.
func splitIndexWords(table, text string) []string {
	if strings.HasPrefix(table, "memory_") {
		list := strings.FieldsFunc(text, func(r rune) bool {
			return r < 128 && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		})
		for i, word := range list {
			list[i] = clipWord(strings.ToLower(word))
		}
		return list
	}
	bare, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), text)
	if err != nil {
		bare = text
	}
	list := strings.FieldsFunc(folded.Replace(strings.ToLower(bare)), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.Co) })
	for i, word := range list {
		list[i] = stemEnglish(clipWord(word))
	}
	return list
}

// folded are the letters that stand for others whose small letter they are not.
var folded = strings.NewReplacer("ς", "σ", "ſ", "s", "µ", "μ")

func clipWord(word string) string {
	if len(word) <= maxWordLength {
		return word
	}
	return strings.ToValidUTF8(word[:maxWordLength], "")
}

// minStemmedLength and maxStemmedLength are the lengths in bytes of the words that FTS5
// looks for a stem of.
const minStemmedLength, maxStemmedLength = 3, 64

// stemEnglish gives the stem of an English word, as FTS5 has it: by bytes, so that a word of
// digits or of other letters loses its English ending too.
func stemEnglish(word string) string {
	if len(word) < minStemmedLength || len(word) > maxStemmedLength {
		return word
	}
	bytewise := make([]rune, len(word))
	for i := range len(word) {
		bytewise[i] = rune(word[i])
	}
	stemmed := porter.StemWithoutLowerCasing(bytewise)
	letters := make([]byte, len(stemmed))
	for i, r := range stemmed {
		letters[i] = byte(r)
	}
	return string(letters)
}

// translateToTSQuery says an expression of FTS5 in PostgreSQL's words. What cannot be read
// finds nothing.
func translateToTSQuery(table, expression string) string {
	p := matchParser{table: table, rest: expression}
	translated := p.parseAlternatives("")
	if p.nextToken() != "" {
		return noWord
	}
	return translated
}

// matchParser reads expressions such as {name title} : ("fine"* AND "day") OR "red wine".
type matchParser struct{ table, rest, peeked string }

// nextToken takes the next token: a text with its quotes, a word, or a sign.
func (p *matchParser) nextToken() string {
	if t := p.peeked; t != "" {
		p.peeked = ""
		return t
	}
	p.rest = strings.TrimLeft(p.rest, " \n\t")
	if p.rest == "" {
		return ""
	}
	end := 1
	switch c := p.rest[0]; {
	case c == '"':
		for end < len(p.rest) && (p.rest[end] != '"' || end+1 < len(p.rest) && p.rest[end+1] == '"') {
			if p.rest[end] == '"' {
				end++
			}
			end++
		}
		end = min(end+1, len(p.rest))
	case !strings.ContainsRune("(){}:*", rune(c)):
		end = strings.IndexAny(p.rest, " \n\t(){}:*\"")
		if end < 0 {
			end = len(p.rest)
		}
	}
	t := p.rest[:end]
	p.rest = p.rest[end:]
	return t
}

func (p *matchParser) peek() string {
	p.peeked = p.nextToken()
	return p.peeked
}

// parseAlternatives reads alternatives; in are the letters of the columns looked in, all
// when empty.
func (p *matchParser) parseAlternatives(columnLetters string) string {
	return strings.Join(p.parseList(columnLetters), " | ")
}

func (p *matchParser) parseList(columnLetters string) []string {
	list := []string{p.parseConjunction(columnLetters)}
	for p.peek() == "OR" {
		p.nextToken()
		list = append(list, p.parseConjunction(columnLetters))
	}
	return list
}

func (p *matchParser) parseConjunction(columnLetters string) string {
	list := []string{p.parseTerm(columnLetters)}
	for {
		switch p.peek() {
		case "AND":
			p.nextToken()
		case "", "OR", ")":
			return strings.Join(list, " & ")
		}
		list = append(list, p.parseTerm(columnLetters))
	}
}

func (p *matchParser) parseTerm(columnLetters string) string {
	t := p.nextToken()
	switch {
	case t == "(":
		inside := p.parseAlternatives(columnLetters)
		p.nextToken()
		return "(" + inside + ")"
	case t == "{":
		columnLetters = ""
		for name := p.nextToken(); name != "}" && name != ""; name = p.nextToken() {
			columnLetters += p.columnLetter(name)
		}
		p.nextToken() // the colon
		return p.parseTerm(columnLetters)
	case strings.HasPrefix(t, `"`):
		return p.parsePhrase(strings.ReplaceAll(strings.Trim(t[1:], `"`), `""`, `"`), columnLetters)
	case p.peek() == ":":
		p.nextToken()
		return p.parseTerm(p.columnLetter(t))
	}
	return p.parsePhrase(t, columnLetters)
}

func (p *matchParser) columnLetter(name string) string {
	for i, column := range query.WordColumns(p.table) {
		if column == name {
			return columns[i : i+1]
		}
	}
	return ""
}

// parsePhrase translates words that follow each other, the last of which may only begin so.
func (p *matchParser) parsePhrase(text, columnLetters string) string {
	beginning := p.peek() == "*"
	if beginning {
		p.nextToken()
	}
	list := splitIndexWords(p.table, text)
	if len(list) == 0 {
		return noWord
	}
	if !hasColumnLabels(p.table) {
		return joinPhrase(list, "", columnLetters, beginning)
	}
	var each []string
	for _, column := range cmp.Or(columnLetters, columns[:len(query.WordColumns(p.table))]) {
		each = append(each, joinPhrase(list, string(column), "", beginning))
	}
	if len(each) == 1 {
		return each[0]
	}
	return "(" + strings.Join(each, " | ") + ")"
}

// joinPhrase joins words that follow each other, with what stands before each.
func joinPhrase(words []string, before, columnLetters string, beginning bool) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = quoteLexeme(before + word)
		if i == len(words)-1 && beginning {
			list[i] += ":*" + columnLetters
		} else if columnLetters != "" {
			list[i] += ":" + columnLetters
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return "(" + strings.Join(list, " <-> ") + ")"
}

// ranking is how a statement names the rank of the rows of a full-text index.
var ranking = regexp.MustCompile(`\b\w+\.rank\b`)

// ranked reads the rows of a full-text index that match any of a list of queries, best
// first. They are ranked as FTS5's BM25 ranks them: a query counts for more the fewer rows
// match it, and for more in a short row than in a long one. How often a row holds a word
// is not counted. The newest of equal rows comes first.
//
// The GIN index finds the rows of each query separately, so that they are counted on the
// way, nothing else of the table is read, and no tsvector has to be unpacked.
const ranked = `(SELECT rowid, sum(weight)::real AS rank FROM (
		SELECT m.rowid, -greatest(ln(((SELECT max(rowid)::float8 FROM ${words}) + 0.5 - m.matching) / (m.matching + 0.5)), 0.000001)
			/ (1 + 1.2 * (0.25 + 0.75 * m.size / avg(m.size) OVER ())) AS weight
		FROM json_each(${list}) j CROSS JOIN LATERAL (
			SELECT rowid, pg_column_size(terms)::float8 AS size, count(*) OVER ()::float8 AS matching FROM ${words} WHERE ${words} MATCH j.value OFFSET 0
		) m
	) weighed GROUP BY rowid ORDER BY rank, rowid DESC)`

// rewriteRanked makes a statement that orders the rows of a full-text index by their rank read
// them from [ranked] instead.
func rewriteRanked(s string) string {
	found := matching.FindStringSubmatch(s)
	if found == nil {
		return s
	}
	alias, words, list := found[1], found[2], found[3]
	from := strings.NewReplacer("${words}", words, "${list}", list).Replace(ranked)
	s = strings.Replace(s, found[0], "TRUE", 1)
	return strings.Replace(s, "FROM "+words+" "+alias, "FROM "+from+" "+alias, 1)
}

// splitAlternatives splits an expression at its outer ORs into a list of queries. The list is
// empty if the expression cannot be read.
func splitAlternatives(m query.Match) any {
	p := matchParser{table: m.Words, rest: m.Expression}
	list := p.parseList("")
	if p.nextToken() != "" {
		list = nil // it finds nothing
	}
	return convertArgument(query.List(list))
}
