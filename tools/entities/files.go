package entities

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	documents "toolkit/internal/reader"
	"toolkit/internal/reader/layout"
	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/store/records"
	"toolkit/tools"
)

// Files say where files come from and how they are handed out again.
type Files struct {
	// Roots are the folders that uploads may come from; without folders nothing
	// can be uploaded.
	Roots localfile.Roots
	// EngineCache is a folder for the PDF reader's compiled code; empty: none.
	EngineCache string
	// OCR reads pictures and scans; the zero Program: nothing does.
	OCR layout.OCR
	// URLs makes signed URLs; nil: none can be made.
	URLs URLs
}

// URLs makes time-limited addresses of stored files.
type URLs interface {
	// URL returns an address that answers with the file of a hash until expires.
	URL(hash, name string, expires time.Time) (string, error)
}

// Error codes of files.
const (
	codeFileNotFound    = "FILE_NOT_FOUND"
	codeFileTooLarge    = "FILE_TOO_LARGE"
	codeUnsupportedFile = "UNSUPPORTED_FILE_TYPE"
	codeUploadFailed    = "UPLOAD_FAILED"
	codeAnalysisFailed  = "ANALYSIS_FAILED"
	codeSigningFailed   = "SIGNING_FAILED"
)

// MaxFileSize is the documented limit of 50 MB.
const MaxFileSize = 52_428_800

// fileScheme starts the URLs of stored files; after it comes the path in
// storage: bucket/sha256/ab/hash.
const fileScheme = "toolkit://"

// defaultBucket is the bucket of files for which none was named.
const defaultBucket = "files"

// fileURL is the address under which records name a stored file.
func fileURL(bucket, hash string) string {
	return fileScheme + bucket + "/sha256/" + hash[:2] + "/" + hash
}

// parseStoredFileHash reads the hash out of a fileURL, with or without its scheme.
func parseStoredFileHash(text string) (string, bool) {
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(text, fileScheme), "/"), "/")
	if len(parts) != 4 || !isBucketName(parts[0]) || parts[1] != "sha256" || !store.IsBlobHash(parts[3]) || parts[3][:2] != parts[2] {
		return "", false
	}
	return parts[3], true
}

// isBucketName reports whether a text can be the name of a bucket.
func isBucketName(name string) bool {
	const marks = ".-_"
	return len(name) <= 63 && strings.Trim(name, marks) != "" && strings.Trim(name, marks+"abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// linkStoredFiles makes a record hold the stored files among its file URLs. Those it
// held before it keeps: an update does not take a document away.
func linkStoredFiles(tx records.Rows, record int64, urls []string) error {
	var hashes []string
	for _, url := range urls {
		if hash, ok := parseStoredFileHash(url); ok {
			hashes = append(hashes, hash)
		}
	}
	return tx.HoldBlobs(record, hashes)
}

// fileRecordID follows from the content, so that the same bytes always have the
// same record.
func fileRecordID(hash string) string {
	return uuid.NewSHA1(payloadSpace, []byte("file:"+hash)).String()
}

// IsFileKnown reports whether a file of these bytes was taken in, and could be read.
func IsFileKnown(tx *store.Tx, sha256 string) (bool, error) {
	r, known, err := records.In(tx).ByID(fileRecordID(sha256))
	return known && !isRecordOfUnreadableFile(r), err
}

// fileOpenError says why a local file was not opened. Where it lies, and what the
// system said, goes to nobody.
func fileOpenError(err error) error {
	const field = "file_path"
	switch {
	case errors.Is(err, localfile.ErrOutside):
		return tools.Refused(tools.CodePermission, field, "in an allowed folder",
			"file_path is in no folder that files may be taken from, or it is hidden; by default these are the working directory, unless it is the home folder or holds it, and the user's Documents, Downloads and Desktop: ask the user to allow its folder (--file-root) or to copy the file").
			WithHints(tools.NewRefusalHints().Because("files are taken from allowed folders only").SuggestCall(submitName, tools.PriorityLow, nil, "store what the document says without its file").Needs("a path in the working directory, in Documents, Downloads or Desktop, or in a folder named by --file-root"))
	case errors.Is(err, localfile.ErrPrivate):
		return tools.Refused(tools.CodePermission, field, "a file of the user", "file_path leads to what toolkit keeps for itself (its database, logs, keys, stored files or data folder), which is never uploaded; name a file of the user").
			WithHints(tools.NewRefusalHints().Because("toolkit's own files are not taken").Needs("the path of a file that is not toolkit's own"))
	case errors.Is(err, localfile.ErrNotRegular):
		return tools.Invalid(tools.CodeInvalid, field, "regular file", "file_path names a folder, a pipe or a device; give the path of one file").
			WithHints(tools.NewRefusalHints().Because("only regular files are taken").Needs("the path of a file in the folder"))
	case errors.Is(err, localfile.ErrUnreadable):
		return tools.Refused(tools.CodePermission, field, "readable", "file_path names a file that this user may not read; ask the user to change its permissions").
			WithHints(tools.NewRefusalHints().Because("the system does not let the file be read"))
	case errors.Is(err, localfile.ErrNotFound):
		return tools.Refused(codeFileNotFound, field, "existing file", "file_path names no file on this machine; check the spelling, and give the whole path: relative ones start at the server's working directory").
			WithHints(tools.NewRefusalHints().Because("no file has this path").Needs("the whole path of the file"))
	}
	if errors.Is(err, localfile.ErrChanged) {
		return fileChangedError(err)
	}
	return tools.Failed(codeUploadFailed, true, err, "the file could not be opened; try again")
}

func fileChangedError(err error) error {
	return tools.Failed(codeUploadFailed, true, err, "the file was written to while it was read; nothing was stored: try again when it is complete")
}

func fileTooLargeError(size int64) error {
	return tools.Refused(codeFileTooLarge, "file_path", "at most 52428800 bytes", "the file exceeds the limit of 50 MB (52428800 bytes); split it, or keep what matters of it as a payload").
		WithDetail("file_size_bytes", size).WithDetail("max_size_bytes", MaxFileSize).
		WithHints(tools.NewRefusalHints().Because("larger files are not stored").SuggestCall(submitName, tools.PriorityMedium, nil, "store what the document says without its file"))
}

// fileCopyError is the error for a file that could not be copied to the store's disk, most
// often for want of space there.
func fileCopyError(ctx context.Context, err error) error {
	if ctx.Err() != nil || tools.ToStorageError(err) != nil {
		return tools.WrapFailure(ctx, codeUploadFailed, err)
	}
	return tools.Failed(codeUploadFailed, true, err, "the file could not be copied into the folder files beside the database; nothing was stored: ask the user to look at its free space and permissions, then try again")
}

// SampleName is the file that the examples of the file tools upload.
const SampleName = "invoice.txt"

// Sample is the content of that file.
const Sample = `INVOICE

Invoice number: INV-2041
Invoice date: 2025-01-15
Due date: 2025-02-14
Vendor: Acme Corp
Customer: Test Customer

Total: 1500.00 EUR
`

// What the sample becomes: its hash names the file and its record.
const (
	sampleHash    = "41f400d4cf6ae79deacb7528898a7095cf550501a07c0f48842f718c990f05ae"
	sampleRecord  = "021f51dd-8133-527e-8cf7-f81254338a21"
	sampleInvoice = "ent_ca8bc8d97516cd3d53d5dd11"
)

func sampleURL() string { return fileURL(defaultBucket, sampleHash) }

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
	if err := checkNotBlank("file_path", in.FilePath); err != nil {
		return none, err
	}
	hash, ok := parseStoredFileHash(in.FilePath)
	if !ok {
		return none, storedFileNotFoundError("file_path is no URL of a stored file; give the file_url of upload_file or one of a record's file_urls")
	}
	blob, err := runRead(ctx, f, codeQueryFailed, func(tx *store.Tx) (records.Blob, error) {
		b, known, err := records.In(tx).BlobByHash(hash)
		if err == nil && !known {
			err = storedFileNotFoundError("the file is not stored, or was deleted with its records; retrieve_records shows the file_urls there are")
		}
		return b, err
	})
	if err != nil {
		return none, err
	}
	file, err := f.Store.OpenBlob(blob.SHA256, blob.Size)
	if errors.Is(err, store.ErrBlobMissing) {
		return none, storedFileNotFoundError("the file is known, but its bytes are missing on this machine; upload the file again, or ask the user to restore the folder of files from the backup of the database")
	}
	if err != nil {
		return none, tools.Failed(codeSigningFailed, true, err, "the stored file cannot be opened; try again, and ask the user to check the permissions of the data folder")
	}
	file.Close()
	in.ExpiresIn = cmp.Or(in.ExpiresIn, defaultExpiry)
	expires := f.Store.Now().Add(time.Duration(in.ExpiresIn) * time.Second).Truncate(time.Second)
	signed, err := f.signFileURL(blob, expires)
	if err != nil {
		return none, err
	}
	h := tools.NewHints(tools.NewReadEvidence(1)).
		Because("the URL answers on this machine until it expires or this server ends, whichever is first").
		Assumes("whoever opens the URL runs on this machine").
		SuggestCall(fileURLName, tools.PriorityLow, map[string]any{"file_path": in.FilePath, "expires_in": in.ExpiresIn}, "make a new URL when this one has ended").
		AddRelatedResource("file", hash, blob.Name, 1)
	out := fileURLOutput{SignedURL: signed, ExpiresAt: tools.FormatTimestamp(expires.UnixMilli()), ContentType: blob.MIME, FileSize: blob.Size}
	return tools.Result[fileURLOutput]{Data: out, Hints: h}, nil
}

func (f *family) signFileURL(b records.Blob, expires time.Time) (string, error) {
	err := errors.New("this server makes no URLs")
	signed := ""
	if f.Files.URLs != nil {
		signed, err = f.Files.URLs.URL(b.SHA256, b.Name, expires)
	}
	if err != nil {
		return "", tools.Failed(codeSigningFailed, true, err, "no URL could be signed: the key in the data folder or a port of this machine is not to be had; try again, or ask the user to check the permissions of the data folder").
			WithHints(tools.NewRefusalHints().Because("the file itself is stored and well"))
	}
	return signed, nil
}

func storedFileNotFoundError(message string) *tools.Error {
	return tools.Refused(codeFileNotFound, "file_path", "stored file", "%s", message).
		WithHints(tools.NewRefusalHints().Because("files are stored by upload_file").
			SuggestCall(retrieveName, tools.PriorityHigh, nil, "find the record of the document; file_urls name its files").
			SuggestCall(uploadName, tools.PriorityLow, nil, "store the file"))
}

// maxPageFile bounds the files that a page is shown of: they are read anew for it.
const maxPageFile = 20 << 20

// FilePage is a page of the file of a record.
type FilePage struct {
	File string `json:"file"`
	documents.View
}

// ReadFilePage reads a page of the file that a record is made of, with the lines around one of
// them. What keeps it from that is said in words for the person who asked.
func ReadFilePage(ctx context.Context, db *store.DB, files Files, record string, page, line int) (FilePage, error) {
	blob, err := store.ReadValue(ctx, db, func(tx *store.Tx) (records.Blob, error) { return loadFileOfRecord(records.In(tx), record) })
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
		return FilePage{}, pageUnreadableError(blob.Name)
	}
	content, err := documents.Extract(ctx, file, blob.Size, kind, documents.Limits{MaxPages: page, MaxRows: maxFileParts, EngineCache: files.EngineCache, IgnoreAttachments: true})
	if ctx.Err() != nil {
		return FilePage{}, ctx.Err()
	}
	if err != nil {
		return FilePage{}, pageUnreadableError(blob.Name)
	}
	view, ok := content.PageView(page, line)
	if !ok {
		return FilePage{}, tools.Refused(codeFileNotFound, "page", "a page of the file", "%s has no page %d", blob.Name, page)
	}
	if pages, stated := content.Metadata["pages"].(int); stated && kind == documents.PDF {
		view.Pages = pages
	}
	return FilePage{File: blob.Name, View: view}, nil
}

func pageUnreadableError(name string) error {
	return tools.Refused(codeAnalysisFailed, "record", "a file that can be read", "%s cannot be read, so there is no page to show", name)
}

// loadFileOfRecord returns the stored file of a record.
func loadFileOfRecord(tx records.Rows, id string) (records.Blob, error) {
	r, known, err := tx.ByID(id)
	if err != nil {
		return records.Blob{}, err
	}
	if !known {
		return records.Blob{}, tools.Refused(codeFileNotFound, "record", "stored record", "the document is not stored any more: its record was deleted")
	}
	blob, known, err := findStoredFile(tx, r.FileURLs)
	if err == nil && !known {
		err = tools.Refused(codeFileNotFound, "record", "stored file", "the file of this is not stored: it was deleted, or what this comes from was no file")
	}
	return blob, err
}

// FileName is what the first stored file among a record's URLs is called; empty: there is none.
func FileName(tx *store.Tx, urls []string) (string, error) {
	blob, _, err := findStoredFile(records.In(tx), urls)
	return blob.Name, err
}

func findStoredFile(tx records.Rows, urls []string) (records.Blob, bool, error) {
	hash, named := parseStoredFileHash(firstStoredFileURL(urls))
	if !named {
		return records.Blob{}, false, nil
	}
	return tx.BlobByHash(hash)
}
