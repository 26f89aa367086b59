package pdf

import (
	"bytes"
	"context"
	"fmt"
	"image/png"

	"github.com/klippa-app/go-pdfium"
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

// readPicture reads a page without text from what it shows. An error is the context's: a
// page that cannot be read so stays as it is.
func (document *Document) readPicture(ctx context.Context, instance pdfium.Pdfium, of references.FPDF_DOCUMENT, page layout.Page, read func(context.Context, int, []byte, int, int) (layout.Page, error)) (layout.Page, error) {
	if len(document.Pictures) >= mostPictures {
		document.Truncated = true
		document.warn(fmt.Sprintf("the pictures of %d pages were read; those of further pages were left out", mostPictures))
		return page, nil
	}
	picture, width, height, err := pictureOf(instance, of, page.Number-1)
	var seen layout.Page
	if err == nil {
		seen, err = read(ctx, page.Number, picture, width, height)
	}
	switch {
	case ctx.Err() != nil:
		return page, ctx.Err()
	case err != nil:
		document.warn(fmt.Sprintf("the picture of a page was not read: %v", err))
		return page, nil
	}
	document.Pictures = append(document.Pictures, page.Number)
	return seen, nil
}

func (document *Document) warn(warning string) {
	for _, said := range document.Warnings {
		if said == warning {
			return
		}
	}
	document.Warnings = append(document.Warnings, warning)
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
