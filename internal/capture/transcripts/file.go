package transcripts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrUnknown is a file that none of the clients wrote.
var ErrUnknown = errors.New("this is no transcript that capture knows")

// File is a transcript that was found.
type File struct {
	Path   string
	Client Client // of an export, which of the two is seen when it is read
	form   form
}

// form is how a file is read.
type form int

const (
	claudeLines form = iota
	codexLines
	geminiLines
	geminiWhole
	export
	archive
)

// Identity tells a file from others.
type Identity struct {
	Name    string // device and inode where there are such, else the path
	Size    int64
	Changed time.Time
}

// Open opens a transcript and says who it is.
func (f File) Open() (file *os.File, id Identity, err error) {
	if file, err = os.Open(f.Path); err != nil {
		return nil, id, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a file")
	}
	if err != nil {
		file.Close() //nolint:errcheck // it was only looked at
		return nil, id, err
	}
	return file, Identity{Name: identity(f.Path, info), Size: info.Size(), Changed: info.ModTime()}, nil
}

// headBytes are enough to tell one session from another: the first line names it.
const headBytes = 4096

// HeadLength is how much of the beginning of a file of a size is marked.
func HeadLength(size int64) int64 { return min(headBytes, size) }

// FingerprintReadPart stands for the beginning of a file and for what was read of it last. As
// long as it stays, what was read before offset is what stands there.
func FingerprintReadPart(file io.ReaderAt, head, offset int64) (string, error) {
	sum := sha256.New()
	for _, part := range []*io.SectionReader{io.NewSectionReader(file, 0, head), io.NewSectionReader(file, max(offset-headBytes, 0), min(headBytes, offset))} {
		if _, err := io.Copy(sum, part); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// ReadsFromStart reports whether the file is always read from its beginning.
func (f File) ReadsFromStart() bool { return f.form != claudeLines && f.form != codexLines }

// ReadTurns hands on the turns of an open transcript from an offset on.
func (f File) ReadTurns(ctx context.Context, file *os.File, from, size int64, emit func(Turn) error) (Report, error) {
	rd := &transcriptReader{emit: emit}
	rd.Offset = from
	var err error
	// What is added while it is read is for the next time.
	whole := io.NewSectionReader(file, 0, size)
	rest := io.NewSectionReader(file, from, max(size-from, 0))
	switch f.form {
	case claudeLines:
		rd.before = func(session string) Turn { return findFolderAndBranch(ctx, whole, from, session) }
		err = readClaudeCode(ctx, rest, from, rd)
	case codexLines:
		if meta, ok := readCodexHead(whole); ok {
			if rd.forms, err = scanCodexMessageForms(ctx, io.NewSectionReader(file, 0, size)); err != nil {
				return rd.Report, err
			}
			err = readCodex(ctx, rest, from, meta, rd)
		} else {
			rd.addProblem(0, "the rollout does not say which session it is")
		}
	case geminiLines:
		err = readGemini(ctx, whole, readGeminiProjectRoot(f.Path), rd)
	case geminiWhole:
		err = readGeminiWhole(whole, readGeminiProjectRoot(f.Path), rd)
	case archive:
		if err = readExportArchive(ctx, file, size, rd); err == nil {
			rd.Offset = size
		}
	default:
		if err = readExport(ctx, whole, rd); err == nil {
			rd.Offset = size
		}
	}
	return rd.Report, err
}

// RecognizeFile tells by its beginning who wrote a file.
func RecognizeFile(name string) (File, error) {
	f := File{Path: name}
	file, err := os.Open(name)
	if err != nil {
		return f, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	start := make([]byte, headBytes)
	n, err := io.ReadFull(file, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return f, err
	}
	var known bool
	if f.Client, f.form, known = recognizeClientAndForm(start[:n]); !known {
		return f, ErrUnknown
	}
	return f, nil
}

func recognizeClientAndForm(start []byte) (Client, form, bool) {
	start = bytes.TrimSpace(bytes.TrimPrefix(start, []byte(byteOrderMark)))
	line, _, _ := bytes.Cut(start, []byte("\n"))
	has := func(text []byte, key string) bool { return bytes.Contains(text, []byte(`"`+key+`"`)) }
	switch {
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return "", archive, true
	case bytes.HasPrefix(start, []byte("[")):
		return "", export, true
	case !bytes.HasPrefix(start, []byte("{")):
		return "", 0, false
	case has(line, "session_meta"):
		return Codex, codexLines, true
	case has(line, "sessionId") && has(line, "projectHash") && !has(line, "messages"):
		return Gemini, geminiLines, true
	case has(start, "sessionId") && has(start, "projectHash"):
		return Gemini, geminiWhole, true
	case has(line, "type") && (has(start, "sessionId") || has(start, "parentUuid") || has(start, "leafUuid") || has(start, "file-history-snapshot")):
		return ClaudeCode, claudeLines, true
	case has(start, "mapping"), has(start, "chat_messages"): // of one conversation, or of a list in an object
		return "", export, true
	}
	return "", 0, false
}

// readGeminiProjectRoot returns the working directory of a chat, which Gemini CLI writes beside
// the folder of its chats; empty where it does not.
func readGeminiProjectRoot(path string) string {
	for folder := filepath.Dir(path); filepath.Base(folder) != "tmp" && filepath.Dir(folder) != folder; folder = filepath.Dir(folder) {
		root := filepath.Join(folder, ".project_root")
		if info, err := os.Stat(root); err != nil || !info.Mode().IsRegular() || info.Size() >= headBytes { // opening a pipe would wait
			continue
		}
		if raw, err := os.ReadFile(root); err == nil {
			return strings.TrimSpace(string(raw))
		}
	}
	return ""
}
