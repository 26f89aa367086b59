package soaktest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// filesStep uploads: papers that must stay, files made to do harm, and the data
// folder itself. Taking one of the toolkit's own files is a failure, and what it
// would do to the others shows in what they acknowledged.
func filesStep(ctx context.Context, w *Worker) error {
	if w.Data == "" || !w.chance(30) { // beside the others of its family
		return nil
	}
	inbox := filepath.Join(w.Data, fmt.Sprintf("inbox-%d", w.id))
	if err := os.MkdirAll(inbox, 0o700); err != nil {
		return err
	}
	switch w.Rand.IntN(3) {
	case 0:
		return uploadPaper(ctx, w, inbox)
	case 1:
		name, made := hostileFile(w)
		path := filepath.Join(inbox, name)
		if err := os.WriteFile(path, made, 0o600); err != nil {
			return err
		}
		_, err := w.Call(ctx, "upload_file", object{"file_path": path})
		return onlyLost(err)
	}
	return uploadOwn(ctx, w, inbox)
}

// onlyLost passes on that the server went away: any other answer to a file made
// to do harm is right.
func onlyLost(err error) error {
	if errors.Is(err, ErrLost) {
		return err
	}
	return nil
}

func uploadPaper(ctx context.Context, w *Worker, inbox string) error {
	token := w.token()
	path := filepath.Join(inbox, token+".txt")
	if err := os.WriteFile(path, []byte("A note about "+token+"\n"), 0o600); err != nil {
		return err
	}
	defer os.Remove(path) //nolint:errcheck // at worst a temporary file stays
	return w.write(ctx, token, []string{"records"}, "upload_file", object{"file_path": path, "properties": fmt.Sprintf(`{"note":%q}`, token)})
}

// uploadOwn asks for one of the toolkit's own files, by its name or by another
// name that leads to it.
func uploadOwn(ctx context.Context, w *Worker, inbox string) error {
	var own []string
	for _, pattern := range []string{"*.db", "*.db-*", "*.key", filepath.Join("files", "*"), filepath.Join("files", "*", "*")} {
		found, err := filepath.Glob(filepath.Join(w.Data, pattern))
		if err != nil {
			return err
		}
		own = append(own, found...)
	}
	path, ok := pick(w, own)
	if !ok {
		return nil
	}
	name, link := path, filepath.Join(inbox, w.token())
	switch way := w.Rand.IntN(3); {
	case way == 0 && filepath.Ext(path) != ".db": // a server that starts meanwhile rightly refuses a database with a second name
		if os.Link(path, link) == nil {
			name = link
		}
	case way == 1:
		if os.Symlink(path, link) == nil {
			name = link
		}
	}
	defer os.Remove(link) //nolint:errcheck // at worst a link stays
	_, err := w.Call(ctx, "upload_file", object{"file_path": name})
	if err == nil {
		return fmt.Errorf("upload_file took %s of the data folder", filepath.Base(path))
	}
	return onlyLost(err)
}

// hostileFile is a file on which careless readers spend time or memory without
// end, or fall over.
func hostileFile(w *Worker) (name string, made []byte) {
	size := 1 + w.Rand.IntN(2000)
	switch w.Rand.IntN(6) {
	case 0: // a mail within a mail within a mail
		var b bytes.Buffer
		for i := range size {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
		}
		return "nested.eml", b.Bytes()
	case 1: // a page that draws without end
		page := strings.Repeat("0 0 m 1 1 l S\n", size*10)
		return "drawing.pdf", fmt.Appendf(nil, "%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"+
			"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n4 0 obj<</Length %d>>stream\n%sendstream endobj\ntrailer<</Root 1 0 R>>\n", len(page), page)
	case 2: // one cell
		return "cell.csv", []byte("a,b\n\"" + strings.Repeat("x\"\"", size*50))
	case 3:
		return "deep.json", []byte(strings.Repeat(`[{"a":`, size*5))
	case 4: // no end, no sense
		made = make([]byte, size*8)
		for i := range made {
			made[i] = byte(w.Rand.Uint32())
		}
		return "noise.docx", append([]byte("PK\x03\x04"), made...)
	}
	return "lines.txt", []byte(strings.Repeat("\x00\u202e\xff\n", size*20))
}
