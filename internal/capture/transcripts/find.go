package transcripts

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"toolkit/store/localfile"
)

// SessionFolders are the folders in which the clients on this machine keep their
// sessions, whether they exist or not; of one that is a link, where it leads.
func SessionFolders(home string, getenv func(string) string) []string {
	claude := []string{filepath.Join(home, ".claude"), filepath.Join(home, ".config", "claude")}
	if folder := getenv("CLAUDE_CONFIG_DIR"); folder != "" {
		claude = append(claude, folder)
	}
	codex := cmp.Or(getenv("CODEX_HOME"), filepath.Join(home, ".codex"))
	all := make([]string, len(claude))
	for i, folder := range claude {
		all[i] = filepath.Join(folder, "projects")
	}
	all = append(all, filepath.Join(codex, "sessions"), filepath.Join(codex, "archived_sessions"), filepath.Join(home, ".gemini", "tmp"))
	parts := make([]string, len(all))
	for i, name := range all {
		parts[i] = localfile.ResolveLinks(name)
	}
	return parts // people keep their sessions elsewhere
}

// FindTranscripts hands on the transcripts in a folder, in the order of their paths, or the
// one file that path names. Other files of a folder are passed over; so are
// links in it, which may lead anywhere.
func FindTranscripts(ctx context.Context, path string, f func(File) error) error {
	path = localfile.ResolveLinks(path)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() && !info.Mode().IsRegular() { // opening a pipe would wait
		return ErrUnknown
	}
	if !info.IsDir() {
		file, err := RecognizeFile(path)
		if err != nil {
			return err
		}
		return f(file)
	}
	return filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // a folder that cannot be read keeps nobody from the others
			return nil //nolint:nilerr // as said
		case !entry.Type().IsRegular() || !hasTranscriptName(entry.Name()):
			return nil
		}
		file, err := RecognizeFile(name)
		if errors.Is(err, ErrUnknown) || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			file.Path = name // reading it will tell
		}
		return f(file)
	})
}

// hasTranscriptName tells the names of transcripts.
func hasTranscriptName(name string) bool {
	return strings.HasSuffix(name, ".jsonl") || isConversationsFile(name) || strings.HasPrefix(name, "session-") && strings.HasSuffix(name, ".json")
}
