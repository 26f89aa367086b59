package document

import (
	"bytes"
	"context"
	"fmt"
	"image"

	"toolkit/tools/engines/document/layout"
)

// pictures are the pages whose text was read from what they show.
type pictures struct {
	pages         map[int]bool
	words, unread int
}

// look reads a page from its picture.
func (content *Content) look(limits Limits) func(context.Context, int, []byte, int, int) (layout.Page, error) {
	if limits.OCR.Name == "" {
		return nil
	}
	return func(ctx context.Context, number int, picture []byte, width, height int) (layout.Page, error) {
		page, words, unread, err := limits.OCR.Read(ctx, number, picture, width, height)
		if err != nil {
			return page, err
		}
		if content.pictures.pages == nil {
			content.pictures.pages = map[int]bool{}
		}
		content.pictures.pages[number] = true
		content.pictures.words += words
		content.pictures.unread += unread
		return page, nil
	}
}

// saySeen warns of what was read from pictures: it may be misread.
func (content *Content) saySeen() {
	seen := content.pictures
	if len(seen.pages) == 0 {
		return
	}
	content.Metadata["ocr_pages"] = len(seen.pages)
	content.Warnings = append(content.Warnings, fmt.Sprintf("the text was read from pictures by OCR and may be misread: compare what matters; %d of %d words could not be read for certain and were left out", seen.unread, seen.words))
}

// sayUnseen tells what would read a picture, once nothing was read of it.
func (content *Content) sayUnseen(what string, limits Limits) {
	if limits.OCR.Name == "" {
		what += "; with Tesseract installed and TOOLKIT_OCR=tesseract it is read"
	}
	content.Warnings = append(content.Warnings, what)
}

// readPicture reads the text that an image shows, where there is a program for it.
func (content *Content) readPicture(ctx context.Context, data []byte, config image.Config, limits Limits) error {
	page := layout.Page{Number: 1}
	if look := content.look(limits); look != nil {
		seen, err := look(ctx, 1, bytes.Clone(data), config.Width, config.Height)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			content.Warnings = append(content.Warnings, fmt.Sprintf("the picture was not read: %v", err))
		} else {
			page = seen
		}
	}
	content.Pages = []layout.Page{page}
	content.setText(pagesText(content.Pages), limits)
	if !page.HasText() {
		content.setText("", limits)
		content.sayUnseen("the picture has no text that was read", limits)
	}
	content.saySeen()
	return nil
}
