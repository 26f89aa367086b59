package transcripts

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"toolkit/store/localfile"
)

// Project is what sessions belong to.
type Project struct {
	Key    string // the same for all its folders
	Name   string
	Root   string   // of the repository, or the folder
	Remote string   // host/owner/name; empty: it has none
	Folder string   // the one that was asked for
	Others []string // further keys
}

// Keys are all by which a project may be known: its Key, and those that it had, or
// will have, while it has no remote, is no repository yet, or a worktree is gone.
func (p *Project) Keys() []string { return append([]string{p.Key}, p.Others...) }

// InFolder begins the key of a project that is known by its folder, ByName that of one of which only
// the name is known, and ByHistory one by how its repository began.
const (
	InFolder  = "folder:"
	ByName    = "name:"
	ByHistory = "history:"
)

// FindProject tells the project of a folder, which need not exist any more; not ok when it
// is none. Home is the user's home folder.
func FindProject(folder, home string) (p Project, ok bool) {
	if !filepath.IsAbs(folder) {
		return p, false
	}
	folder, home = localfile.ResolveLinks(folder), localfile.ResolveLinks(home)
	if isHomeOrRoot(folder, home) {
		return p, false
	}
	place, common := findRepository(folder, home)
	if common == "" {
		return Project{Key: InFolder + folder, Name: filepath.Base(folder), Root: folder, Folder: folder}, true
	}
	root := place
	if filepath.Base(common) == ".git" {
		root = filepath.Dir(common)
	}
	p = Project{Key: InFolder + common, Name: filepath.Base(root), Root: root, Remote: readRemote(filepath.Join(common, "config")), Folder: folder}
	if p.Remote != "" {
		p.Key, p.Name = "git:"+p.Remote, p.Remote[strings.LastIndexByte(p.Remote, '/')+1:]
	}
	for _, known := range append([]string{common, root, place}, listWorktrees(common)...) {
		if key := InFolder + known; !slices.Contains(p.Keys(), key) {
			p.Others = append(p.Others, key)
		}
	}
	if key := hashRepositoryHistory(common); key != "" && p.Remote == "" {
		p.Others = append(p.Others, key)
	}
	return p, true
}

// hashRepositoryHistory is a key by which a repository is known again where its folder has another name: the
// beginning of its log, and when git wrote a file that it writes once. Two that began alike in one
// second differ in that. Empty: it has none.
func hashRepositoryHistory(common string) string {
	began := readFirstLine(filepath.Join(common, "logs", "HEAD"))
	made, err := os.Stat(filepath.Join(common, "description"))
	if before, _, _ := strings.Cut(began, " "); err != nil || before == "" || strings.Trim(before, "0") != "" {
		return ""
	}
	sum := sha256.Sum256(fmt.Append([]byte(began), made.ModTime().UnixNano()))
	return ByHistory + hex.EncodeToString(sum[:16])
}

func isHomeOrRoot(folder, home string) bool { return folder == home || folder == filepath.Dir(folder) }

// findRepository finds the folder of the repository or worktree that a folder lies in,
// and git's directory that all its worktrees share; both empty when there is none.
func findRepository(folder, home string) (place, common string) {
	for ; !isHomeOrRoot(folder, home); folder = filepath.Dir(folder) {
		git := filepath.Join(folder, ".git")
		info, err := os.Stat(git)
		switch {
		case err != nil:
		case info.IsDir():
			return folder, git
		default:
			if common = readCommonDir(git); common == "" {
				return folder, git
			}
			return folder, common
		}
	}
	return "", ""
}

// listWorktrees returns the folders that git names as worktrees of a repository, also such
// as are gone, but none where something else lies by now.
func listWorktrees(common string) (folders []string) {
	list, _ := os.ReadDir(filepath.Join(common, "worktrees")) // most have none
	for _, entry := range list {
		git := readFirstLine(filepath.Join(common, "worktrees", entry.Name(), "gitdir"))
		if !filepath.IsAbs(git) {
			continue
		}
		if _, err := os.Stat(filepath.Dir(git)); err != nil || readCommonDir(git) == common {
			folders = append(folders, localfile.ResolveLinks(filepath.Dir(git)))
		}
	}
	return folders
}

// readCommonDir reads where the .git of a worktree or submodule leads.
func readCommonDir(git string) string {
	place, ok := strings.CutPrefix(readFirstLine(git), "gitdir: ")
	if !ok {
		return ""
	}
	place = resolveRelativePath(filepath.Dir(git), place)
	if shared := readFirstLine(filepath.Join(place, "commondir")); shared != "" {
		place = resolveRelativePath(place, shared)
	}
	return localfile.ResolveLinks(place)
}

func resolveRelativePath(folder, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

// maxGitFileBytes bounds what is read of a file of git.
const maxGitFileBytes = 4096

func readFirstLine(path string) string {
	file := openRegularFile(path)
	if file == nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // it was only read
	line, _, _ := bufio.NewReaderSize(file, maxGitFileBytes).ReadLine()
	return strings.TrimSpace(string(line))
}

// openRegularFile opens a file; nil when there is none. Opening a pipe would wait.
func openRegularFile(path string) *os.File {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	return file
}

// readRemote reads the address of origin from git's configuration, else that of the
// first remote.
func readRemote(config string) string {
	file := openRegularFile(config)
	if file == nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // it was only read
	section, first := "", ""
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) != "url" || !strings.HasPrefix(section, `[remote "`) {
			continue
		}
		address := NormalizeRepositoryAddress(strings.TrimSpace(value))
		if section == `[remote "origin"]` {
			return address
		}
		if first == "" {
			first = address
		}
	}
	return first
}

// NormalizeRepositoryAddress writes the address of a repository as host/owner/name, however it was
// given, and without the user and password that may stand in it; empty for one on
// this machine.
func NormalizeRepositoryAddress(address string) string {
	scheme, rest, hasScheme := strings.Cut(address, "://")
	switch {
	case hasScheme && scheme == "file":
		return ""
	case !hasScheme: // host:owner/name
		host, path, found := strings.Cut(address, ":")
		if !found || strings.ContainsAny(host, `/\`) || len(host) < 2 {
			return ""
		}
		rest = host + "/" + strings.TrimPrefix(path, "/")
	}
	host, path, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	host, _, _ = strings.Cut(host, ":")
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if host == "" || path == "" {
		return ""
	}
	return strings.ToLower(host) + "/" + path
}
