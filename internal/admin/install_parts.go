package admin

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"toolkit/plugins"
)

// ClientHook is a command that a client runs at an event, as a line of a shell.
type ClientHook struct {
	Event   string `json:"event" toml:"-"`
	Command string `json:"command" toml:"command"`
	Timeout int    `json:"timeout" toml:"timeout"` // seconds, or milliseconds, as the client counts
}

// ClientPart is what a client is given beside the entry: a folder or a file of rules.
type ClientPart struct {
	Title string
	Place string // the folder, or the file
	Edits []*ClientEdit
}

// ChangedFiles returns the files of a part that come, change or go.
func (p ClientPart) ChangedFiles() []*ClientEdit {
	return slices.DeleteFunc(slices.Clone(p.Edits), func(e *ClientEdit) bool { return !e.Changes })
}

// RelativeName is a file's name within the part.
func (p ClientPart) RelativeName(e *ClientEdit) string {
	if name, err := filepath.Rel(p.Place, e.File); err == nil && name != "." {
		return filepath.ToSlash(name)
	}
	return filepath.Base(e.File)
}

// HasHooks reports whether the client runs hooks.
func (c Client) HasHooks() bool {
	return c.hooks != "" || c.folder != nil && slices.ContainsFunc(c.folder.files, func(f partSource) bool { return strings.HasPrefix(f.to, "hooks") })
}

// HasHooksInstalled reports whether the client's hooks are in: beside the server of a name in its
// file, or in its folder.
func (c Client) HasHooksInstalled(s ClientEnvironment, file, name string) bool {
	if c.hooks != "" {
		text, err := os.ReadFile(file)
		return err == nil && regexp.MustCompile(`(?m)^\[\[hooks\..*# `+regexp.QuoteMeta(name)+`\r?$`).Match(text)
	}
	return c.folder != nil && slices.ContainsFunc(c.folder.files, func(f partSource) bool {
		_, err := os.Stat(filepath.Join(c.folder.place(s), filepath.FromSlash(f.to)))
		return err == nil && strings.HasPrefix(f.to, "hooks")
	})
}

// partFolder is a part that is the toolkit's alone. Its files come from the plugins, by
// the names there; one that begins with hooks/ is left out where hooks are not wanted.
type partFolder struct {
	title string
	place func(ClientEnvironment) string
	files []partSource
}

// partSource is a file of the plugins, or a folder of them, and where it goes.
type partSource struct{ from, to string }

// partRules are a text for a model in a client's own place.
type partRules struct {
	head   string // what the client wants before the text
	shared bool   // the file is the person's too: only the marked block is ours
	user   func(ClientEnvironment) string
	// inProject is a path within a project; several: the first that exists, or the
	// first of all.
	inProject []string
}

// Before and after the toolkit's part of a shared file.
const blockStart, blockEnd = "<!-- toolkit: begin -->\n", "<!-- toolkit: end -->\n"

// partAuthor is in the first file of every folder that is ours.
const partAuthor = "The toolkit authors"

// ClientSetup is what the hooks of a client start, and whether they are wanted.
type ClientSetup struct {
	Program  string
	Database string // "": the usual one
	NoHooks  bool
	Project  bool
	Remove   bool // take everything away instead
	// Offers reports whether the server has a tool of that name; nil: it has all.
	Offers func(tool string) bool
}

// namedTools are what a text for a model names like tools.
var namedTools = regexp.MustCompile("`([a-z_]+)`")

// dropLinesOfMissingTools returns a text for a model without the lines of a list or table that name a tool which the
// server does not have.
func (setup ClientSetup) dropLinesOfMissingTools(text string) string {
	if setup.Offers == nil {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		missing := func(name []string) bool { return !setup.Offers(name[1]) }
		if strings.HasPrefix(line, "- ") && slices.ContainsFunc(namedTools.FindAllStringSubmatch(line, -1), missing) {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// PlanPluginAndRules plans what belongs beside the entry.
func (c Client) PlanPluginAndRules(s ClientEnvironment, setup ClientSetup) (parts []ClientPart, err error) {
	if c.folder != nil && !setup.Project {
		if name := c.findEnabledPlugin(s); name != "" && !setup.Remove {
			return nil, fmt.Errorf("%s has the toolkit as its plugin %s already, with a server of its own; take that out first: %s", c.Title, name, strings.Replace(c.unplug, "NAME", name, 1))
		}
		p, err := c.folder.planPluginFolder(c, s, setup)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if file := c.rules.rulesFile(s, setup.Project); file != "" {
		edit, err := c.rules.planRules(c, file, setup)
		if err != nil {
			return nil, err
		}
		parts = append(parts, ClientPart{Title: "rules: the model reads them in every session, and learns which tools to use for what", Place: file, Edits: []*ClientEdit{edit}})
	}
	return parts, nil
}

// findEnabledPlugin returns the toolkit's plugin that the client has got by its own command;
// "": none. What cannot be read says nothing here: it is told of as a configuration.
func (c Client) findEnabledPlugin(s ClientEnvironment) string {
	if c.plugins == nil {
		return ""
	}
	edit, err := readClientFile(c, c.plugins(s))
	if err != nil {
		return ""
	}
	enabled := map[string]any{}
	if c.toml {
		all, _ := parseTOML(edit.before)
		enabled, _ = all["plugins"].(map[string]any)
	} else if d, err := parseEntryDocument(edit.before); err == nil && memberObject(d.top, "enabledPlugins") != nil {
		for _, m := range memberObject(d.top, "enabledPlugins").Members {
			literal, _ := m.Value.Value.(hujson.Literal)
			enabled[memberName(m)] = string(literal) == "true"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(enabled)) {
		is := enabled[name]
		if table, ok := is.(map[string]any); ok {
			is = table["enabled"]
		}
		if is == true && strings.HasPrefix(name, "toolkit@") && !strings.HasSuffix(name, "@skills-dir") {
			return name
		}
	}
	return ""
}

// ListHooksToInstall are the hooks of a client that keeps them beside its servers.
func (c Client) ListHooksToInstall(s ClientEnvironment, setup ClientSetup) (hooks []ClientHook, err error) {
	if c.hooks == "" || setup.NoHooks {
		return nil, nil
	}
	text, err := plugins.Files.ReadFile(c.hooks)
	if err != nil {
		return nil, err
	}
	for _, m := range hookLine.FindAllSubmatch(text, -1) {
		h := ClientHook{Event: string(m[1]), Command: setup.quoteProgram(s) + " hook " + string(m[1])}
		if setup.Database != "" {
			h.Command += " --db " + quoteShellWord(s, setup.Database)
		}
		if _, err := fmt.Sscan(string(m[2]), &h.Timeout); err != nil {
			return nil, err
		}
		hooks = append(hooks, h)
	}
	return hooks, nil
}

var (
	hookLine  = regexp.MustCompile(`"command": "toolkit hook (\w+)", "timeout": (\d+)`)
	hookArgs  = regexp.MustCompile(`"command": "toolkit", "args": \["hook", "(\w+)"\]`)
	hookText  = regexp.MustCompile(`"command": "toolkit hook (\w+)"`)
	plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./\\-]+$`)
)

// renderHookFile returns a file as it is installed: hooks name the program by its path.
func (setup ClientSetup) renderHookFile(s ClientEnvironment, name string, text []byte) []byte {
	if !strings.HasPrefix(name, "hooks/") {
		return text
	}
	args, line := "", ""
	if setup.Database != "" {
		args, line = `, "--db", `+quoteTOML(setup.Database), " --db "+quoteShellWord(s, setup.Database)
	}
	text = hookArgs.ReplaceAllFunc(text, func(m []byte) []byte {
		return fmt.Appendf(nil, `"command": %s, "args": ["hook", "%s"%s]`, quoteTOML(setup.Program), hookArgs.FindSubmatch(m)[1], args)
	})
	return hookText.ReplaceAllFunc(text, func(m []byte) []byte {
		return fmt.Appendf(nil, `"command": %s`, quoteTOML(setup.quoteProgram(s)+" hook "+string(hookText.FindSubmatch(m)[1])+line))
	})
}

func (setup ClientSetup) quoteProgram(s ClientEnvironment) string {
	return quoteShellWord(s, setup.Program)
}

// quoteShellWord returns a text as one word of the system's shell.
func quoteShellWord(s ClientEnvironment, text string) string {
	switch {
	case plainWord.MatchString(text) && (s.GOOS == "windows" || !strings.Contains(text, `\`)):
		return text
	case s.GOOS == "windows":
		return `"` + text + `"`
	default:
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
}

func (f *partFolder) planPluginFolder(c Client, s ClientEnvironment, setup ClientSetup) (ClientPart, error) {
	place := f.place(s)
	p := ClientPart{Title: f.title, Place: place}
	for i, src := range f.files {
		err := fs.WalkDir(plugins.Files, src.from, func(from string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name := path.Join(src.to, strings.TrimPrefix(strings.TrimPrefix(from, src.from), "/"))
			text, err := plugins.Files.ReadFile(from)
			if err != nil {
				return err
			}
			edit, err := readClientFile(c, filepath.Join(place, filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			if i == 0 && edit.Exists && !bytes.Contains(edit.before, []byte(partAuthor)) {
				return fmt.Errorf("%s is not of the toolkit's making; move it away first", edit.File)
			}
			edit.isOurFile, edit.root = true, place
			edit.setContent(setup.renderHookFile(s, name, text), setup.Remove || setup.NoHooks && strings.HasPrefix(name, "hooks/"))
			edit.same = edit.same || strings.HasPrefix(name, "hooks/") // which name a program and a database
			p.Edits = append(p.Edits, edit)
			return nil
		})
		if err != nil {
			return p, err
		}
	}
	return p, nil
}

// setContent plans a whole file of ours, or that it goes.
func (e *ClientEdit) setContent(text []byte, remove bool) {
	e.after, e.Removes, e.same = text, remove && e.Exists, bytes.Equal(e.before, text)
	if remove {
		e.after = nil
	}
	e.Changes = !bytes.Equal(e.before, e.after) || e.Removes
}

// rulesFile returns where the rules lie; "": the client reads none from a file there.
func (r partRules) rulesFile(s ClientEnvironment, project bool) string {
	switch {
	case !project && r.user != nil:
		return r.user(s)
	case !project || len(r.inProject) == 0:
		return ""
	}
	at := max(0, slices.IndexFunc(r.inProject, func(name string) bool {
		info, err := os.Stat(filepath.Join(s.Folder, filepath.FromSlash(name)))
		return err == nil && info.Mode().IsRegular()
	}))
	return filepath.Join(s.Folder, filepath.FromSlash(r.inProject[at]))
}

func (r partRules) planRules(c Client, file string, setup ClientSetup) (*ClientEdit, error) {
	edit, err := readClientFile(c, file)
	if err != nil {
		return nil, err
	}
	whole, err := plugins.Files.ReadFile("rules/toolkit.md")
	if err != nil {
		return nil, err
	}
	body := []byte(setup.dropLinesOfMissingTools(string(whole)))
	if !r.shared {
		edit.isOurFile, edit.root = true, file
		edit.setContent([]byte(r.head+string(body)), setup.Remove)
		return edit, nil
	}
	if edit.after, err = replaceOrRemoveBlock(edit.before, body, setup.Remove); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	edit.Changes = !bytes.Equal(edit.before, edit.after)
	edit.Removes = edit.Changes && setup.Remove && len(edit.after) == 0
	if edit.Changes && setup.Remove {
		err = edit.useBackupIfEquivalent(func(text []byte) ([]byte, bool) { return addAndRemoveBlock(text, body) })
	}
	return edit, err
}

// addAndRemoveBlock returns what is left of a text to which our block was added and taken out again;
// not ok where it has one already.
func addAndRemoveBlock(text, body []byte) (left []byte, ok bool) {
	if bytes.Contains(text, []byte(strings.TrimSpace(blockStart))) {
		return nil, false
	}
	with, err := replaceOrRemoveBlock(text, body, false)
	if err != nil {
		return nil, false
	}
	left, err = replaceOrRemoveBlock(with, body, true)
	return left, err == nil
}

// replaceOrRemoveBlock is a text with our block in it, or without. A text without a last line
// ending gets the block right below, with one behind an empty line; so its removal
// gives the text of before.
func replaceOrRemoveBlock(before, body []byte, remove bool) ([]byte, error) {
	text := string(before)
	newline := "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	lines := func(s string) string { return strings.ReplaceAll(s, "\n", newline) }
	start, end := strings.Index(text, lines(blockStart)), strings.Index(text, lines(blockEnd))
	ours := lines(blockStart + string(body) + blockEnd)
	switch {
	case (start < 0) != (end < 0) || end < start:
		return nil, errors.New("one of the two lines that mark the toolkit's part is missing; mend it by hand first")
	case start < 0 && remove:
		return before, nil
	case start < 0 && text == "":
		return []byte(ours), nil
	case start < 0:
		return []byte(text + newline + ours), nil
	}
	head, tail := text[:start], text[end+len(lines(blockEnd)):]
	if !remove {
		return []byte(head + ours + tail), nil
	}
	if tail == "" || strings.HasSuffix(head, newline+newline) {
		head = strings.TrimSuffix(head, newline)
	}
	return []byte(head + tail), nil
}
