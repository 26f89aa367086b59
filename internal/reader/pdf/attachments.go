package pdf

import (
	"bytes"
	"fmt"
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
