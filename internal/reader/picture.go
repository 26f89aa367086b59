package reader

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // dimensions of GIF
	"image/jpeg"
	_ "image/jpeg" // dimensions of JPEG
	"image/png"
	_ "image/png" // dimensions of PNG
	"strconv"

	_ "golang.org/x/image/webp" // dimensions of WebP

	"toolkit/internal/reader/layout"
)

// pictures are the pages whose text was read from what they show.
type pictures struct {
	pages         map[int]bool
	words, unread int
}

// newPictureReader reads a page from its picture.
func (content *Content) newPictureReader(limits Limits) func(context.Context, int, []byte, int, int) (layout.Page, error) {
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
		if page.HasText() {
			content.pictures.pages[number] = true
			content.pictures.words += words
			content.pictures.unread += unread
		}
		return page, nil
	}
}

// warnOfRecognizedText warns of what was read from pictures: it may be misread.
func (content *Content) warnOfRecognizedText() {
	seen := content.pictures
	if len(seen.pages) == 0 {
		return
	}
	content.Metadata["ocr_pages"] = len(seen.pages)
	content.Warnings = append(content.Warnings, fmt.Sprintf("the text was read from pictures by OCR and may be misread: compare what matters; %d of %d words could not be read for certain and were left out", seen.unread, seen.words))
}

// warnOfUnreadPicture tells what would read a picture, once nothing was read of it.
func (content *Content) warnOfUnreadPicture(what string, limits Limits) {
	if limits.OCR.Name == "" {
		what += "; with Tesseract installed, TOOLKIT_OCR=tesseract reads it"
	}
	content.Warnings = append(content.Warnings, what)
}

// readPicture reads the text that an image shows, where there is a program for it.
func (content *Content) readPicture(ctx context.Context, data []byte, config image.Config, limits Limits) error {
	page := layout.Page{Number: 1}
	if look := content.newPictureReader(limits); look != nil {
		picture, width, height := content.turnPictureUpright(data, config.Width, config.Height)
		seen, err := look(ctx, 1, picture, width, height)
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
		content.warnOfUnreadPicture("the picture has no text that was read", limits)
	}
	content.warnOfRecognizedText()
	return nil
}

// turnedPixels bounds a picture that is turned, which takes it into memory.
const turnedPixels = 25_000_000

// turnPictureUpright is a photograph the way up it is shown. Cameras store a picture as they were
// held, and note how to turn it; programs that read text do not look for the note.
func (content *Content) turnPictureUpright(data []byte, width, height int) (picture []byte, shownWidth, shownHeight int) {
	noted, _ := content.Metadata["orientation"].(string)
	turn, _ := strconv.Atoi(noted)
	if turn < 2 || turn > 8 || width*height > turnedPixels {
		return data, width, height
	}
	stored, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return data, width, height
	}
	shown := applyEXIFOrientation(stored, turn)
	var file bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if encoder.Encode(&file, shown) != nil {
		return data, width, height
	}
	return file.Bytes(), shown.Rect.Dx(), shown.Rect.Dy()
}

// applyEXIFOrientation is a picture as one of the eight orientations of EXIF shows it, in grey.
func applyEXIFOrientation(stored image.Image, orientation int) *image.Gray {
	aside := orientation >= 5 // rows are shown as columns
	mirrorX := orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8
	mirrorY := orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7
	bounds := stored.Bounds()
	shown := image.NewGray(image.Rect(0, 0, bounds.Dx(), bounds.Dy()))
	if aside {
		shown = image.NewGray(image.Rect(0, 0, bounds.Dy(), bounds.Dx()))
	}
	for y := range shown.Rect.Dy() {
		for x := range shown.Rect.Dx() {
			fromX, fromY := x, y
			if aside {
				fromX, fromY = y, x
			}
			if mirrorX {
				fromX = bounds.Dx() - 1 - fromX
			}
			if mirrorY {
				fromY = bounds.Dy() - 1 - fromY
			}
			shown.SetGray(x, y, color.GrayModel.Convert(stored.At(bounds.Min.X+fromX, bounds.Min.Y+fromY)).(color.Gray))
		}
	}
	return shown
}

// readImage reads what an image says about itself: its dimensions and, in JPEG, which way up
// it was taken. Pixels are not looked at here; a program of the machine may read the text.
func readImage(ctx context.Context, data []byte, limits Limits, content *Content) error {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("the image is damaged: %w", err)
	}
	if int64(config.Width)*int64(config.Height) > limits.MaxPixels {
		return fmt.Errorf("the image claims %d × %d pixels, more than are accepted", config.Width, config.Height)
	}
	content.Metadata["width"], content.Metadata["height"] = config.Width, config.Height
	content.setMetadata("format", format)
	if at := bytes.Index(data[:min(len(data), 256<<10)], []byte("Exif\x00\x00")); at >= 0 && format == "jpeg" {
		content.setMetadata("orientation", exifOrientation(data[at+6:min(len(data), at+6+64<<10)])) // all that its segment can hold
	}
	return content.readPicture(ctx, data, config, limits)
}

// exifOrientationTag numbers the entry that says which way up a picture was taken.
const exifOrientationTag = 0x0112

// exifOrientation is that entry as it is written, "" when there is none: it stands in the first
// list of entries. Damage is no error, because an image without it is as good.
func exifOrientation(data []byte) string {
	if len(data) < 8 {
		return ""
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(data[:2]) == "MM" {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(data[4:8]))
	if at+2 > int64(len(data)) {
		return ""
	}
	for index := range int64(order.Uint16(data[at : at+2])) {
		start := at + 2 + index*12
		if start+12 > int64(len(data)) {
			return ""
		}
		entry := data[start : start+12]
		if order.Uint16(entry[:2]) == exifOrientationTag {
			return strconv.Itoa(int(order.Uint16(entry[8:10])))
		}
	}
	return ""
}
