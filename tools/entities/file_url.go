package entities

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	documents "toolkit/internal/reader"
	"toolkit/store"
	"toolkit/store/records"
	"toolkit/tools"
)

const fileURLName = "get_file_url"

// defaultExpiry is how long a URL lives when nobody says, in seconds.
const defaultExpiry = 3600

type fileURLInput struct {
	FilePath  string `json:"file_path" jsonschema:"required,minLength=1,maxLength=4096" jsonschema_description:"The file_url of upload_file, or one of a record's file_urls"`
	ExpiresIn int    `json:"expires_in,omitempty" jsonschema:"minimum=1,maximum=604800" jsonschema_description:"Seconds until it ends, 3600 if absent"`
}

type fileURLOutput struct {
	SignedURL   string `json:"signed_url"`
	ExpiresAt   string `json:"expires_at"`
	ContentType string `json:"content_type"`
	FileSize    int64  `json:"file_size"`
}

func (f *family) fileURLTool() tools.Tool[fileURLInput, fileURLOutput] {
	return tools.Tool[fileURLInput, fileURLOutput]{
		Name:  fileURLName,
		Title: "Get a URL of a stored file",
		Description: "Make a signed URL of a stored file, good on this machine only, until it expires or this server ends. " +
			"Returns the URL and its end. Example: open the invoice a total came from.",
		Permissions: []tools.Permission{mayReadFiles}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"files"},
		Examples: []tools.Example[fileURLInput, fileURLOutput]{{
			Description: "The file behind an invoice",
			Setup:       []tools.SetupCall{{Tool: uploadName, Params: uploadInput{FilePath: SampleName}}},
			Params:      fileURLInput{FilePath: sampleURL(), ExpiresIn: 600},
			Result:      fileURLOutput{ContentType: "text/plain", FileSize: int64(len(Sample))},
			Varies:      []string{"signed_url", "expires_at"},
		}},
		Handle: f.getFileURL,
	}
}

func (f *family) getFileURL(ctx context.Context, in fileURLInput) (tools.Result[fileURLOutput], error) {
	var none tools.Result[fileURLOutput]
	if err := notBlank("file_path", in.FilePath); err != nil {
		return none, err
	}
	hash, ok := hashOfURL(in.FilePath)
	if !ok {
		return none, storedFileNotFound("file_path is no URL of a stored file; give the file_url of upload_file or one of a record's file_urls")
	}
	blob, err := read(ctx, f, codeQueryFailed, func(tx *store.Tx) (records.Blob, error) {
		b, known, err := records.In(tx).BlobByHash(hash)
		if err == nil && !known {
			err = storedFileNotFound("the file is not stored, or was deleted with its records; retrieve_records shows the file_urls there are")
		}
		return b, err
	})
	if err != nil {
		return none, err
	}
	file, err := f.Store.OpenBlob(blob.SHA256, blob.Size)
	if errors.Is(err, store.ErrBlobMissing) {
		return none, storedFileNotFound("the file is known, but its bytes are missing on this machine; upload the file again, or ask the user to restore the folder of files from the backup of the database")
	}
	if err != nil {
		return none, tools.Failed(codeSigningFailed, true, err, "the stored file cannot be opened; try again, and ask the user to check the permissions of the data folder")
	}
	file.Close()
	in.ExpiresIn = cmp.Or(in.ExpiresIn, defaultExpiry)
	expires := f.Store.Now().Add(time.Duration(in.ExpiresIn) * time.Second).Truncate(time.Second)
	signed, err := f.sign(blob, expires)
	if err != nil {
		return none, err
	}
	h := tools.NewHints(tools.ReadEvidence(1)).
		Because("the URL answers on this machine until it expires or this server ends, whichever is first").
		Assumes("whoever opens the URL runs on this machine").
		Next(fileURLName, tools.PriorityLow, map[string]any{"file_path": in.FilePath, "expires_in": in.ExpiresIn}, "make a new URL when this one has ended").
		Relate("file", hash, blob.Name, 1)
	out := fileURLOutput{SignedURL: signed, ExpiresAt: tools.Timestamp(expires.UnixMilli()), ContentType: blob.MIME, FileSize: blob.Size}
	return tools.Result[fileURLOutput]{Data: out, Hints: h}, nil
}

func (f *family) sign(b records.Blob, expires time.Time) (string, error) {
	err := errors.New("this server makes no URLs")
	signed := ""
	if f.Files.URLs != nil {
		signed, err = f.Files.URLs.URL(b.SHA256, b.Name, expires)
	}
	if err != nil {
		return "", tools.Failed(codeSigningFailed, true, err, "no URL could be signed: the key in the data folder or a port of this machine is not to be had; try again, or ask the user to check the permissions of the data folder").
			WithHints(tools.RefusalHints().Because("the file itself is stored and well"))
	}
	return signed, nil
}

func storedFileNotFound(message string) *tools.Error {
	return tools.Refused(codeFileNotFound, "file_path", "stored file", "%s", message).
		WithHints(tools.RefusalHints().Because("files are stored by upload_file").
			Next(retrieveName, tools.PriorityHigh, nil, "find the record of the document; file_urls name its files").
			Next(uploadName, tools.PriorityLow, nil, "store the file"))
}

// maxPageFile bounds the files that a page is shown of: they are read anew for it.
const maxPageFile = 20 << 20

// FilePage is a page of the file of a record.
type FilePage struct {
	File string `json:"file"`
	documents.View
}

// ReadPage reads a page of the file that a record is made of, with the lines around one of
// them. What keeps it from that is said in words for the person who asked.
func ReadPage(ctx context.Context, db *store.DB, files Files, record string, page, line int) (FilePage, error) {
	blob, err := store.ReadValue(ctx, db, func(tx *store.Tx) (records.Blob, error) { return loadFile(records.In(tx), record) })
	if err != nil {
		return FilePage{}, err
	}
	if blob.Size > maxPageFile {
		return FilePage{}, tools.Refused(codeFileTooLarge, "record", "a file of at most 20 MB", "%s has %d bytes; pages are shown of files of at most %d", blob.Name, blob.Size, maxPageFile)
	}
	file, err := db.OpenBlob(blob.SHA256, blob.Size)
	if errors.Is(err, store.ErrBlobMissing) {
		return FilePage{}, tools.Refused(codeFileNotFound, "record", "stored file", "the bytes of %s are missing on this machine; upload the file again, or restore the folder of files from the backup of the database", blob.Name)
	}
	if err != nil {
		return FilePage{}, fmt.Errorf("the stored file: %w", err)
	}
	defer file.Close()
	head := make([]byte, documents.SniffLength)
	n, _ := file.ReadAt(head, 0)
	kind, err := documents.Sniff(head[:n], blob.Name)
	if err != nil {
		return FilePage{}, pageNotShown(blob.Name)
	}
	content, err := documents.Extract(ctx, file, blob.Size, kind, documents.Limits{MaxPages: page, MaxRows: maxFileParts, EngineCache: files.EngineCache, IgnoreAttachments: true})
	if ctx.Err() != nil {
		return FilePage{}, ctx.Err()
	}
	if err != nil {
		return FilePage{}, pageNotShown(blob.Name)
	}
	view, ok := content.View(page, line)
	if !ok {
		return FilePage{}, tools.Refused(codeFileNotFound, "page", "a page of the file", "%s has no page %d", blob.Name, page)
	}
	if pages, stated := content.Metadata["pages"].(int); stated && kind == documents.PDF {
		view.Pages = pages
	}
	return FilePage{File: blob.Name, View: view}, nil
}

func pageNotShown(name string) error {
	return tools.Refused(codeAnalysisFailed, "record", "a file that can be read", "%s cannot be read, so there is no page to show", name)
}

// loadFile is the stored file of a record.
func loadFile(tx records.Rows, id string) (records.Blob, error) {
	r, known, err := tx.ByID(id)
	if err != nil {
		return records.Blob{}, err
	}
	if !known {
		return records.Blob{}, tools.Refused(codeFileNotFound, "record", "stored record", "the document is not stored any more: its record was deleted")
	}
	blob, known, err := storedBlob(tx, r.FileURLs)
	if err == nil && !known {
		err = tools.Refused(codeFileNotFound, "record", "stored file", "the file of this is not stored: it was deleted, or what this comes from was no file")
	}
	return blob, err
}

// FileName is what the first stored file among a record's URLs is called; empty: there is none.
func FileName(tx *store.Tx, urls []string) (string, error) {
	blob, _, err := storedBlob(records.In(tx), urls)
	return blob.Name, err
}

func storedBlob(tx records.Rows, urls []string) (records.Blob, bool, error) {
	hash, named := hashOfURL(storedFile(records.Record{FileURLs: urls}))
	if !named {
		return records.Blob{}, false, nil
	}
	return tx.BlobByHash(hash)
}
