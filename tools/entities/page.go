package entities

import (
	"context"
	"errors"
	"fmt"

	"toolkit/store"
	"toolkit/store/records"
	"toolkit/tools"

	documents "toolkit/internal/reader"
)

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
