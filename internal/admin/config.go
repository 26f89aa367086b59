package admin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"toolkit/internal/language"
	"toolkit/store/localfile"
)

// maxConfigBytes is the largest file that is read, in bytes.
const maxConfigBytes = 1 << 20

// SettingOrigin says where a value comes from.
type SettingOrigin string

// Origins, strongest first. A command adds its own flags in front.
const (
	SettingFromEnvironment SettingOrigin = "environment"
	SettingFromFile        SettingOrigin = "file"
	SettingFromDefault     SettingOrigin = "default"
)

// Config is a configuration file together with the environment.
type Config struct {
	Path   string // of the file, whether it exists or not
	Exists bool

	values map[string]string // by variable
	getenv func(string) string
}

// ConfigPath is where the configuration file lies: $TOOLKIT_CONFIG, else
// toolkit/config.toml in $XDG_CONFIG_HOME or the platform's own folder.
func ConfigPath(getenv func(string) string) (string, error) {
	if path := getenv("TOOLKIT_CONFIG"); path != "" {
		return path, nil
	}
	folder := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) { // the XDG specification wants relative values ignored
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("no home folder is known here; set TOOLKIT_CONFIG: %w", err)
		}
		folder = ConfigFolder(runtime.GOOS, home, getenv)
	}
	return filepath.Join(folder, "toolkit", "config.toml"), nil
}

// ConfigFolder is where the programs of a system keep their settings.
func ConfigFolder(goos, home string, getenv func(string) string) string {
	switch folder := getenv("APPDATA"); {
	case goos == "darwin":
		return filepath.Join(home, "Library", "Application Support")
	case goos == "windows" && folder != "":
		return folder
	case goos == "windows":
		return filepath.Join(home, "AppData", "Roaming")
	}
	if folder := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(folder) {
		return folder
	}
	return filepath.Join(home, ".config")
}

// LoadConfig reads the configuration file; a missing one is an empty one, unless
// TOOLKIT_CONFIG names it. Errors tell the line and the key to mend. Secrets may
// also stand in files of their own.
func LoadConfig(getenv func(string) string) (*Config, error) {
	c, err := loadConfigFile(getenv)
	if err != nil {
		return nil, err
	}
	return c, c.readSecretFiles()
}

func loadConfigFile(getenv func(string) string) (*Config, error) {
	c := &Config{values: map[string]string{}, getenv: getenv}
	var err error
	if c.Path, err = ConfigPath(getenv); err != nil {
		return c, nil //nolint:nilerr // without a home folder there is no file, which is fine
	}
	info, err := os.Stat(c.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && getenv("TOOLKIT_CONFIG") == "":
		return c, nil
	case err != nil:
		return nil, fmt.Errorf("the configuration cannot be read: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("the configuration %s is not a file", c.Path)
	case info.Size() > maxConfigBytes:
		return nil, fmt.Errorf("the configuration %s is larger than 1 MiB", c.Path)
	}
	text, err := os.ReadFile(c.Path)
	if err != nil {
		return nil, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	c.Exists = true
	if c.values, err = parseConfig(text); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	if err := c.resolvePaths(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		for _, s := range settings {
			if s.Secret && c.values[s.Env] != "" {
				return nil, fmt.Errorf("%s holds %s, and others may read it; run: chmod 600 %s", c.Path, s.Key, c.Path)
			}
		}
	}
	return c, nil
}

// Getenv is the environment, with the file behind it.
func (c *Config) Getenv(name string) string {
	if v := c.getenv(name); v != "" {
		return v
	}
	return c.values[name]
}

// Value is a setting's value and where it comes from. It is empty where the
// default holds.
func (c *Config) Value(s Setting) (string, SettingOrigin) {
	if v := c.getenv(s.Env); v != "" {
		return v, SettingFromEnvironment
	}
	if v := c.values[s.Env]; v != "" {
		return v, SettingFromFile
	}
	return s.Default, SettingFromDefault
}

// parseConfig reads the text of a file as values by variable.
func parseConfig(text []byte) (map[string]string, error) {
	var tree map[string]any
	if err := toml.Unmarshal(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &tree); err != nil {
		var where *toml.DecodeError
		if errors.As(err, &where) {
			row, column := where.Position()
			return nil, fmt.Errorf("line %d, column %d: %s", row, column, strings.TrimPrefix(where.Error(), "toml: "))
		}
		return nil, errors.New(strings.TrimPrefix(err.Error(), "toml: "))
	}
	values := map[string]string{}
	flat := map[string]any{}
	flattenConfig(tree, "", flat)
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		i := slices.IndexFunc(settings, func(s Setting) bool { return s.Key == key })
		if i < 0 {
			return nil, fmt.Errorf("%q is no setting%s; 'toolkit config show' lists them", key, suggestNearestSetting(key))
		}
		value, err := settings[i].formatValue(flat[key])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		values[settings[i].Env] = value
	}
	return values, nil
}

// resolvePaths makes paths of the file mean the same wherever a command is
// started: ~ is the home folder, and a relative path begins at the file's folder.
func (c *Config) resolvePaths() error {
	base, err := filepath.Abs(filepath.Dir(c.Path))
	if err != nil {
		return err
	}
	for _, s := range settings {
		value := c.values[s.Env]
		if value == "" || s.Kind != FileSetting && s.Kind != FoldersSetting {
			continue
		}
		paths := []string{value}
		if s.Kind == FoldersSetting {
			paths = filepath.SplitList(value)
		}
		for i, path := range paths {
			if strings.Contains(path, "://") { // the address of a database
				continue
			}
			if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
				home, err := os.UserHomeDir()
				if err != nil {
					return fmt.Errorf("%s: %w", s.Key, err)
				}
				path = filepath.Join(home, rest)
			}
			if !filepath.IsAbs(path) {
				path = filepath.Join(base, path)
			}
			paths[i] = path
		}
		c.values[s.Env] = strings.Join(paths, string(os.PathListSeparator))
	}
	return nil
}

// flattenConfig writes nested tables as dotted keys.
func flattenConfig(tree map[string]any, prefix string, flat map[string]any) {
	for key, value := range tree {
		if inner, ok := value.(map[string]any); ok {
			flattenConfig(inner, prefix+key+".", flat)
			continue
		}
		flat[prefix+key] = value
	}
}

// formatValue returns a value of the file as its variable would hold it.
func (s Setting) formatValue(value any) (string, error) {
	switch v := value.(type) {
	case string:
		if s.Kind == TextSetting || s.Kind == DurationSetting || s.Kind == ListSetting || s.Kind == FoldersSetting || s.Kind == FileSetting {
			return v, nil
		}
	case bool:
		if s.Kind == SwitchSetting {
			return map[bool]string{true: "1", false: "0"}[v], nil
		}
	case int64:
		if s.Kind == NumberSetting {
			return strconv.FormatInt(v, 10), nil
		}
	case float64:
		if s.Kind == NumberSetting {
			return strconv.FormatFloat(v, 'g', -1, 64), nil
		}
	case []any:
		if s.Kind == ListSetting {
			return joinListSetting(v, ",")
		}
		if s.Kind == FoldersSetting {
			return joinListSetting(v, string(os.PathListSeparator))
		}
	}
	return "", fmt.Errorf("it has to be %s", settingKinds[s.Kind])
}

// joinListSetting returns a list as its variable holds it.
func joinListSetting(list []any, separator string) (string, error) {
	parts := make([]string, len(list))
	for i, part := range list {
		text, ok := part.(string)
		if !ok || strings.Contains(text, separator) {
			return "", fmt.Errorf("it has to be a list of texts without %q", separator)
		}
		parts[i] = text
	}
	return strings.Join(parts, separator), nil
}

// suggestNearestSetting suggests the setting that a key was meant for, in its own section or
// in another.
func suggestNearestSetting(key string) string {
	var keys []string
	for _, s := range settings {
		keys = append(keys, s.Key)
	}
	for _, name := range []string{key, key[strings.LastIndexByte(key, '.')+1:]} {
		if near := language.NearestNames(name, keys, 1); len(near) > 0 {
			return fmt.Sprintf("; did you mean %q?", near[0])
		}
	}
	return ""
}

// maxSecretBytes is the longest secret that a file may hold, in bytes.
const maxSecretBytes = 64 << 10

// readSecretFiles reads the settings that stand in files of their own, as containers
// and systemd hand secrets over: NAME_FILE says where the value of NAME is. Only
// what is secret may be given so, and the address of the database, which may
// hold a password. Who may read such a file is up to whoever hands it over.
func (c *Config) readSecretFiles() error {
	for _, s := range settings {
		path := c.getenv(s.Env + "_FILE")
		if path == "" || !s.Secret && s.Env != "TOOLKIT_DB" {
			continue
		}
		if c.getenv(s.Env) != "" {
			return fmt.Errorf("%s and %s_FILE are both set; keep one", s.Env, s.Env)
		}
		text, err := readSecretFile(path)
		if err != nil {
			return fmt.Errorf("%s_FILE: %w", s.Env, err)
		}
		c.values[s.Env] = text
	}
	return nil
}

func readSecretFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(file, maxSecretBytes+1))
	switch value := strings.TrimSpace(string(text)); {
	case err != nil:
		return "", err
	case len(text) > maxSecretBytes:
		return "", fmt.Errorf("%s is longer than a secret", path)
	case value == "":
		return "", fmt.Errorf("%s is empty", path)
	default:
		return value, nil
	}
}

// WriteSetting writes one setting into the file, in its line where it has one, and leaves
// everything else as it is, comments included. A file in which that cannot be done
// surely is not touched: then the error says which line to write.
func (c *Config) WriteSetting(key, value string) error {
	i := slices.IndexFunc(settings, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return fmt.Errorf("%q is no setting%s", key, suggestNearestSetting(key))
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
	pattern := regexp.MustCompile(`^\s*` + regexp.QuoteMeta(name) + `\s*=`)
	inside, header := false, -1
	for i, l := range lines {
		switch trimmed := strings.TrimSpace(l); {
		case strings.HasPrefix(trimmed, "["):
			if inside = strings.HasPrefix(strings.ReplaceAll(trimmed, " ", ""), "["+section+"]"); inside {
				header = i
			}
		case inside && pattern.MatchString(l):
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
