package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Codex keeps its configuration in TOML. What is ours there is one block of lines that
// is put in and taken out as text, so that everything else stays to the letter:
//
//	# toolkit: begin
//	[mcp_servers.toolkit]
//	command = "/usr/bin/toolkit"
//	args = ["serve", "--stdio"]
//	[[hooks.Stop]] # toolkit
//	hooks = [{ type = "command", command = "…", timeout = 5 }]
//	# toolkit: end
//
// Codex itself writes tables before the last comment, so within the block. Earlier
// versions wrote the same tables apart and without the two marks.

// blockPattern finds the lines that install writes for an entry, in one piece or several.
func (c Client) blockPattern(name string) *regexp.Regexp {
	n := regexp.QuoteMeta(name)
	const end = `\r?(?:\n|\z)`
	return regexp.MustCompile(`(?m)(?:^# ` + n + `: begin` + end +
		`|^\[` + regexp.QuoteMeta(c.key) + `\.` + n + `\]\r?\ncommand = "[^\r\n]*"\r?\nargs = \[[^\r\n]*\]` + end +
		`|^\[\[hooks\.\w+\]\] # ` + n + `\r?\nhooks = \[[^\r\n]*\]` + end +
		`|^# ` + n + `: end` + end + `)+`)
}

// addOrReplaceTOMLEntry puts the block to the end of the text, instead of the one that is there.
func (c Client) addOrReplaceTOMLEntry(original []byte, e ClientEntry) ([]byte, error) {
	text, err := c.removeTOMLBlock(string(original), e.Name)
	if err != nil {
		return nil, err
	}
	newline := "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	if e.Args == nil {
		e.Args = []string{} // TOML has no null
	}
	lines := []string{"# " + e.Name + ": begin", "[" + c.key + "." + e.Name + "]"}
	for _, f := range c.listEntryFields(e) {
		value, err := encodeEntryValue(f.value)
		if err != nil {
			return nil, err
		}
		lines = append(lines, f.name+" = "+string(value.Pack()))
	}
	for _, h := range e.Hooks {
		lines = append(lines, fmt.Sprintf("[[hooks.%s]] # %s", h.Event, e.Name),
			fmt.Sprintf(`hooks = [{ type = "command", command = %s, timeout = %d }]`, quoteTOML(h.Command), h.Timeout))
	}
	lines = append(lines, "# "+e.Name+": end", "")
	if text != "" {
		text += newline // an empty line, unless the text has no last line ending
	}
	text += strings.Join(lines, newline)
	if _, err := parseTOML([]byte(text)); err != nil { // it was valid before
		return nil, fmt.Errorf("%s or hooks stand there in one line, as in '%[1]s = {…}', to which nothing can be added: write [%[1]s.NAME] tables instead, then run the command again", c.key)
	}
	return []byte(text), nil
}

func (c Client) removeTOMLEntry(original []byte, name string) (result []byte, found bool, err error) {
	entry, err := c.findTOMLEntry(original, name)
	if err != nil || entry == nil {
		return original, false, err
	}
	text, err := c.removeTOMLBlock(string(original), name)
	return []byte(text), true, err
}

// removeTOMLBlock returns a text without our lines. It refuses a text in which another entry of
// the name is left then, or in which anything else would say something else.
func (c Client) removeTOMLBlock(text, name string) (string, error) {
	all, err := parseTOML([]byte(text))
	if err != nil {
		return "", err
	}
	found := c.blockPattern(name).FindAllStringIndex(text, -1)
	rest := text
	for i := len(found) - 1; i >= 0; i-- { // from the last, so that places stay true
		start, end := found[i][0], found[i][1]
		if strings.HasPrefix(rest[start:], "# "+name+": end") { // what Codex wrote stands before it
			rest = rest[:start] + rest[end:]
		} else {
			rest = cutTOMLLines(rest, start, end)
		}
	}
	left, err := parseTOML([]byte(rest))
	servers, _ := left[c.key].(map[string]any)
	if err != nil || servers[name] != nil || !reflect.DeepEqual(c.deleteEntryAndCountHooks(all, text, name), c.deleteEntryAndCountHooks(left, rest, name)) {
		return "", fmt.Errorf("[%s.%s] is not as install writes it, so only you can tell what is to stay: take it and the hooks marked '# %s' out by hand, then run the command again", c.key, name, name)
	}
	return rest, nil
}

// cutTOMLLines takes lines out, with the line ending that stands before them.
func cutTOMLLines(text string, start, end int) string {
	before := text[:start]
	if shorter := strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r"); end == len(text) || shorter == "" || strings.HasSuffix(shorter, "\n") || strings.TrimLeft(text[end:], "\r\n") != text[end:] {
		before = shorter
	}
	return before + text[end:]
}

// deleteEntryAndCountHooks returns the values of a text without the entry of a name; of hooks it is how many.
func (c Client) deleteEntryAndCountHooks(all map[string]any, text, name string) map[string]any {
	if servers, ok := all[c.key].(map[string]any); ok {
		if delete(servers, name); len(servers) == 0 {
			delete(all, c.key)
		}
	}
	ours := map[string]int{}
	for _, h := range c.findTOMLHooks(text, name) {
		ours[h.Event]++
	}
	hooks, _ := all["hooks"].(map[string]any)
	for event, groups := range hooks {
		if list, ok := groups.([]any); ok {
			if hooks[event] = len(list) - ours[event]; hooks[event] == 0 {
				delete(hooks, event)
			}
		}
	}
	if len(hooks) == 0 {
		delete(all, "hooks")
	}
	return all
}

// findTOMLEntry returns the entry of a name with its hooks, as JSON; nil when there is none.
func (c Client) findTOMLEntry(text []byte, name string) (json.RawMessage, error) {
	all, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	servers, _ := all[c.key].(map[string]any)
	entry, ok := servers[name].(map[string]any)
	if !ok {
		return nil, nil
	}
	if hooks := c.findTOMLHooks(string(text), name); hooks != nil {
		entry["hooks"] = hooks
	}
	return json.Marshal(entry)
}

// listTOMLNames returns the names of all servers, sorted.
func (c Client) listTOMLNames(text []byte) ([]string, error) {
	all, err := parseTOML(text)
	servers, _ := all[c.key].(map[string]any)
	return slices.Sorted(maps.Keys(servers)), err
}

// findTOMLHooks returns the hooks of an entry, as they stand in our lines.
func (c Client) findTOMLHooks(text, name string) (hooks []ClientHook) {
	header := regexp.MustCompile(`(?m)^\[\[hooks\.(\w+)\]\]`)
	lines := strings.Join(c.blockPattern(name).FindAllString(text, -1), "\n")
	var ours struct {
		Hooks map[string][]struct{ Hooks []ClientHook }
	}
	if toml.Unmarshal([]byte(lines), &ours) != nil {
		return nil // the text has an entry twice, which does not parse either
	}
	for _, found := range header.FindAllStringSubmatch(lines, -1) { // in their order
		event := found[1]
		for _, h := range ours.Hooks[event][0].Hooks {
			h.Event = event
			hooks = append(hooks, h)
		}
		ours.Hooks[event] = ours.Hooks[event][1:]
	}
	return hooks
}

func parseTOML(text []byte) (map[string]any, error) {
	all := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &all)
	var fault *toml.DecodeError
	if errors.As(err, &fault) {
		line, column := fault.Position()
		return nil, fmt.Errorf("it is not valid TOML (line %d, column %d); mend it by hand first", line, column)
	}
	return all, err
}

func quoteTOML(s string) string {
	value, err := encodeEntryValue(s)
	if err != nil {
		return `""`
	}
	return string(value.Pack())
}
