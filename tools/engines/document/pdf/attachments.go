package pdf

import (
	"fmt"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

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

// attach keeps the attached files that are asked for. One that cannot be read becomes a
// warning.
func (document *Document) attach(instance pdfium.Pdfium, of references.FPDF_DOCUMENT, wanted func(string) bool) {
	if wanted == nil {
		return
	}
	count, err := instance.FPDFDoc_GetAttachmentCount(&requests.FPDFDoc_GetAttachmentCount{Document: of})
	if err != nil {
		return
	}
	kept := 0
	for index := range min(count.AttachmentCount, maxAttachments) {
		attachment, err := instance.FPDFDoc_GetAttachment(&requests.FPDFDoc_GetAttachment{Document: of, Index: index})
		if err != nil {
			continue
		}
		name, err := instance.FPDFAttachment_GetName(&requests.FPDFAttachment_GetName{Attachment: attachment.Attachment})
		if err != nil || !wanted(name.Name) {
			continue
		}
		file, err := instance.FPDFAttachment_GetFile(&requests.FPDFAttachment_GetFile{Attachment: attachment.Attachment})
		switch {
		case err != nil || len(file.Contents) == 0:
			document.Warnings = append(document.Warnings, fmt.Sprintf("the attached file %q could not be read", name.Name))
		case kept+len(file.Contents) > maxAttachmentBytes:
			document.Warnings = append(document.Warnings, fmt.Sprintf("the attached file %q was not read: those asked for have more than %d MB together", name.Name, maxAttachmentBytes>>20))
		default:
			kept += len(file.Contents)
			document.Attachments = append(document.Attachments, Attachment{name.Name, file.Contents})
		}
	}
}
