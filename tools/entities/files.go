package entities

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

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

// hashOfURL reads the hash out of a fileURL, with or without its scheme.
func hashOfURL(text string) (string, bool) {
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(text, fileScheme), "/"), "/")
	if len(parts) != 4 || !isBucket(parts[0]) || parts[1] != "sha256" || !store.IsBlobHash(parts[3]) || parts[3][:2] != parts[2] {
		return "", false
	}
	return parts[3], true
}

// isBucket reports whether a text can be the name of a bucket.
func isBucket(name string) bool {
	const marks = ".-_"
	return len(name) <= 63 && strings.Trim(name, marks) != "" && strings.Trim(name, marks+"abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// holdStoredFiles makes a record hold the stored files among its file URLs. Those it
// held before it keeps: an update does not take a document away.
func holdStoredFiles(tx records.Rows, record int64, urls []string) error {
	var hashes []string
	for _, url := range urls {
		if hash, ok := hashOfURL(url); ok {
			hashes = append(hashes, hash)
		}
	}
	return tx.HoldBlobs(record, hashes)
}

// sweep removes the bytes of released files after a commit. What remains when it
// fails is harmless, so the call that released them still succeeds.
func (f *family) sweep(ctx context.Context, released []string) bool {
	return f.Store.SweepBlobs(context.WithoutCancel(ctx), released) == nil
}

// fileRecordID follows from the content, so that the same bytes always have the
// same record.
func fileRecordID(hash string) string {
	return uuid.NewSHA1(payloadSpace, []byte("file:"+hash)).String()
}

// KnownFile reports whether a file of these bytes was taken in, and could be read.
func KnownFile(tx *store.Tx, sha256 string) (bool, error) {
	r, known, err := records.In(tx).ByID(fileRecordID(sha256))
	return known && !isUnread(r), err
}

// refuseFile says why a local file was not opened. Where it lies, and what the
// system said, goes to nobody.
func refuseFile(err error) error {
	const field = "file_path"
	switch {
	case errors.Is(err, localfile.ErrOutside):
		return tools.Refused(tools.CodePermission, field, "in an allowed folder",
			"file_path is in no folder that files may be taken from, or it is hidden; by default these are the working directory, unless it is the home folder or holds it, and the user's Documents, Downloads and Desktop: ask the user to allow its folder (--file-root) or to copy the file").
			WithHints(tools.RefusalHints().Because("files are taken from allowed folders only").Next(submitName, tools.PriorityLow, nil, "store what the document says without its file").Needs("a path in the working directory, in Documents, Downloads or Desktop, or in a folder named by --file-root"))
	case errors.Is(err, localfile.ErrPrivate):
		return tools.Refused(tools.CodePermission, field, "a file of the user", "file_path leads to what toolkit keeps for itself (its database, logs, keys, stored files or data folder), which is never uploaded; name a file of the user").
			WithHints(tools.RefusalHints().Because("toolkit's own files are not taken").Needs("the path of a file that is not toolkit's own"))
	case errors.Is(err, localfile.ErrNotRegular):
		return tools.Invalid(tools.CodeInvalid, field, "regular file", "file_path names a folder, a pipe or a device; give the path of one file").
			WithHints(tools.RefusalHints().Because("only regular files are taken").Needs("the path of a file in the folder"))
	case errors.Is(err, localfile.ErrUnreadable):
		return tools.Refused(tools.CodePermission, field, "readable", "file_path names a file that this user may not read; ask the user to change its permissions").
			WithHints(tools.RefusalHints().Because("the system does not let the file be read"))
	case errors.Is(err, localfile.ErrNotFound):
		return tools.Refused(codeFileNotFound, field, "existing file", "file_path names no file on this machine; check the spelling, and give the whole path: relative ones start at the server's working directory").
			WithHints(tools.RefusalHints().Because("no file has this path").Needs("the whole path of the file"))
	}
	if errors.Is(err, localfile.ErrChanged) {
		return fileChanged(err)
	}
	return tools.Failed(codeUploadFailed, true, err, "the file could not be opened; try again")
}

func fileChanged(err error) error {
	return tools.Failed(codeUploadFailed, true, err, "the file was written to while it was read; nothing was stored: try again when it is complete")
}

func fileTooLarge(size int64) error {
	return tools.Refused(codeFileTooLarge, "file_path", "at most 52428800 bytes", "the file exceeds the limit of 50 MB (52428800 bytes); split it, or keep what matters of it as a payload").
		With("file_size_bytes", size).With("max_size_bytes", MaxFileSize).
		WithHints(tools.RefusalHints().Because("larger files are not stored").Next(submitName, tools.PriorityMedium, nil, "store what the document says without its file"))
}

// copyFailed is the error for a file that could not be copied to the store's disk, most
// often for want of space there.
func copyFailed(ctx context.Context, err error) error {
	if ctx.Err() != nil || tools.StorageError(err) != nil {
		return tools.FailedAt(ctx, codeUploadFailed, err)
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
