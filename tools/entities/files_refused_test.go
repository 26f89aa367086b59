package entities

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/store/records"
)

func TestUploadRefusesInvalidFiles(t *testing.T) {
	b := newBench(t)
	outside := filepath.Join(t.TempDir(), "secret.txt")
	testenv.Write(t, outside, "secret")
	big := b.file("big.txt", "")
	if err := os.Truncate(big, MaxFileSize+1); err != nil {
		t.Fatal(err)
	}
	note := b.file("note.txt", "a note")
	if err := os.Mkdir(filepath.Join(b.folder, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	hidden := b.file(".ssh/id.txt", "key")
	for name, c := range map[string]struct {
		in          args
		code, field string
	}{
		"no path":                  {args{}, "VALIDATION_ERROR", "file_path"},
		"a blank path":             {args{"file_path": " \n"}, "VALIDATION_ERROR", "file_path"},
		"a path with NUL":          {args{"file_path": note + "\x00.txt"}, "VALIDATION_ERROR", "file_path"},
		"a URL":                    {args{"file_path": "file://" + note}, "VALIDATION_ERROR", "file_path"},
		"a folder":                 {args{"file_path": b.folder}, "VALIDATION_ERROR", "file_path"},
		"nothing there":            {args{"file_path": filepath.Join(b.folder, "none.txt")}, "FILE_NOT_FOUND", "file_path"},
		"a path behind a file":     {args{"file_path": filepath.Join(note, "x.txt")}, "FILE_NOT_FOUND", "file_path"},
		"outside":                  {args{"file_path": outside}, "PERMISSION_DENIED", "file_path"},
		"outside, nothing there":   {args{"file_path": outside + "x"}, "PERMISSION_DENIED", "file_path"},
		"outside by dots":          {args{"file_path": "../../" + filepath.Base(outside)}, "PERMISSION_DENIED", "file_path"},
		"a hidden folder":          {args{"file_path": hidden}, "PERMISSION_DENIED", "file_path"},
		"too large":                {args{"file_path": big}, "FILE_TOO_LARGE", "file_path"},
		"a program":                {args{"file_path": b.file("a.pdf", "\x7fELF\x02\x01\x01\x00\x00")}, "UNSUPPORTED_FILE_TYPE", "file_path"},
		"nothing in it":            {args{"file_path": b.file("empty.pdf", "")}, "UNSUPPORTED_FILE_TYPE", "file_path"},
		"a bucket that climbs":     {args{"file_path": note, "bucket": "../x"}, "VALIDATION_ERROR", "bucket"},
		"a bucket of dots":         {args{"file_path": note, "bucket": ".."}, "VALIDATION_ERROR", "bucket"},
		"properties not an object": {args{"file_path": note, "properties": "[1]"}, "VALIDATION_ERROR", "properties"},
		"properties not JSON":      {args{"file_path": note, "properties": "{amount: 1}"}, "VALIDATION_ERROR", "properties"},
		"a blank record":           {args{"file_path": note, "record_id": "  "}, "VALIDATION_ERROR", "record_id"},
		"an unknown record":        {args{"file_path": note, "record_id": "x"}, "RECORD_NOT_FOUND", "record_id"},
	} {
		e := b.refuse(uploadName, c.in, c.code, c.field)
		for _, secret := range []string{b.folder, outside, "secret"} {
			if strings.Contains(e.Error.Message, secret) {
				t.Errorf("%s: the message tells %q", name, secret)
			}
		}
	}
	e := b.refuse(uploadName, args{"file_path": big}, "FILE_TOO_LARGE", "file_path")
	same(t, "too much", e.Error.Details["file_size_bytes"], float64(MaxFileSize+1))
	same(t, "limit", []any{e.Error.Details["max_size_bytes"] == float64(MaxFileSize), e.Error.Details["http_status"]}, []any{true, 400})
	same(t, "status", b.refuse(uploadName, args{"file_path": note + "x"}, "FILE_NOT_FOUND", "file_path").Error.Details["http_status"], 404)
	same(t, "nothing was kept", []any{len(b.blobs()), b.Call(retrieveName, args{})["total"]}, []any{0, 0})
}

func TestURLsOfNothingAreRefused(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "files beside it")
	b := newBench(t)
	out := b.upload("n.txt", "a note of mine")
	url := out["file_url"].(string)
	hash := hashOf("a note of mine")
	for _, path := range []string{
		"note.txt", "toolkit://files", "https://example.org/files/sha256/" + hash[:2] + "/" + hash, "toolkit://files/sha256/../../" + hash, "toolkit://../sha256/" + hash[:2] + "/" + hash,
		"toolkit://files/sha256/00/" + hash, strings.ToUpper(url), url + "/x", strings.Replace(url, hash, hashOf("other"), 1), "toolkit://files/sha256/" + hashOf("other")[:2] + "/" + hashOf("other"),
	} {
		b.refuse(fileURLName, args{"file_path": path}, "FILE_NOT_FOUND", "file_path")
	}
	b.refuse(fileURLName, args{"file_path": "  "}, "VALIDATION_ERROR", "file_path")
	for _, seconds := range []any{0, -1, 604801, "60", 1.5} {
		b.refuse(fileURLName, args{"file_path": url, "expires_in": seconds}, "VALIDATION_ERROR", "expires_in")
	}
	b.Call(fileURLName, args{"file_path": url, "expires_in": 604800})
	if err := os.Remove(filepath.Join(filepath.Dir(b.Store.Path()), "files", "sha256", hash[:2], hash)); err != nil {
		t.Fatal(err)
	}
	e := b.refuse(fileURLName, args{"file_path": url}, "FILE_NOT_FOUND", "file_path")
	contains(t, "the reason", e.Error.Message, "missing on this machine")
	b.upload("again.txt", "a note of mine")
	b.Call(fileURLName, args{"file_path": url})
}

func TestMissingSigningKeyReturnsSigningFailed(t *testing.T) {
	b := newBench(t)
	out := b.upload("n.txt", "a note of mine")
	if err := os.Mkdir(filepath.Join(filepath.Dir(b.Store.Path()), "files.key"), 0o700); err != nil {
		t.Fatal(err)
	}
	e := b.refuse(fileURLName, args{"file_path": out["file_url"]}, "SIGNING_FAILED", "")
	same(t, "details", []any{e.Error.Details["http_status"], e.Error.Details["retryable"]}, []any{500, true})
}

func TestAFolderThatCannotBeWrittenIsUploadFailed(t *testing.T) {
	b := newBench(t)
	testenv.Write(t, filepath.Join(filepath.Dir(b.Store.Path()), "files"), "")
	e := b.refuse(uploadName, args{"file_path": b.file("n.txt", "a note")}, "UPLOAD_FAILED", "")
	if !strings.Contains(e.Error.Message, "free space and permissions") || strings.Contains(e.Error.Message, b.folder) {
		t.Errorf("the message does not say what to look at, or tells a path: %s", e.Error.Message)
	}
	same(t, "details", []any{e.Error.Details["http_status"], e.Error.Details["retryable"]}, []any{500, true})
	same(t, "records", b.Call(retrieveName, args{})["total"], 0)
}

func TestAFullDiskLeavesNoRecordOfAFile(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "a full disk")
	b := smallBench(t)
	var rows strings.Builder
	rows.WriteString("name,text\n")
	for range 1900 {
		rows.WriteString("somebody," + strings.Repeat("lorem ", 20) + "\n")
	}
	b.refuse(uploadName, args{"file_path": b.file("rows.csv", rows.String())}, "UPLOAD_FAILED", "")
	same(t, "records", b.Call(retrieveName, args{})["total"], 0)
	small := b.upload("n.txt", "a note")
	same(t, "a small file still fits", small["created"], true)
}

func TestOddNamesAreKeptOnOneLine(t *testing.T) {
	b := newBench(t)
	for name, want := range map[string]string{
		"invoice\n2025 \U0001F9FE.txt": "invoice 2025 \U0001F9FE.txt", "..hidden.txt"[2:]: "hidden.txt", "sp  ace \u202etxt.exe.txt": "sp ace txt.exe.txt", "--help.txt": "--help.txt",
	} {
		out := b.upload(name, "content of "+name)
		same(t, name, properties(out)["file_name"], want)
		status, _ := fetch(t, b.Call(fileURLName, args{"file_path": out["file_url"]})["signed_url"].(string))
		same(t, "fetched", status, 200)
	}
}

// another is a second process on the same database, for what the family knows.
func (b *bench) another() *bench {
	return b.anotherFrom(localfile.Roots{Folders: []string{b.folder}, Working: b.folder})
}

// anotherFrom is another that takes files from other folders.
func (b *bench) anotherFrom(roots localfile.Roots) *bench {
	b.T.Helper()
	second := &bench{Bench: toolstest.NewBench(b.T, b.Clock, store.Options{Path: b.Store.Path()}), folder: b.folder}
	second.serve(Files{Roots: roots})
	return second
}

// The system makes up the content of this file while it is read.
func TestAFileThatGrowsWhileItIsReadIsRefused(t *testing.T) {
	const path = "/proc/self/status"
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Skip("there is no such file here")
	}
	b := newBench(t)
	second := b.anotherFrom(localfile.Roots{Folders: []string{"/proc"}})
	e := second.refuse(uploadName, args{"file_path": path}, "UPLOAD_FAILED", "")
	same(t, "retryable", e.Error.Details["retryable"], true)
	contains(t, "the advice", e.Error.Message, "try again")
	same(t, "nothing was kept", len(b.blobs()), 0)
}

func TestTwoProcessesThatUploadTheSameBytesMakeOneRecord(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "files beside it")
	b := newBench(t)
	second := b.another()
	path := b.file("n.md", "# Shared\n\nwritten once")
	var wg sync.WaitGroup
	created := make([]bool, 8)
	for i := range created {
		from := []*bench{b, second}[i%2]
		wg.Go(func() { created[i], _ = from.Call(uploadName, args{"file_path": path})["created"].(bool) })
	}
	wg.Wait()
	n := 0
	for _, c := range created {
		if c {
			n++
		}
	}
	same(t, "created", n, 1)
	same(t, "records", []any{b.Call(retrieveName, args{})["total"], len(b.blobs())}, []any{1, 1})
	b.rebuild()
}

func TestDeletingAndUploadingAtOnceNeverLosesTheBytes(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "files beside it")
	b := newBench(t)
	second := b.another()
	path := b.file("n.md", "# Contested")
	id := record(b.Call(uploadName, args{"file_path": path}))["id"]
	for range 10 {
		var wg sync.WaitGroup
		wg.Go(func() { b.CallAllowingRefusal(deleteName, args{"id": id}) })
		wg.Go(func() { second.Call(uploadName, args{"file_path": path}) })
		wg.Wait()
		known := b.Call(retrieveName, args{})["total"].(float64)
		same(t, "bytes for each record", float64(len(b.blobs())), known)
	}
}

// asked is a context that counts how often it is asked whether to go on, and ends when it has
// been asked a number of times.
type asked struct {
	context.Context
	end    context.CancelFunc
	times  atomic.Int64
	ending int64 // 0: never
}

func (ctx *asked) ask() {
	if times := ctx.times.Add(1); ctx.ending > 0 && times >= ctx.ending {
		ctx.end()
	}
}

func (ctx *asked) Err() error { ctx.ask(); return ctx.Context.Err() }

func (ctx *asked) Done() <-chan struct{} { ctx.ask(); return ctx.Context.Done() }

// TestAnUploadEndsWhereverItsCallerGivesUp gives up at fifths of the questions that a whole
// upload asks: in reading, in finding fields, in making rows, in storing them. How many are
// asked differs a little from run to run, as waiting asks too; so an upload may be over before
// its caller gives up, but then it is whole, and this is true of few.
func TestAnUploadEndsWhereverItsCallerGivesUp(t *testing.T) {
	b := newBench(t)
	f := &family{Deps{Store: b.Store, Files: Files{Roots: localfile.Roots{Folders: []string{b.folder}, Working: b.folder}}}}
	upload := func(path string, ending int64) (*asked, error) {
		plain, end := context.WithCancel(context.Background())
		defer end()
		ctx := &asked{Context: plain, end: end, ending: ending}
		_, err := f.uploadFile(ctx, uploadInput{FilePath: path})
		return ctx, err
	}
	for name, one := range map[string]string{
		"table.csv":  "a,b,c\n" + strings.Repeat("1,two,2025-01-01\n", 60),
		"wide.csv":   strings.Repeat("c,", 500) + "\n" + strings.Repeat(strings.Repeat("1,", 500)+"\n", 50),
		"list.json":  "[{}" + strings.Repeat(`,{"a":1,"b":"c"}`, 100) + "]",
		"list.vcf":   strings.Repeat("BEGIN:VCARD\nFN:Ann Lee\nTEL:1\nEND:VCARD\n", 60),
		"mails.mbox": strings.Repeat("From a\nFrom: b@c.d\nSubject: e\n\nf\n\n", 60),
		"bill.txt":   "Invoice\n" + strings.Repeat("Invoice No: 12  Date: 2025-01-01  Total: 1.00\n", 300),
		"bill.html":  "<h1>Invoice</h1>" + strings.Repeat("<p>Invoice No: 12</p>", 300),
	} {
		path := b.file(name, one)
		whole, err := upload(b.file("whole-"+name, one+"\n"), 0)
		if err != nil || whole.times.Load() < 200 {
			t.Errorf("%s: asked %d times, error %v, want more often and none", name, whole.times.Load(), err)
		}
		inTime := 0
		for fifth := range int64(4) {
			ending := whole.times.Load() * (fifth + 1) / 5
			most := ending + (whole.times.Load()-ending)/2 + 100
			if fifth > 1 { // little is left then, and waiting asks as well
				most = 10 * whole.times.Load()
			}
			ctx, err := upload(path, ending)
			known, readErr := store.ReadValue(context.Background(), b.Store, func(tx *store.Tx) (bool, error) {
				_, known, err := records.In(tx).ByID(fileRecordID(hashOf(one)))
				return known, err
			})
			switch {
			case readErr != nil || known != (err == nil) || err != nil && (!errors.Is(err, context.Canceled) || ctx.times.Load() > most):
				t.Errorf("%s: given up at question %d of %d: error %v, %d questions more, a record is stored %t, error %v",
					name, ending, whole.times.Load(), err, ctx.times.Load()-ending, known, readErr)
			case err != nil:
				inTime++
			}
			if known {
				break
			}
		}
		if inTime < 2 {
			t.Errorf("%s: %d of 4 uploads ended where their caller gave up", name, inTime)
		}
	}
}
