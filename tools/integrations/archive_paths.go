package integrations

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// jsonTable is how the JSON documents of one service are read: each line says which documents it
// is about, what their items are, and by which paths their fields are found.
type jsonTable []jsonDocumentRule

type jsonDocumentRule struct {
	name   *regexp.Regexp // of the files
	kind   string         // of the items
	spoilt bool           // every byte of its texts became a character
	stream bool           // the file assigns a list of any length and is read element by element
	lists  []string       // keys of the list of elements, where the file is an object
	whole  bool           // the file is one element
	inside string         // key of what an element is about, "" for the element itself
	each   string         // path of a list in an element whose members are the items
	fields []jsonField
	needs  []string // fields of which an item has one at least
	lacks  string   // what is said of one that has none
	id     []string // paths that tell the item from others
	finish func(jsonScope, ItemFields)
}

// jsonField is a field, how it is read, and the paths that stand in for each other, parted by "; ".
// A path is one of gjson. One of the element around the item begins with "^", "$folder" is the
// folder of the file, "=" opens a text of its own, and "/base" asks for the end of a file's path.
type jsonField struct{ name, kind, paths string }

// jsonScope is an item with what is around it.
type jsonScope struct {
	item, element gjson.Result
	folder        string
	spoilt        bool
}

// findReader reads the documents of a name, nil when the table knows none.
func (table jsonTable) findReader(name string) ArchiveReader {
	at := slices.IndexFunc(table, func(document jsonDocumentRule) bool { return document.name.MatchString(name) })
	switch {
	case at < 0:
		return nil
	case table[at].stream:
		return readerOfDocument(table[at].streamElements)
	}
	return func(ctx context.Context, d ArchiveDocument, from int64) iter.Seq2[ArchiveEntry, error] {
		return yieldEntries(from, func(emit emitItem) error { return table[at].emitAllElements(ctx, d, emit) })
	}
}

// emitAllElements reads a document that is small by its nature at once.
func (document jsonDocumentRule) emitAllElements(ctx context.Context, d ArchiveDocument, emit emitItem) error {
	var whole json.RawMessage
	if err := readWholeDocument(ctx, d, &whole); err != nil {
		return err
	}
	elements, err := document.findElements(gjson.ParseBytes(whole))
	if err != nil {
		return err
	}
	for _, element := range elements {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := document.emitItemsOfElement(element, path.Base(path.Dir(d.Name)), emit); err != nil {
			return err
		}
	}
	return nil
}

// findElements returns the members of the list that a document is, or has under a key.
func (document jsonDocumentRule) findElements(whole gjson.Result) ([]gjson.Result, error) {
	if !document.whole && whole.IsArray() {
		return whole.Array(), nil
	}
	for _, key := range document.lists {
		if list := whole.Get(key); list.IsArray() {
			return list.Array(), nil
		}
	}
	one := "media" // older exports of one post are the post itself
	if document.whole {
		one = document.each
	}
	if !whole.Get(one).Exists() {
		return nil, ErrArchiveForm
	}
	return []gjson.Result{whole}, nil
}

// emitItemsOfElement makes the items of an element.
func (document jsonDocumentRule) emitItemsOfElement(element gjson.Result, folder string, emit emitItem) error {
	if !element.IsObject() {
		return emit(ArchiveItem{}, ErrArchiveForm)
	}
	if inside := element.Get(document.inside); document.inside != "" && inside.Exists() {
		element = inside
	}
	items := []gjson.Result{element}
	if document.each != "" {
		list := element.Get(document.each)
		switch items = list.Array(); {
		case !list.IsArray() && document.whole:
			return ErrArchiveForm
		case len(items) == 0 && !document.whole:
			return emit(ArchiveItem{}, errors.New(document.lacks))
		}
	}
	for _, one := range items {
		item, err := document.makeItem(jsonScope{one, element, folder, document.spoilt})
		if err := emit(item, err); err != nil {
			return err
		}
	}
	return nil
}

func (document jsonDocumentRule) makeItem(from jsonScope) (ArchiveItem, error) {
	if !from.item.IsObject() {
		return ArchiveItem{}, ErrArchiveForm
	}
	fields := ItemFields{}
	for _, field := range document.fields {
		fields.PutNonEmpty(field.name, from.readField(field))
	}
	if !slices.ContainsFunc(document.needs, func(name string) bool { return fields[name] != nil }) {
		return ArchiveItem{}, errors.New(document.lacks)
	}
	if document.finish != nil {
		document.finish(from, fields)
	}
	id := []string{document.kind}
	for _, paths := range document.id {
		id = append(id, from.readText(paths))
	}
	return ArchiveItem{Type: document.kind, ID: strings.Join(id, ":"), Fields: fields}, nil
}

// readField returns the value of a field, nil for none.
func (from jsonScope) readField(field jsonField) any {
	value := from.findValue(field.paths)
	number := value.Type == gjson.Number
	switch {
	case field.kind == "text" && !number:
		return from.readText(field.paths)
	case field.kind == "list":
		var texts []string
		for _, member := range value.Array() {
			if member.Type == gjson.String && member.Str != "" {
				texts = append(texts, from.repairEncodingIfSpoilt(member.Str))
			}
		}
		return texts
	case field.kind == "count":
		if count, err := strconv.ParseInt(value.String(), 10, 64); err == nil {
			return count
		}
	case field.kind == "seconds" && number:
		return secondsToTime(value.Num)
	case field.kind == "milliseconds" && number:
		return secondsToTime(value.Num / 1000)
	case field.kind == "moment":
		moment, _ := time.Parse(time.RubyDate, value.Str)
		return moment
	}
	return nil
}

// readText returns a value as a text, "" for one that is neither a text nor a number.
func (from jsonScope) readText(paths string) string {
	switch value := from.findValue(paths); value.Type {
	case gjson.String:
		return from.repairEncodingIfSpoilt(value.Str)
	case gjson.Number:
		return value.String()
	}
	return ""
}

// findValue returns the first value that one of several paths leads to; 0 and "" stand back for others.
func (from jsonScope) findValue(paths string) (zero gjson.Result) {
	for one := range strings.SplitSeq(paths, "; ") {
		one, isFile := strings.CutSuffix(one, "/base")
		value := gjson.Result{}
		switch one[0] {
		case '$':
			value = gjson.Result{Type: gjson.String, Str: from.folder}
		case '=':
			value = gjson.Result{Type: gjson.String, Str: one[1:]}
		case '^':
			value = from.element.Get(one[1:])
		default:
			value = from.item.Get(one)
		}
		switch {
		case value.Type == gjson.Null, value.Type == gjson.String && value.Str == "":
		case value.Type == gjson.Number && value.Num == 0:
			zero = value
		case isFile:
			return gjson.Result{Type: gjson.String, Str: path.Base(value.Str)}
		default:
			return value
		}
	}
	return zero
}

func (from jsonScope) repairEncodingIfSpoilt(text string) string {
	if from.spoilt {
		return repairDoubleEncodedUTF8(text)
	}
	return text
}

// repairDoubleEncodedUTF8 puts a text together of which every byte became a character, as Instagram writes its
// texts. A text with characters beyond a byte, or whose bytes are no UTF-8, was not spoilt.
func repairDoubleEncodedUTF8(s string) string {
	var b strings.Builder
	wide := false
	for _, r := range s {
		if r > 0xff {
			return s
		}
		wide = wide || r >= 0x80
		b.WriteByte(byte(r))
	}
	if !wide || !utf8.ValidString(b.String()) {
		return s
	}
	return b.String()
}
