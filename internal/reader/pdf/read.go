package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero/sys"

	"toolkit/internal/reader/layout"
)

// Reasons why a PDF cannot be read. Messages are fit for a user.
var (
	ErrEncrypted = errors.New("the PDF is encrypted and needs a password; remove the password and upload it again")
	ErrBroken    = errors.New("the PDF is damaged or not a PDF: no readable document structure was found")
	ErrEmpty     = errors.New("the PDF has no pages")
)

// Options bounds the reading of one document.
type Options struct {
	MaxPages      int    // pages read at most
	MaxCharacters int    // characters read at most over all pages
	CacheFolder   string // folder for the engine's compiled code; "" = none
	// Picture reads a page whose text does not say what it shows from its picture, a PNG of so
	// many pixels; nil: such pages stay as they are. An error leaves the page so, and is said.
	Picture func(ctx context.Context, page int, picture []byte, width, height int) (layout.Page, error)
	// Attachments asks for the files attached to the document whose names it accepts.
	Attachments func(name string) bool
}

// Document is the text of a PDF with its positions.
type Document struct {
	Pages       []layout.Page
	PageCount   int               // pages in the file, which may be more than were read
	Metadata    map[string]string // title, author, created_at … as the file states them
	Attachments []Attachment      // that were asked for
	Pictures    []int             // numbers of pages that were read from their pictures
	Unseen      []string          // numbers of pages that show something which was not read
	Truncated   bool              // pages or characters were left out
	Warnings    []string          // pages that could not be read, one sentence each
}

// Read extracts the positioned text of a PDF held in memory. It returns ErrEncrypted,
// ErrBroken or ErrEmpty for files that have no readable text by construction. A page that
// fails alone becomes a warning. When the context ends, or the engine at its limit of
// memory, the pages read before are the result; the context's error comes without any.
func Read(ctx context.Context, data []byte, options Options) (document *Document, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	instance, err := compileAndAcquireSandbox(ctx, options.CacheFolder)
	if err != nil {
		return nil, err
	}
	defer func() {
		if failure := recover(); failure != nil {
			document, err = nil, fmt.Errorf("%w (engine failure)", ErrBroken)
		}
		_ = instance.Close()
	}()
	return readDocument(ctx, instance, data, options)
}

// maxPageCharacters bounds one page; the fullest of a telephone book has 20 000.
const maxPageCharacters = 200_000

// file is a document that is open in the engine.
type file struct {
	*sandbox
	document, form uint64
}

// openDocument opens a document; an error is fit for a user.
func openDocument(started *sandbox, data []byte) (file, error) {
	opened := file{sandbox: started}
	room := started.allocate(len(data))
	if room != 0 {
		started.module.Memory().Write(uint32(room), data)
	}
	opened.document = started.callHandle("FPDF_LoadMemDocument", room, uint64(len(data)), 0)
	if opened.document == 0 {
		return opened, openError(started)
	}
	opened.form = openForm(started, opened.document)
	_ = started.takeError() // of the form alone
	return opened, nil
}

// Numbers of errors of the engine.
const (
	errorPassword = 4
	errorSecurity = 5
)

// openError returns why a document could not be opened.
func openError(started *sandbox) error {
	reason := started.callInt("FPDF_GetLastError")
	err := started.takeError()
	switch {
	case started.ctx.Err() != nil:
		return started.ctx.Err()
	case err != nil:
		return fmt.Errorf("%w (%v)", ErrBroken, err)
	case reason == errorPassword || reason == errorSecurity:
		return ErrEncrypted
	}
	return ErrBroken
}

func readDocument(ctx context.Context, instance *sandbox, data []byte, options Options) (*Document, error) {
	opened, err := openDocument(instance, data)
	if err != nil {
		return nil, err
	}
	count := opened.callInt("FPDF_GetPageCount", opened.document)
	if instance.err != nil {
		return nil, openError(instance)
	}
	if count == 0 {
		return nil, ErrEmpty
	}
	document := &Document{PageCount: count, Metadata: opened.readMetadata()}
	document.readAttachments(opened, options.Attachments)
	failed := 0
	var all textCount
	var unreadPages []string
	for index := range count {
		if document.Truncated = index >= options.MaxPages || all.characters >= options.MaxCharacters; document.Truncated {
			document.Warnings = append(document.Warnings, fmt.Sprintf("%d of %d pages were read; the rest was left out", index, count))
			break
		}
		limit := min(options.MaxCharacters-all.characters, maxPageCharacters)
		page, read, err := opened.readPage(index, limit)
		switch {
		case err != nil && (ctx.Err() != nil || isEngineStopped(err)):
			return document.truncateAtPage(ctx, index)
		case err != nil:
			failed++
			document.Warnings = append(document.Warnings, fmt.Sprintf("page %d could not be read", index+1))
			page = layout.Page{Number: index + 1}
		case read.characters == limit:
			document.Truncated = true
			document.Warnings = append(document.Warnings, fmt.Sprintf("page %d was cut after %d characters", index+1, read.characters))
		}
		if err == nil {
			if page, read, err = document.readPageOrPicture(opened, page, read, options.Picture); err != nil {
				return document.truncateAtPage(ctx, index)
			}
		}
		if all.characters, all.unread = all.characters+read.characters, all.unread+read.unread; read.unread > 0 {
			unreadPages = append(unreadPages, strconv.Itoa(index+1))
		}
		document.Pages = append(document.Pages, page)
	}
	if all.unread > 0 {
		document.Warnings = append(document.Warnings, fmt.Sprintf("%d of %d characters could not be read, because their fonts do not say which characters they are (pages: %s)", all.unread, all.characters, FormatPageList(unreadPages)))
	}
	if failed == len(document.Pages) {
		return nil, fmt.Errorf("%w (no page could be read)", ErrBroken)
	}
	return document, nil
}

// FormatPageList names the first of many.
func FormatPageList(pages []string) string {
	const most = 20
	if len(pages) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(pages[:most], ", "), len(pages)-most)
	}
	return strings.Join(pages, ", ")
}

// isEngineStopped tells whether an error is the end of the engine: it was closed, or hit its limit
// of memory or of its stack. It cannot be asked again.
func isEngineStopped(err error) bool {
	var exit *sys.ExitError
	return errors.As(err, &exit) || strings.HasPrefix(err.Error(), "wasm error:")
}

// truncateAtPage is the result of a document whose reading ended at a page.
func (document *Document) truncateAtPage(ctx context.Context, index int) (*Document, error) {
	switch {
	case index == 0 && ctx.Err() != nil:
		return nil, ctx.Err()
	case index == 0:
		return nil, fmt.Errorf("%w (its first page needs more than an engine of %d MB has)", ErrBroken, memoryPages/16)
	}
	document.Truncated = true
	document.Warnings = append(document.Warnings, fmt.Sprintf("%d of %d pages were read; the next took too long or too much memory", index, document.PageCount))
	return document, nil
}

// metadataKeys names the entries of the information dictionary worth keeping.
var metadataKeys = map[string]string{
	"Title": "title", "Author": "author", "Subject": "subject", "Keywords": "keywords",
	"Creator": "creator", "Producer": "producer", "CreationDate": "created_at", "ModDate": "modified_at",
}

func (opened file) readMetadata() map[string]string {
	found := map[string]string{}
	for tag, key := range metadataKeys {
		text := strings.TrimSpace(strings.ToValidUTF8(opened.metaText(tag), ""))
		_ = opened.takeError()
		if strings.HasSuffix(key, "_at") {
			text = formatPDFTimeAsISO(text)
		}
		if text != "" {
			found[key] = text
		}
	}
	return found
}

func (opened file) metaText(tag string) string {
	name := opened.allocate(len(tag) + 1)
	if name == 0 {
		return ""
	}
	defer opened.free(name)
	opened.module.Memory().WriteString(uint32(name), tag+"\x00")
	return opened.callText("FPDF_GetMetaText", opened.document, name)
}

// formatPDFTimeAsISO turns a PDF date (D:YYYYMMDDHHmmSS+HH'mm') into RFC 3339; what is not
// one becomes "".
func formatPDFTimeAsISO(text string) string {
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

// Attachment is a file attached to a document.
type Attachment struct {
	Name string
	Data []byte
}

// Bounds of what is looked at and kept of the files attached to a document.
const (
	maxAttachments     = 100
	maxAttachmentBytes = 16 << 20 // of all that are kept
)

// readAttachments keeps the attached files that are asked for. One that cannot be read becomes a
// warning.
func (document *Document) readAttachments(opened file, wanted func(string) bool) {
	if wanted == nil {
		return
	}
	count, kept := opened.callInt("FPDFDoc_GetAttachmentCount", opened.document), 0
	for index := range min(count, maxAttachments) {
		attachment := opened.callHandle("FPDFDoc_GetAttachment", opened.document, uint64(index))
		name := opened.callText("FPDFAttachment_GetName", attachment)
		if opened.takeError() != nil || attachment == 0 || !wanted(name) {
			continue
		}
		data := opened.readAttachment(attachment)
		switch {
		case opened.takeError() != nil || len(data) == 0:
			document.Warnings = append(document.Warnings, fmt.Sprintf("the attached file %q could not be read", name))
		case kept+len(data) > maxAttachmentBytes:
			document.Warnings = append(document.Warnings, fmt.Sprintf("the attached file %q was not read: those asked for have more than %d MB together", name, maxAttachmentBytes>>20))
		default:
			kept += len(data)
			document.Attachments = append(document.Attachments, Attachment{name, data})
		}
	}
}

// readAttachment returns what an attached file holds, nil when it cannot be read.
func (opened file) readAttachment(attachment uint64) []byte {
	memory := opened.module.Memory()
	if opened.callInt("FPDFAttachment_GetFile", attachment, 0, 0, opened.scratch) == 0 {
		return nil
	}
	size, _ := memory.ReadUint32Le(uint32(opened.scratch))
	room := opened.allocate(int(size))
	defer opened.free(room)
	if opened.callInt("FPDFAttachment_GetFile", attachment, room, uint64(size), opened.scratch) == 0 {
		return nil
	}
	data, _ := memory.Read(uint32(room), size)
	return bytes.Clone(data)
}

// openForm prepares the form of a document, if it has one, so that what was typed into its
// fields comes into its text: the numbers of a filled-in tax form live there and nowhere
// else. 0: there is none, or it cannot be opened; the page's own text is still of use.
func openForm(started *sandbox, document uint64) (form uint64) {
	if started.callInt("FPDF_GetFormType", document) == 0 {
		return 0
	}
	// What the engine calls back is set by this, and does nothing; see instantiateHost.
	window := started.callHandle("FPDF_FORMFILLINFO_Create")
	if window == 0 {
		return 0
	}
	return started.callHandle("FPDFDOC_InitFormFillEnvironment", document, window)
}

// flattenAndReloadPage writes annotations and form fields into the page's content, where text
// extraction sees them, and returns the page loaded anew. Fields that the file does not
// draw are drawn by the engine first. The change is made to the copy in the sandbox alone.
func (opened file) flattenAndReloadPage(page uint64, index int) uint64 {
	if opened.callInt("FPDFPage_GetAnnotCount", page) <= 0 {
		return page
	}
	if opened.form != 0 {
		opened.call("FORM_OnAfterLoadPage", page, opened.form)
		opened.call("FORM_OnBeforeClosePage", page, opened.form)
	}
	opened.call("FPDFPage_Flatten", page, 0)
	opened.call("FPDF_ClosePage", page)
	return opened.loadPage(index)
}
