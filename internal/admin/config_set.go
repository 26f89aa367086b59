package admin

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"toolkit/store/localfile"
)

// Set writes one setting into the file, in its line where it has one, and leaves
// everything else as it is, comments included. A file in which that cannot be done
// surely is not touched: then the error says which line to write.
func (c *Config) Set(key, value string) error {
	i := slices.IndexFunc(settings, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return fmt.Errorf("%q is no setting%s", key, nearestSetting(key))
	}
	path, mode := c.Path, fs.FileMode(0o600)
	if path == "" {
		return errors.New("no home folder is known here; set TOOLKIT_CONFIG")
	}
	path = localfile.ResolveLinks(path)
	before, err := os.ReadFile(path)
	switch info, fault := os.Stat(path); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the configuration cannot be read: %w", err)
	case fault == nil:
		mode = info.Mode().Perm()
	}
	after := withConfigLine(string(before), key, value)
	want, err := parseConfig(before)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Path, err)
	}
	got, err := parseConfig([]byte(after))
	if env := settings[i].Env; err == nil {
		c.values[env] = got[env]
		want[env] = got[env]
	}
	if err != nil || !maps.Equal(got, want) {
		return fmt.Errorf("%s is written in a way that is not changed here; write into it: %s = %s", c.Path, key, value)
	}
	err = os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = localfile.Replace(path, []byte(after), mode)
	}
	if err != nil {
		return fmt.Errorf("the configuration cannot be written: %w", err)
	}
	return nil
}

// withConfigLine puts a setting into the text of a file: in the place of its line, else
// first in its section, which is added at the end where there is none.
func withConfigLine(text, key, value string) string {
	section, name, _ := strings.Cut(key, ".")
	line := name + " = " + value
	lines := strings.SplitAfter(text, "\n")
	own := regexp.MustCompile(`^\s*` + regexp.QuoteMeta(name) + `\s*=`)
	inside, header := false, -1
	for i, l := range lines {
		switch trimmed := strings.TrimSpace(l); {
		case strings.HasPrefix(trimmed, "["):
			if inside = strings.HasPrefix(strings.ReplaceAll(trimmed, " ", ""), "["+section+"]"); inside {
				header = i
			}
		case inside && own.MatchString(l):
			lines[i] = line + "\n"
			return strings.Join(lines, "")
		}
	}
	if header >= 0 {
		lines[header] = strings.TrimRight(lines[header], "\r\n") + "\n" + line + "\n"
		return strings.Join(lines, "")
	}
	if text != "" {
		text = strings.TrimRight(text, "\n") + "\n\n"
	}
	return text + "[" + section + "]\n" + line + "\n"
}
