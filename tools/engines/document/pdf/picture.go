package pdf

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"slices"
	"strconv"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"toolkit/tools/engines/document/layout"
)

// Bounds of the pictures that are made of pages.
const (
	pictureDPI    = 200 // fine enough for small print
	picturePixels = 8_000_000
	// mostPictures is how many pages of a document are read from pictures.
	mostPictures = 50
)

// pictureReader reads a page from its picture, as Options.Picture.
type pictureReader = func(ctx context.Context, page int, picture []byte, width, height int) (layout.Page, error)

// look reads a page from what it shows where its text does not say it; pages of which
// nothing was read so are noted. An error is the context's.
func (document *Document) look(ctx context.Context, instance pdfium.Pdfium, of references.FPDF_DOCUMENT, page layout.Page, text amount, read pictureReader) (layout.Page, amount, error) {
	index := page.Number - 1
	if page.HasText() && 2*text.unread <= text.characters && !isScan(instance, of, page, text) || !page.HasText() && !shows(instance, of, index) {
		return page, text, nil
	}
	if read != nil {
		seen, err := document.readPicture(ctx, instance, of, page, read)
		switch {
		case err != nil:
			return page, text, err
		case seen.HasText():
			return seen, amount{characters: text.characters}, nil
		}
	}
	document.Unseen = append(document.Unseen, strconv.Itoa(page.Number))
	return page, text, nil
}

// readPicture reads a page from its picture: one without anything if that cannot be.
func (document *Document) readPicture(ctx context.Context, instance pdfium.Pdfium, of references.FPDF_DOCUMENT, page layout.Page, read pictureReader) (layout.Page, error) {
	if len(document.Pictures) >= mostPictures {
		document.Truncated = true
		document.warn(fmt.Sprintf("the pictures of %d pages were read; those of further pages were left out", mostPictures))
		return layout.Page{}, nil
	}
	picture, width, height, err := pictureOf(instance, of, page.Number-1)
	var seen layout.Page
	if err == nil {
		seen, err = read(ctx, page.Number, picture, width, height)
	}
	switch {
	case ctx.Err() != nil:
		return layout.Page{}, ctx.Err()
	case err != nil:
		document.warn(fmt.Sprintf("the picture of a page was not read: %v", err))
		return layout.Page{}, nil
	}
	document.Pictures = append(document.Pictures, page.Number)
	return seen, nil
}

func (document *Document) warn(warning string) {
	if !slices.Contains(document.Warnings, warning) {
		document.Warnings = append(document.Warnings, warning)
	}
}

// pictureOf draws a page.
func pictureOf(instance pdfium.Pdfium, of references.FPDF_DOCUMENT, index int) (picture []byte, width, height int, err error) {
	page := requests.Page{ByIndex: &requests.PageByIndex{Document: of, Index: index}}
	size, err := instance.GetPageSize(&requests.GetPageSize{Page: page})
	if err != nil {
		return nil, 0, 0, err
	}
	dpi := pictureDPI
	for dpi > 1 && size.Width*size.Height*float64(dpi*dpi)/(72*72) > picturePixels {
		dpi--
	}
	drawn, err := instance.RenderPageInDPI(&requests.RenderPageInDPI{Page: page, DPI: dpi})
	if err != nil {
		return nil, 0, 0, err
	}
	defer drawn.Cleanup()
	var file bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	bounds := drawn.Result.Image.Bounds()
	err = encoder.Encode(&file, drawn.Result.Image)
	return file.Bytes(), bounds.Dx(), bounds.Dy(), err
}

// shows reports whether anything is drawn on a page.
func shows(instance pdfium.Pdfium, of references.FPDF_DOCUMENT, index int) bool {
	count, err := instance.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: requests.Page{ByIndex: &requests.PageByIndex{Document: of, Index: index}}})
	return err == nil && count.Count > 0
}

const (
	// fewCharacters is more than a scanner or a fax prints on what it scans, and less than
	// anything that a page with a picture behind its text says.
	fewCharacters = 100
	// scanObjects bounds the search for the pictures of such a page.
	scanObjects = 500
)

// isScan tells a page that is a picture, or strips of one, but for a stamp on it: the name
// of the scanner, a number, the line of a fax.
func isScan(instance pdfium.Pdfium, of references.FPDF_DOCUMENT, page layout.Page, text amount) bool {
	width, height := page.Sheet.Size()
	if text.characters >= fewCharacters || width*height == 0 {
		return false
	}
	at := requests.Page{ByIndex: &requests.PageByIndex{Document: of, Index: page.Number - 1}}
	count, err := instance.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: at})
	if err != nil {
		return false
	}
	covered := 0.0
	for index := range min(count.Count, scanObjects) {
		object, err := instance.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: at, Index: index})
		if err != nil {
			return false
		}
		kind, err := instance.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: object.PageObject})
		if err != nil || kind.Type != enums.FPDF_PAGEOBJ_IMAGE {
			continue
		}
		if box, err := instance.FPDFPageObj_GetBounds(&requests.FPDFPageObj_GetBounds{PageObject: object.PageObject}); err == nil {
			covered += float64(box.Right-box.Left) * float64(box.Top-box.Bottom)
		}
	}
	return covered > width*height/2
}
