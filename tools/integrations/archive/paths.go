package archive

import (
	"bytes"
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
)

// jsonTable is how the JSON documents of one service are read: each line says which documents it
// is about, what their items are, and by which paths their fields are found.
type jsonTable []jsonDocument

type jsonDocument struct {
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
	finish func(scope, Fields)
}

// jsonField is a field, how it is read, and the paths that stand in for each other, parted by "|".
// A path is of steps parted by points: a key, the number of a member, "*" for all of them,
// "@written", "@timed" and "@linked" for those of such a shape. A path of the element around the
// item begins with "^", "$folder" is the folder of the file.
type jsonField struct{ name, kind, paths string }

// scope is an item with what is around it.
type scope struct {
	item, element any
	folder        string
}

// reader reads the documents of a name, nil when the table knows none.
func (table jsonTable) reader(name string) Reader {
	at := slices.IndexFunc(table, func(document jsonDocument) bool { return document.name.MatchString(name) })
	switch {
	case at < 0:
		return nil
	case table[at].stream:
		return Walk(table[at].streamElements)
	}
	return func(ctx context.Context, d Document, from int64) iter.Seq2[Entry, error] {
		return Steps(from, func(emit Emit) error { return table[at].listElements(ctx, d, emit) })
	}
}

// listElements reads a document that is small by its nature at once.
func (document jsonDocument) listElements(ctx context.Context, d Document, emit Emit) error {
	var whole json.RawMessage
	if err := Whole(ctx, d, &whole); err != nil {
		return err
	}
	elements, err := document.elements(whole)
	if err != nil {
		return err
	}
	for _, raw := range elements {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := document.emit(raw, path.Base(path.Dir(d.Name)), emit); err != nil {
			return err
		}
	}
	return nil
}

// elements are the members of the list that a document is, or has under a key.
func (document jsonDocument) elements(whole json.RawMessage) (elements []json.RawMessage, err error) {
	if !document.whole && json.Unmarshal(whole, &elements) == nil {
		return elements, nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(whole, &object) != nil {
		return nil, ErrForm
	}
	for _, key := range document.lists {
		if raw, ok := object[key]; ok {
			if json.Unmarshal(raw, &elements) != nil {
				return nil, ErrForm
			}
			return elements, nil
		}
	}
	one := "media" // older exports of one post are the post itself
	if document.whole {
		one = document.each
	}
	if _, has := object[one]; !has {
		return nil, ErrForm
	}
	return []json.RawMessage{whole}, nil
}

// emit makes the items of an element.
func (document jsonDocument) emit(raw json.RawMessage, folder string, emit Emit) error {
	element, err := decodeOrdered(json.NewDecoder(bytes.NewReader(raw)), document.spoilt, 0)
	if _, is := element.(object); err != nil || !is {
		return emit(Item{}, ErrForm)
	}
	if inside, has := element.(object).member(document.inside); has && document.inside != "" {
		element = inside
	}
	items := []any{element}
	if document.each != "" {
		list, is := step(element, document.each).([]any)
		switch items = list; {
		case !is && document.whole:
			return ErrForm
		case len(items) == 0 && !document.whole:
			return emit(Item{}, errors.New(document.lacks))
		}
	}
	for _, one := range items {
		item, err := document.item(scope{one, element, folder})
		if err := emit(item, err); err != nil {
			return err
		}
	}
	return nil
}

func (document jsonDocument) item(from scope) (Item, error) {
	if _, is := from.item.(object); !is {
		return Item{}, ErrForm
	}
	fields := Fields{}
	for _, field := range document.fields {
		fields.Put(field.name, from.read(field))
	}
	if !slices.ContainsFunc(document.needs, func(name string) bool { return fields[name] != nil }) {
		return Item{}, errors.New(document.lacks)
	}
	if document.finish != nil {
		document.finish(from, fields)
	}
	id := []string{document.kind}
	for _, paths := range document.id {
		id = append(id, from.text(paths))
	}
	return Item{Type: document.kind, ID: strings.Join(id, ":"), Fields: fields}, nil
}

// read is the value of a field, nil for none.
func (from scope) read(field jsonField) any {
	value := from.find(field.paths)
	number, isNumber := value.(float64)
	text, _ := value.(string)
	switch {
	case value == nil:
	case field.kind == "text":
		return text
	case field.kind == "list":
		return textsOf(value)
	case field.kind == "count":
		if count, err := strconv.ParseInt(from.text(field.paths), 10, 64); err == nil {
			return count
		}
	case field.kind == "seconds" && isNumber:
		return Seconds(number)
	case field.kind == "milliseconds" && isNumber:
		return Seconds(number / 1000)
	case field.kind == "moment":
		moment, _ := time.Parse(time.RubyDate, text)
		return moment
	}
	return nil
}

func textsOf(value any) (texts []string) {
	members, is := value.([]any)
	if !is {
		members = []any{value}
	}
	for _, member := range members {
		if text, _ := member.(string); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// text is a value as part of an id.
func (from scope) text(paths string) string {
	switch value := from.find(paths).(type) {
	case string:
		return value
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return ""
}

// find is the first value that one of several paths leads to; 0 and "" stand back for others.
func (from scope) find(paths string) (zero any) {
	for one := range strings.SplitSeq(paths, "|") {
		value, base := from.item, false
		switch {
		case one == "$folder":
			return from.folder
		case strings.HasPrefix(one, "="): // a constant
			return one[1:]
		case strings.HasPrefix(one, "^"):
			value, one = from.element, one[1:]
		}
		one, base = strings.CutSuffix(one, "/base") // the last part of a file's path
		for name := range strings.SplitSeq(one, ".") {
			value = step(value, name)
		}
		if text, is := value.(string); is && text != "" && base {
			return path.Base(text)
		}
		switch value {
		case nil, "":
		case 0.0:
			zero = value
		default:
			return value
		}
	}
	return zero
}

// shapes are the members of an object by what they have, where their names are in the language
// of the account.
var shapes = map[string]func(value, time, link any) bool{
	"@written": func(value, time, _ any) bool { return value != nil && value != "" && (time == nil || time == 0.0) },
	"@timed":   func(_, time, _ any) bool { return time != nil && time != 0.0 },
	"@linked":  func(_, _, link any) bool { return link != nil && link != "" },
}

// step follows one step of a path.
func step(value any, name string) any {
	switch value := value.(type) {
	case []any:
		if name == "*" {
			return value
		}
		if at, err := strconv.Atoi(name); err == nil && at < len(value) {
			return value[at]
		}
		var all []any // the step behind "*"
		for _, member := range value {
			if found := step(member, name); found != nil {
				all = append(all, found)
			}
		}
		if len(all) > 0 {
			return all
		}
	case object:
		if shape := shapes[name]; shape != nil {
			var members []any
			for _, member := range value {
				if shape(step(member.value, "value"), step(member.value, "timestamp"), step(member.value, "href")) {
					members = append(members, member.value)
				}
			}
			return members
		}
		found, _ := value.member(name)
		return found
	}
	return nil
}

// object is a JSON object whose members keep their order.
type object []keyed

type keyed struct {
	name  string
	value any
}

func (of object) member(name string) (value any, has bool) {
	at := slices.IndexFunc(of, func(one keyed) bool { return one.name == name })
	if at < 0 {
		return nil, false
	}
	return of[at].value, true
}

// maxNesting bounds the depth of an element.
const maxNesting = 100

// decodeOrdered reads a value whose objects keep the order of their members.
func decodeOrdered(decoder *json.Decoder, spoilt bool, depth int) (any, error) {
	token, err := decoder.Token()
	if text, is := token.(string); is && spoilt {
		return repair(text), err
	}
	delimiter, opens := token.(json.Delim)
	if err != nil || !opens {
		return token, err
	}
	if depth == maxNesting {
		return nil, ErrForm
	}
	members, list := object{}, []any{}
	for decoder.More() {
		name := ""
		if delimiter == '{' {
			key, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			name, _ = key.(string)
		}
		value, err := decodeOrdered(decoder, spoilt, depth+1)
		if err != nil {
			return nil, err
		}
		members, list = append(members, keyed{name, value}), append(list, value)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	if delimiter == '{' {
		return members, nil
	}
	return list, nil
}

// repair puts a text together of which every byte became a character, as Instagram writes its
// texts. A text with characters beyond a byte, or whose bytes are no UTF-8, was not spoilt.
func repair(s string) string {
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
