package admin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"toolkit/store/plainjson"
)

// byteOrderMark stands before the text that some Windows editors write.
var byteOrderMark = []byte("\xef\xbb\xbf")

// entryLayout is how a configuration is written.
type entryLayout struct {
	newline string
	indent  string // of one level
}

// addOrUpdateEntry returns the configuration with the entry in it. What else is in the text
// stays as it is, to the letter.
func (c Client) addOrUpdateEntry(text []byte, e ClientEntry) ([]byte, error) {
	if c.toml {
		return c.addOrReplaceTOMLEntry(text, e)
	}
	d, list, err := c.parseServers(text)
	if err != nil {
		return nil, err
	}
	style := d.style
	if list == nil {
		list = &hujson.Object{}
		style.addMember(d.top, c.key, hujson.Value{Value: list}, "")
	}
	outer := style.indentOf(d.top, style.indent)
	inner := style.indentOf(list, outer+style.indent)
	entry := memberOf(list, e.Name)
	if entry == nil {
		entry = style.addMember(list, e.Name, hujson.Value{Value: &hujson.Object{}}, outer)
	}
	err = c.writeFields(entry, e, style, inner)
	return d.encode(), err
}

// removeEntry returns the configuration without the entry, and without the object of
// servers where nothing else is in it; found says whether it was there.
func (c Client) removeEntry(text []byte, name string) (result []byte, found bool, err error) {
	if c.toml {
		return c.removeTOMLEntry(text, name)
	}
	d, list, err := c.parseServers(text)
	if err != nil {
		return nil, false, err
	}
	at := memberIndex(list, name)
	if at < 0 {
		return text, false, nil
	}
	removeMember(list, at)
	if len(list.Members) == 0 && list.AfterExtra == nil {
		removeMember(d.top, memberIndex(d.top, c.key))
	}
	return d.encode(), true, nil
}

// findEntry returns the entry of a name as JSON; nil when there is none.
func (c Client) findEntry(text []byte, name string) (json.RawMessage, error) {
	if c.toml {
		return c.findTOMLEntry(text, name)
	}
	_, list, err := c.parseServers(text)
	if err != nil || memberOf(list, name) == nil {
		return nil, err
	}
	value := memberOf(list, name).Clone()
	value.Minimize()
	return value.Pack(), nil
}

// isOnlyEntry reports whether a text is what install writes where there is no file.
func (c Client) isOnlyEntry(text []byte, name string) bool {
	if c.toml {
		rest, found, err := c.removeTOMLEntry(text, name)
		return err == nil && found && len(rest) == 0
	}
	var e ClientEntry
	raw, err := c.findEntry(text, name)
	if err != nil || json.Unmarshal(raw, &e) != nil {
		return false
	}
	e.Name = name
	written, err := c.addOrUpdateEntry(nil, e)
	return err == nil && bytes.Equal(written, text)
}

// entryField is a member of an entry.
type entryField struct {
	name  string
	value any
}

// listEntryFields are what the client needs to start the toolkit.
func (c Client) listEntryFields(e ClientEntry) []entryField {
	var fields []entryField
	if c.source != "" {
		fields = append(fields, entryField{"source", c.source})
	}
	if c.kind != "" {
		fields = append(fields, entryField{"type", c.kind})
	}
	return append(fields, entryField{"command", e.Command}, entryField{"args", e.Args})
}

// writeFields writes what the toolkit knows of an entry, a field a line. Other fields,
// such as env, are the person's and stay.
func (c Client) writeFields(v *hujson.Value, e ClientEntry, style entryLayout, prefix string) error {
	entry, err := requireObject(v, "the entry "+e.Name)
	if err != nil {
		return err
	}
	for _, f := range c.listEntryFields(e) {
		value, err := encodeEntryValue(f.value)
		if err != nil {
			return err
		}
		if known := memberOf(entry, f.name); known != nil {
			known.Value = value.Value
		} else {
			style.addMember(entry, f.name, value, prefix)
		}
	}
	return nil
}

func encodeEntryValue(v any) (hujson.Value, error) {
	text, err := plainjson.Encode(v)
	if err != nil {
		return hujson.Value{}, err
	}
	return hujson.Parse(text)
}

// entryDocument is a configuration that is read.
type entryDocument struct {
	root     hujson.Value
	top      *hujson.Object
	style    entryLayout
	original []byte
}

// parseServers reads a configuration and finds its object of servers; nil: there is none.
func (c Client) parseServers(text []byte) (*entryDocument, *hujson.Object, error) {
	d, err := parseEntryDocument(text)
	if err != nil {
		return nil, nil, err
	}
	servers := memberOf(d.top, c.key)
	if servers == nil {
		return d, nil, nil
	}
	list, err := requireObject(servers, c.key)
	return d, list, err
}

// parseEntryDocument reads JSON with comments and trailing commas; nothing at all is an
// empty object.
func parseEntryDocument(original []byte) (*entryDocument, error) {
	d := &entryDocument{style: entryLayout{newline: "\n", indent: "  "}, original: original}
	if bytes.Contains(original, []byte("\r\n")) {
		d.style.newline = "\r\n"
	}
	text := bytes.TrimPrefix(original, byteOrderMark)
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}" + d.style.newline)
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(bytes.Clone(text), '\n') // a comment may end the file; pack takes it away again
	}
	var err error
	if d.root, err = hujson.Parse(text); err != nil {
		return nil, fmt.Errorf("it is not valid JSON (%s); mend it by hand first", describeParseError(err))
	}
	if d.top, err = requireObject(&d.root, "the whole of it"); err != nil {
		return nil, err
	}
	if indent := d.style.indentOf(d.top, ""); indent != "" {
		d.style.indent = indent
	}
	return d, nil
}

// encode is the text of a configuration, with the mark of the original and without
// a last line ending that it did not have.
func (d *entryDocument) encode() []byte {
	text := d.root.Pack()
	if !bytes.HasSuffix(d.original, []byte("\n")) && len(bytes.TrimSpace(bytes.TrimPrefix(d.original, byteOrderMark))) > 0 {
		text = bytes.TrimSuffix(text, []byte("\n"))
	}
	if bytes.HasPrefix(d.original, byteOrderMark) {
		return append(bytes.Clone(byteOrderMark), text...)
	}
	return text
}

// describeParseError says where a text is wrong and how, such as "line 3, column 7:
// invalid literal", without what stands there: it may be a key.
func describeParseError(err error) string {
	parts := strings.SplitN(strings.TrimPrefix(err.Error(), "hujson: "), ": ", 3)
	return strings.Join(parts[:min(2, len(parts))], ": ")
}

func requireObject(v *hujson.Value, what string) (*hujson.Object, error) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%s is not an object; mend it by hand first", what)
	}
	seen := map[string]bool{}
	for _, m := range o.Members {
		if seen[memberName(m)] {
			return nil, fmt.Errorf("%s holds %q twice; mend it by hand first", what, memberName(m))
		}
		seen[memberName(m)] = true
	}
	return o, nil
}

func memberName(m hujson.ObjectMember) string {
	literal, _ := m.Name.Value.(hujson.Literal)
	return literal.String()
}

// memberIndex is where the member of a name stands; -1 when there is none, or no
// object.
func memberIndex(o *hujson.Object, name string) int {
	if o == nil {
		return -1
	}
	return slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool { return memberName(m) == name })
}

func memberOf(o *hujson.Object, name string) *hujson.Value {
	if at := memberIndex(o, name); at >= 0 {
		return &o.Members[at].Value
	}
	return nil
}

// indentOf is the space before the object's last member, where that stands on a
// line of its own.
func (entryLayout) indentOf(o *hujson.Object, fallback string) string {
	if len(o.Members) == 0 {
		return fallback
	}
	before := string(o.Members[len(o.Members)-1].Name.BeforeExtra)
	line := before[strings.LastIndexByte(before, '\n')+1:]
	if len(line) == len(before) || strings.TrimSpace(line) != "" {
		return fallback
	}
	return line
}

// addMember appends a member on a line of its own; prefix is the indentation of the
// object. A comment behind the last member stays there.
func (style entryLayout) addMember(o *hujson.Object, name string, v hujson.Value, prefix string) *hujson.Value {
	indent := style.indentOf(o, prefix+style.indent)
	comments := strings.TrimRight(string(o.AfterExtra), " \t\r\n")
	if n := len(o.Members); n > 0 && o.Members[n-1].Value.AfterExtra != nil {
		v.AfterExtra = []byte{} // the object ends in a comma: so it shall again
	}
	v.BeforeExtra = []byte(" ")
	o.Members = append(o.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: []byte(comments + style.newline + indent), Value: hujson.String(name)},
		Value: v,
	})
	o.AfterExtra = []byte(style.newline + prefix)
	return &o.Members[len(o.Members)-1].Value
}

// removeMember takes a member out and leaves comments around it where they are.
func removeMember(o *hujson.Object, i int) {
	comments := strings.TrimRight(string(o.Members[i].Name.BeforeExtra), " \t\r\n")
	last := i == len(o.Members)-1
	endsInComma := o.Members[len(o.Members)-1].Value.AfterExtra != nil
	o.Members = append(o.Members[:i], o.Members[i+1:]...)
	switch {
	case !last:
		next := &o.Members[i].Name
		next.BeforeExtra = []byte(comments + string(next.BeforeExtra))
	case len(o.Members) == 0:
		o.AfterExtra = []byte(comments + string(o.AfterExtra))
		if strings.TrimSpace(string(o.AfterExtra)) == "" {
			o.AfterExtra = nil
		}
	default:
		before := &o.Members[i-1].Value
		if !endsInComma && before.AfterExtra != nil {
			comments = string(before.AfterExtra) + comments
			before.AfterExtra = nil
		} else if endsInComma && before.AfterExtra == nil {
			before.AfterExtra = []byte{}
		}
		o.AfterExtra = []byte(comments + string(o.AfterExtra))
		joinClosingBraceToLine(o)
	}
}

// joinClosingBraceToLine takes back the line ending that add put before the closing brace of an
// object whose members stand in one line; that ends as it begins.
func joinClosingBraceToLine(o *hujson.Object) {
	first := o.Members[0].Name.BeforeExtra
	for _, m := range o.Members {
		if bytes.ContainsAny(m.Name.BeforeExtra, "\r\n") {
			return
		}
	}
	if len(bytes.TrimSpace(o.AfterExtra)) == 0 && bytes.ContainsAny(o.AfterExtra, "\r\n") {
		o.AfterExtra = slices.Clone(first)
	}
}
