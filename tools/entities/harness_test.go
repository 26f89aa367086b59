package entities

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"toolkit/internal/server/fileserver"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/store/records"
)

// noon is when every test begins.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

type args = toolstest.Args

var (
	same     = toolstest.RequireSame
	contains = toolstest.RequireContains
	text     = toolstest.EncodeJSON
)

// bench is the family over a database of its own.
type bench struct {
	*toolstest.Bench
	vectors Vectors
	folder  string // of files to upload
	urls    *fileserver.Server
}

func newBench(t testing.TB) *bench { return openBench(t, store.Options{}, nil) }

// openBench opens a family; vectors makes its vector channel, nil: without one.
func openBench(t testing.TB, o store.Options, vectors func(*store.DB) Vectors) *bench {
	t.Helper()
	b := &bench{Bench: toolstest.NewBench(t, toolstest.NewClock(noon), o), folder: t.TempDir()}
	if vectors != nil {
		b.vectors = vectors(b.Store)
	}
	testenv.Write(t, filepath.Join(b.folder, SampleName), Sample)
	roots := localfile.Roots{Folders: []string{b.folder}, Working: b.folder}
	b.serve(Files{Roots: roots, EngineCache: testenv.EngineCache()})
	return b
}

// serve gives the bench its tools, with addresses of files and without limits.
func (b *bench) serve(files Files) {
	b.T.Helper()
	b.urls = fileserver.New(fileserver.Options{KeyFile: filepath.Join(filepath.Dir(b.Store.Path()), "files.key"), Open: b.openBlob, Now: b.Clock.Now})
	b.T.Cleanup(func() { b.urls.Close() })
	files.URLs = b.urls
	b.Options.Now = toolstest.NewLeapingClock(noon)
	b.BuildPipeline(New(Deps{Store: b.Store, Vectors: b.vectors, Files: files}))
}

// standStill stops the clock by which limits are reckoned.
func (b *bench) standStill() {
	b.T.Helper()
	b.Options.Now = b.Clock.Now
	b.BuildPipeline(b.Registry.Families()...)
}

// openBlob serves stored files as the program does.
func (b *bench) openBlob(ctx context.Context, hash string) (fileserver.File, error) {
	var blob records.Blob
	err := b.Store.Read(ctx, func(tx *store.Tx) error {
		found, known, err := records.In(tx).BlobByHash(hash)
		if err == nil && !known {
			err = fileserver.ErrNotFound
		}
		blob = found
		return err
	})
	if err != nil {
		return fileserver.File{}, err
	}
	file, err := b.Store.OpenBlob(blob.SHA256, blob.Size)
	return fileserver.File{ReadSeekCloser: file, Name: blob.Name, MIME: blob.MIME}, err
}

// refusal is an error as the documentation prints it.
type refusalText struct {
	Error struct {
		Code    string
		Message string
		Details args
		TraceID string `json:"trace_id"`
	}
}

// refuse expects an error with a code and a field.
func (b *bench) refuse(tool string, in any, code, field string) refusalText {
	b.T.Helper()
	var e refusalText
	r := b.CallRefused(tool, in, &e)
	got, _ := e.Error.Details["field"].(string)
	if e.Error.Code != code || got != field || e.Error.Message == "" || e.Error.TraceID == "" {
		b.T.Fatalf("%s(%v) gave %s on %q; want %s on %q\n%s", tool, in, e.Error.Code, got, code, field, r.Text)
	}
	if e.Error.Details["http_status"] == nil || e.Error.Details["retryable"] == nil {
		b.T.Fatalf("details lack http_status or retryable: %s", r.Text)
	}
	return e
}

// submit makes arguments of submit_payload.
func submit(capability, extractedAt string, body args) args {
	return args{"capability_id": "neotoma:store_" + capability + ":v1", "body": body,
		"provenance": args{"source_refs": []string{}, "extracted_at": extractedAt, "extractor_version": "test:v1"}}
}

// submit stores a payload and returns the id of its own entity.
func (b *bench) submit(capability, extractedAt string, body args) string {
	b.T.Helper()
	return self(b.Call(submitName, submit(capability, extractedAt, body)))
}

func self(out args) string {
	return out["entities"].([]any)[0].(args)["entity_id"].(string)
}

// company is the entity id of a company.
func company(name string) string {
	return entityID(companyType, normalizeEntityName(companyType, name))
}

func (b *bench) snapshot(entity string) args {
	b.T.Helper()
	return b.Call(snapshotName, args{"entity_id": entity})
}

// rebuild checks that every stored snapshot equals what reducing all of its
// observations gives.
func (b *bench) rebuild() {
	b.T.Helper()
	r, err := RebuildSnapshots(context.Background(), b.Store, true, nil)
	if err != nil {
		b.T.Fatal(err)
	}
	if r.Differing != 0 {
		b.T.Errorf("%d of %d snapshots differ from their observations", r.Differing, r.Entities)
	}
}

// smallBench has room for a few hundred notes only.
func smallBench(t testing.TB) *bench { return openBench(t, store.Options{MaxPages: 400}, nil) }
