package pdf

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"toolkit/internal/document/layout"
)

// Reasons why a PDF cannot be read. Messages are fit for a user.
var (
	ErrEncrypted = errors.New("the PDF is encrypted and needs a password; remove the password and upload it again")
	ErrBroken    = errors.New("the PDF is damaged or not a PDF: no readable document structure was found")
	ErrEmpty     = errors.New("the PDF has no pages")
)

// Options bounds the reading of one document.
type Options struct {
	MaxPages      int    // pages read at most; 0 = all
	MaxCharacters int    // characters read at most over all pages; 0 = no bound
	CacheFolder   string // folder for the engine's compiled code; "" = none
}

// Document is the text of a PDF with its positions.
type Document struct {
	Pages     []layout.Page
	PageCount int               // pages in the file, which may be more than were read
	Metadata  map[string]string // title, author, created_at … as the file states them
	Truncated bool              // pages or characters were left out
	Warnings  []string          // pages that could not be read, one sentence each
}

// Read extracts the positioned text of a PDF held in memory. It returns ErrEncrypted,
// ErrBroken or ErrEmpty for files that have no readable text by construction, and the
// context's error when it ends first. Pages that fail alone become warnings.
func Read(ctx context.Context, data []byte, options Options) (document *Document, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	instance, err := acquire(ctx, options.CacheFolder)
	if err != nil {
		return nil, err
	}
	finished := make(chan struct{})
	killed := make(chan bool, 1)
	go func() { killed <- killWhenStuck(ctx, instance, finished) }()
	defer func() {
		if failure := recover(); failure != nil {
			document, err = nil, fmt.Errorf("%w (engine failure)", ErrBroken)
		}
		close(finished)
		if <-killed {
			document, err = nil, ctx.Err()
			return
		}
		_ = instance.Close()
	}()
	return read(ctx, instance, data, options)
}

// grace is what a reader has to notice that its context ended; it looks between calls.
const grace = 2 * time.Second

// killWhenStuck stops an instance that is still inside one call of the engine when the
// context has ended and the grace is over, and tells whether it had to. Stopping is for
// good: a killed instance must not be used or closed.
func killWhenStuck(ctx context.Context, instance pdfium.Pdfium, finished <-chan struct{}) bool {
	select {
	case <-finished:
		return false
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-finished:
		return false
	case <-timer.C:
		_ = instance.Kill()
		return true
	}
}

func read(ctx context.Context, instance pdfium.Pdfium, data []byte, options Options) (*Document, error) {
	opened, err := instance.OpenDocument(&requests.OpenDocument{File: &data})
	if err != nil {
		return nil, openError(err)
	}
	count, err := instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil {
		return nil, fmt.Errorf("%w (%v)", ErrBroken, err)
	}
	if count.PageCount == 0 {
		return nil, ErrEmpty
	}
	forms := openForms(instance, opened.Document)
	defer func() {
		if ctx.Err() == nil { // an ended context may mean a killed instance
			forms.close(instance)
		}
	}()
	document := &Document{PageCount: count.PageCount, Metadata: metadata(instance, opened.Document)}
	characters := 0
	for index := range count.PageCount {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if (options.MaxPages > 0 && index >= options.MaxPages) || (options.MaxCharacters > 0 && characters >= options.MaxCharacters) {
			document.Truncated = true
			break
		}
		limit := 0
		if options.MaxCharacters > 0 {
			limit = options.MaxCharacters - characters
		}
		page, used, err := readPage(ctx, instance, opened.Document, forms, index, limit)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			document.Warnings = append(document.Warnings, fmt.Sprintf("page %d could not be read", index+1))
			page = layout.Page{Number: index + 1}
		}
		characters += used
		document.Pages = append(document.Pages, page)
	}
	document.Truncated = document.Truncated || (options.MaxCharacters > 0 && characters >= options.MaxCharacters)
	if len(document.Warnings) == len(document.Pages) {
		return nil, fmt.Errorf("%w (no page could be read)", ErrBroken)
	}
	return document, nil
}

func openError(err error) error {
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword), errors.Is(err, pdfiumerrors.ErrSecurity):
		return ErrEncrypted
	case errors.Is(err, pdfiumerrors.ErrFormat), errors.Is(err, pdfiumerrors.ErrFile), errors.Is(err, pdfiumerrors.ErrPage):
		return ErrBroken
	default:
		return fmt.Errorf("%w (%v)", ErrBroken, err)
	}
}

// metadataKeys names the entries of the information dictionary worth keeping.
var metadataKeys = map[string]string{
	"Title": "title", "Author": "author", "Subject": "subject", "Keywords": "keywords",
	"Creator": "creator", "Producer": "producer", "CreationDate": "created_at", "ModDate": "modified_at",
}

func metadata(instance pdfium.Pdfium, document references.FPDF_DOCUMENT) map[string]string {
	found := map[string]string{}
	for tag, key := range metadataKeys {
		answer, err := instance.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: document, Tag: tag})
		if err != nil {
			continue
		}
		text := strings.TrimSpace(strings.ToValidUTF8(answer.Value, ""))
		if strings.HasSuffix(key, "_at") {
			text = isoTime(text)
		}
		if text != "" {
			found[key] = text
		}
	}
	return found
}

// isoTime turns a PDF date (D:YYYYMMDDHHmmSS+HH'mm') into RFC 3339; what is not
// one becomes "".
func isoTime(text string) string {
	digits := strings.TrimPrefix(text, "D:")
	length := 0
	for length < len(digits) && length < 14 && digits[length] >= '0' && digits[length] <= '9' {
		length++
	}
	if length < 8 {
		return ""
	}
	clock := digits[:length] + "00000000000000"[length:]
	zone := strings.ReplaceAll(digits[length:], "'", "")
	switch {
	case len(zone) == 5 && (zone[0] == '+' || zone[0] == '-'):
		zone = zone[:3] + ":" + zone[3:]
	case zone == "" || zone[0] == 'Z':
		zone = "Z"
	default:
		return ""
	}
	return fmt.Sprintf("%s-%s-%sT%s:%s:%s%s", clock[:4], clock[4:6], clock[6:8], clock[8:10], clock[10:12], clock[12:14], zone)
}
