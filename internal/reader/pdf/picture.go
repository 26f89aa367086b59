package pdf

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/png"
	"math"
	"slices"
	"strconv"

	"toolkit/internal/reader/layout"
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

// readPageOrPicture reads a page from what it shows where its text does not say it; pages of which
// nothing was read so are noted. An error is the context's.
func (document *Document) readPageOrPicture(opened file, page layout.Page, text textCount, read pictureReader) (layout.Page, textCount, error) {
	if page.HasText() && 2*text.unread <= text.characters && !opened.isScan(page, text) || !page.HasText() && !opened.hasDrawnObjects(page) {
		return page, text, nil
	}
	if read != nil {
		seen, err := document.readPicture(opened, page, read)
		switch {
		case err != nil:
			return page, text, err
		case seen.HasText():
			return seen, textCount{characters: text.characters}, nil
		}
	}
	document.Unseen = append(document.Unseen, strconv.Itoa(page.Number))
	return page, text, nil
}

// readPicture reads a page from its picture: one without anything if that cannot be.
func (document *Document) readPicture(opened file, page layout.Page, read pictureReader) (layout.Page, error) {
	if len(document.Pictures) >= mostPictures {
		document.Truncated = true
		document.warn(fmt.Sprintf("the pictures of %d pages were read; those of further pages were left out", mostPictures))
		return layout.Page{}, nil
	}
	picture, width, height, err := opened.drawPageAsPNG(page.Number - 1)
	var seen layout.Page
	if err == nil {
		seen, err = read(opened.ctx, page.Number, picture, width, height)
	}
	switch {
	case opened.ctx.Err() != nil:
		return layout.Page{}, opened.ctx.Err()
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

// drawPageAsPNG returns the picture of a page, a PNG.
func (opened file) drawPageAsPNG(index int) (picture []byte, width, height int, err error) {
	page := opened.loadPage(index)
	defer opened.call("FPDF_ClosePage", page)
	widthPoints := math.Float64frombits(opened.call("FPDF_GetPageWidth", page))
	heightPoints := math.Float64frombits(opened.call("FPDF_GetPageHeight", page))
	dpi := float64(pictureDPI)
	for dpi > 1 && widthPoints*heightPoints*dpi*dpi/(72*72) > picturePixels {
		dpi--
	}
	width, height = int(math.Ceil(widthPoints*dpi/72)), int(math.Ceil(heightPoints*dpi/72))
	bitmap := opened.callHandle("FPDFBitmap_Create", uint64(width), uint64(height), 1)
	defer opened.call("FPDFBitmap_Destroy", bitmap)
	const white, redFirst = 0xFFFFFFFF, 0x10
	opened.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(width), uint64(height), white)
	opened.call("FPDF_RenderPageBitmap", bitmap, page, 0, 0, uint64(width), uint64(height), 0, redFirst)
	pixels := opened.callHandle("FPDFBitmap_GetBuffer", bitmap)
	if err := opened.takeError(); err != nil || page == 0 || bitmap == 0 {
		return nil, 0, 0, cmp.Or(err, errPage)
	}
	data, _ := opened.module.Memory().Read(uint32(pixels), uint32(4*width*height))
	drawn := &image.RGBA{Pix: data, Stride: 4 * width, Rect: image.Rect(0, 0, width, height)}
	var file bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	err = encoder.Encode(&file, drawn)
	return file.Bytes(), width, height, err
}

// hasDrawnObjects reports whether anything is drawn on a page.
func (opened file) hasDrawnObjects(page layout.Page) bool {
	handle := opened.loadPage(page.Number - 1)
	defer opened.call("FPDF_ClosePage", handle)
	count := opened.callInt("FPDFPage_CountObjects", handle)
	return opened.takeError() == nil && count > 0
}

const (
	// fewCharacters is more than a scanner or a fax prints on what it scans, and less than
	// anything that a page with a picture behind its text says.
	fewCharacters = 100
	// scanObjects bounds the search for the pictures of such a page.
	scanObjects = 500
	// imageObject is the engine's number for a picture on a page.
	imageObject = 3
)

// isScan tells a page that is a picture, or strips of one, but for a stamp on it: the name
// of the scanner, a number, the line of a fax.
func (opened file) isScan(page layout.Page, text textCount) bool {
	width, height := page.Sheet.Size()
	if text.characters >= fewCharacters || width*height == 0 {
		return false
	}
	handle := opened.loadPage(page.Number - 1)
	defer opened.call("FPDF_ClosePage", handle)
	covered, at := 0.0, opened.scratch
	for index := range min(opened.callInt("FPDFPage_CountObjects", handle), scanObjects) {
		object := opened.callHandle("FPDFPage_GetObject", handle, uint64(index))
		if opened.callInt("FPDFPageObj_GetType", object) == imageObject && opened.callInt("FPDFPageObj_GetBounds", object, at, at+4, at+8, at+12) != 0 {
			covered += (opened.readScratchFloat(2) - opened.readScratchFloat(0)) * (opened.readScratchFloat(3) - opened.readScratchFloat(1))
		}
	}
	return opened.takeError() == nil && covered > width*height/2
}
