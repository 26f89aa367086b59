package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Codex keeps its configuration in TOML. An entry there is a table of its own, and a
// hook one element of an array of tables; both are put in and taken out as lines, so
// that everything else stays to the letter. What came of it is parsed and compared.

// table is one table of a text: its header and its values, without the comments and
// empty lines before the next one.
type table struct {
	name       string
	start, end int
}

var (
	tableHeader = regexp.MustCompile(`(?m)^[ \t]*(\[\[?)[ \t]*([^\]\r\n]+?)[ \t]*\]\]?[ \t]*(#[^\r\n]*)?\r?$`)
	ownField    = regexp.MustCompile(`^[ \t]*(command|args)[ \t]*=`)
	unquoted    = strings.NewReplacer(`"`, "", `'`, "", " ", "", "\t", "")
)

// tables are those of a text that belong to the entry of a name: its own, those
// below it, and the hooks that are marked with the name.
func (c Client) tables(text, name string) (found []table) {
	headers := tableHeader.FindAllStringSubmatchIndex(text, -1)
	for i, h := range headers {
		next := len(text)
		if i+1 < len(headers) {
			next = headers[i+1][0]
		}
		t := table{name: unquoted.Replace(text[h[4]:h[5]]), start: h[0]}
		at := h[0]
		for line := range strings.Lines(text[h[0]:next]) {
			at += len(line)
			if value := strings.TrimSpace(line); value != "" && value[0] != '#' {
				t.end = at
			}
		}
		marked := h[6] >= 0 && text[h[6]:h[7]] == "# "+name && strings.HasPrefix(t.name, "hooks.")
		if t.name == c.key+"."+name || strings.HasPrefix(t.name, c.key+"."+name+".") || marked {
			found = append(found, t)
		}
	}
	return found
}

// withTOML appends the entry, or changes what the toolkit knows of it where it is.
func (c Client) withTOML(original []byte, e Entry) ([]byte, error) {
	text, newline := string(original), "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	if e.Args == nil {
		e.Args = []string{} // TOML has no null
	}
	var values strings.Builder
	for _, f := range c.fields(e) {
		value, err := encodeValue(f.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&values, "%s = %s%s", f.name, value.Pack(), newline)
	}
	header := "[" + c.key + "." + e.Name + "]"
	placed := false
	for tables := c.tables(text, e.Name); len(tables) > 0; tables = tables[:len(tables)-1] { // from the last, so that places stay true
		switch t := tables[len(tables)-1]; {
		case strings.HasPrefix(t.name, "hooks."):
			text = cut(text, t)
		case t.name == c.key+"."+e.Name:
			head, rest, _ := strings.Cut(text[t.start:t.end], "\n")
			text = text[:t.start] + head + "\n" + values.String() + foreign(rest) + text[t.end:]
			placed = true
		}
	}
	if !placed {
		text = appended(text, header+newline+values.String(), newline)
	}
	for _, h := range e.Hooks {
		text = appended(text, fmt.Sprintf("[[hooks.%s]] # %s%shooks = [{ type = \"command\", command = %s, timeout = %d }]%s", h.Event, e.Name, newline, quoted(h.Command), h.Timeout, newline), newline)
	}
	return c.unharmed(original, text, e.Name)
}

// appended is a text with a table behind an empty line; where the text has no last
// line ending the table stands right below, by which its removal knows that.
func appended(text, table, newline string) string {
	if text == "" {
		return table
	}
	return text + newline + table
}

// foreign are the lines of a table that are not the toolkit's.
func foreign(values string) string {
	var kept, own strings.Builder
	for line := range strings.Lines(values) {
		if own.Len() == 0 && !ownField.MatchString(line) {
			kept.WriteString(line)
			continue
		}
		own.WriteString(line)
		if toml.Unmarshal([]byte(own.String()), &map[string]any{}) == nil { // a list may go over several lines
			own.Reset()
		}
	}
	return kept.String()
}

func (c Client) withoutTOML(original []byte, name string) (result []byte, found bool, err error) {
	entry, err := c.entryTOML(original, name)
	if err != nil || entry == nil {
		return original, false, err
	}
	text := string(original)
	for tables := c.tables(text, name); len(tables) > 0; tables = tables[:len(tables)-1] {
		text = cut(text, tables[len(tables)-1])
	}
	result, err = c.unharmed(original, text, name)
	if err == nil {
		if entry, err = c.entryTOML(result, name); entry != nil {
			err = errors.New("the entry is written in a way that is not taken out by a program; take it out by hand")
		}
	}
	return result, true, err
}

// cut takes a table out, with the line ending that stands before it.
func cut(text string, t table) string {
	before := text[:t.start]
	if shorter := strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r"); t.end == len(text) || shorter == "" || strings.HasSuffix(shorter, "\n") {
		before = shorter
	}
	return before + text[t.end:]
}

// entryTOML is the entry of a name with its hooks, as JSON; nil when there is none.
func (c Client) entryTOML(text []byte, name string) (json.RawMessage, error) {
	all, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	servers, _ := all[c.key].(map[string]any)
	entry, ok := servers[name].(map[string]any)
	if !ok {
		return nil, nil
	}
	var hooks []Hook
	for _, t := range c.tables(string(text), name) {
		var one struct {
			Hooks map[string][]struct{ Hooks []Hook }
		}
		event, ours := strings.CutPrefix(t.name, "hooks.")
		if !ours || toml.Unmarshal(text[t.start:t.end], &one) != nil {
			continue
		}
		for _, group := range one.Hooks[event] {
			for _, h := range group.Hooks {
				h.Event = event
				hooks = append(hooks, h)
			}
		}
	}
	if hooks != nil {
		entry["hooks"] = hooks
	}
	return json.Marshal(entry)
}

// unharmed makes sure that a changed text says the same as before but for the entry.
func (c Client) unharmed(before []byte, after, name string) ([]byte, error) {
	was, err := c.others(string(before), name)
	if err != nil {
		return nil, err
	}
	is, err := c.others(after, name)
	if err != nil || !reflect.DeepEqual(was, is) {
		return nil, errors.New("the entry is written in a way that is not changed by a program; change it by hand")
	}
	return []byte(after), nil
}

// others are the values of a text without the entry of a name and its hooks.
func (c Client) others(text, name string) (map[string]any, error) {
	all, err := parseTOML([]byte(text))
	if err != nil {
		return nil, err
	}
	if servers, ok := all[c.key].(map[string]any); ok {
		if delete(servers, name); len(servers) == 0 {
			delete(all, c.key)
		}
	}
	ours := map[string]int{}
	for _, t := range c.tables(text, name) {
		ours[t.name]++
	}
	hooks, _ := all["hooks"].(map[string]any)
	for event, groups := range hooks {
		if list, ok := groups.([]any); ok && ours["hooks."+event] == len(list) {
			delete(hooks, event)
		} else if ok {
			hooks[event] = len(list) - ours["hooks."+event]
		}
	}
	if len(hooks) == 0 {
		delete(all, "hooks")
	}
	return all, nil
}

func parseTOML(text []byte) (map[string]any, error) {
	all := map[string]any{}
	err := toml.Unmarshal(text, &all)
	var fault *toml.DecodeError
	if errors.As(err, &fault) {
		line, column := fault.Position()
		return nil, fmt.Errorf("it is not valid TOML (line %d, column %d); mend it by hand first", line, column)
	}
	return all, err
}

func quoted(s string) string {
	value, err := encodeValue(s)
	if err != nil {
		return `""`
	}
	return string(value.Pack())
}
