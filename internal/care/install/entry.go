package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// byteOrderMark stands before the text that some Windows editors write.
var byteOrderMark = []byte("\xef\xbb\xbf")

// layout is how a configuration is written.
type layout struct {
	newline string
	indent  string // of one level
}

// with is the configuration with the entry in it. What else is in the text
// stays as it is, to the letter.
func (c Client) with(text []byte, e Entry) ([]byte, error) {
	root, top, style, err := parse(text)
	if err != nil {
		return nil, err
	}
	servers := member(top, c.key)
	if servers == nil {
		servers = style.add(top, c.key, hujson.Value{Value: &hujson.Object{}}, "")
	}
	list, err := object(servers, c.key)
	if err != nil {
		return nil, err
	}
	outer := style.indentOf(top, style.indent)
	inner := style.indentOf(list, outer+style.indent)
	if old := member(list, e.Name); old != nil {
		err = c.renew(old, e, style, inner)
	} else {
		var value hujson.Value
		value, err = c.encode(e, style, inner)
		style.add(list, e.Name, value, outer)
	}
	return pack(root, text), err
}

// without is the configuration without the entry, and without the object of
// servers where nothing else is in it; found says whether it was there.
func (c Client) without(text []byte, name string) (result []byte, found bool, err error) {
	root, top, _, err := parse(text)
	if err != nil {
		return nil, false, err
	}
	servers := member(top, c.key)
	if servers == nil {
		return text, false, nil
	}
	list, err := object(servers, c.key)
	if err != nil {
		return nil, false, err
	}
	for i, m := range list.Members {
		if nameOf(m) == name {
			remove(list, i)
			if len(list.Members) == 0 && list.AfterExtra == nil {
				remove(top, slices.IndexFunc(top.Members, func(m hujson.ObjectMember) bool { return nameOf(m) == c.key }))
			}
			return pack(root, text), true, nil
		}
	}
	return text, false, nil
}

// entry is the entry of a name as JSON; nil when there is none.
func (c Client) entry(text []byte, name string) (json.RawMessage, error) {
	_, top, _, err := parse(text)
	if err != nil {
		return nil, err
	}
	servers := member(top, c.key)
	if servers == nil {
		return nil, nil
	}
	list, err := object(servers, c.key)
	if err != nil {
		return nil, err
	}
	found := member(list, name)
	if found == nil {
		return nil, nil
	}
	value := found.Clone()
	value.Minimize()
	return value.Pack(), nil
}

// alone reports whether a text is what install writes where there is no file.
func (c Client) alone(text []byte, name string) bool {
	var e Entry
	raw, err := c.entry(text, name)
	if err != nil || json.Unmarshal(raw, &e) != nil {
		return false
	}
	e.Name = name
	written, err := c.with(nil, e)
	return err == nil && bytes.Equal(written, text)
}

// field is a member of an entry.
type field struct {
	name  string
	value any
}

// fields are what the client needs to start the toolkit.
func (c Client) fields(e Entry) []field {
	var fields []field
	if c.source != "" {
		fields = append(fields, field{"source", c.source})
	}
	if c.kind != "" {
		fields = append(fields, field{"type", c.kind})
	}
	return append(fields, field{"command", e.Command}, field{"args", e.Args})
}

// encode writes an entry in the client's form, a field a line.
func (c Client) encode(e Entry, style layout, prefix string) (hujson.Value, error) {
	entry := &hujson.Object{}
	for _, f := range c.fields(e) {
		value, err := encodeValue(f.value)
		if err != nil {
			return hujson.Value{}, err
		}
		style.add(entry, f.name, value, prefix)
	}
	return hujson.Value{Value: entry}, nil
}

// renew brings an entry up to date. Fields that the toolkit knows nothing of,
// such as env, are the person's and stay.
func (c Client) renew(old *hujson.Value, e Entry, style layout, prefix string) error {
	entry, err := object(old, "the entry "+e.Name)
	if err != nil {
		return err
	}
	for _, f := range c.fields(e) {
		value, err := encodeValue(f.value)
		if err != nil {
			return err
		}
		if known := member(entry, f.name); known != nil {
			known.Value = value.Value
		} else {
			style.add(entry, f.name, value, prefix)
		}
	}
	return nil
}

func encodeValue(v any) (hujson.Value, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return hujson.Value{}, err
	}
	return hujson.Parse(bytes.TrimSpace(b.Bytes()))
}

// parse reads JSON with comments and trailing commas; nothing at all is an
// empty object.
func parse(text []byte) (hujson.Value, *hujson.Object, layout, error) {
	style := layout{newline: "\n", indent: "  "}
	if bytes.Contains(text, []byte("\r\n")) {
		style.newline = "\r\n"
	}
	text = bytes.TrimPrefix(text, byteOrderMark)
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}" + style.newline)
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(bytes.Clone(text), '\n') // a comment may end the file; pack takes it away again
	}
	root, err := hujson.Parse(text)
	if err != nil {
		return root, nil, style, fmt.Errorf("it is not valid JSON (%s); mend it by hand first", parseFault(err))
	}
	top, err := object(&root, "the whole of it")
	if err != nil {
		return root, nil, style, err
	}
	if indent := style.indentOf(top, ""); indent != "" {
		style.indent = indent
	}
	return root, top, style, nil
}

// pack is the text of a configuration, with the mark of the original and without
// a last line ending that it did not have.
func pack(root hujson.Value, original []byte) []byte {
	text := root.Pack()
	if !bytes.HasSuffix(original, []byte("\n")) && len(bytes.TrimSpace(bytes.TrimPrefix(original, byteOrderMark))) > 0 {
		text = bytes.TrimSuffix(text, []byte("\n"))
	}
	if bytes.HasPrefix(original, byteOrderMark) {
		return append(bytes.Clone(byteOrderMark), text...)
	}
	return text
}

// parseFault says where a text is wrong and how, such as "line 3, column 7:
// invalid literal", without what stands there: it may be a key.
func parseFault(err error) string {
	parts := strings.SplitN(strings.TrimPrefix(err.Error(), "hujson: "), ": ", 3)
	return strings.Join(parts[:min(2, len(parts))], ": ")
}

func object(v *hujson.Value, what string) (*hujson.Object, error) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%s is not an object; mend it by hand first", what)
	}
	seen := map[string]bool{}
	for _, m := range o.Members {
		if seen[nameOf(m)] {
			return nil, fmt.Errorf("%s holds %q twice; mend it by hand first", what, nameOf(m))
		}
		seen[nameOf(m)] = true
	}
	return o, nil
}

func nameOf(m hujson.ObjectMember) string {
	literal, _ := m.Name.Value.(hujson.Literal)
	return literal.String()
}

func member(o *hujson.Object, name string) *hujson.Value {
	for i := range o.Members {
		if nameOf(o.Members[i]) == name {
			return &o.Members[i].Value
		}
	}
	return nil
}

// indentOf is the space before the object's last member, where that stands on a
// line of its own.
func (layout) indentOf(o *hujson.Object, fallback string) string {
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

// add appends a member on a line of its own; prefix is the indentation of the
// object. A comment behind the last member stays there.
func (style layout) add(o *hujson.Object, name string, v hujson.Value, prefix string) *hujson.Value {
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

// remove takes a member out and leaves comments around it where they are.
func remove(o *hujson.Object, i int) {
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
	}
}
