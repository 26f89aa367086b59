package reader

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	_ "image/gif"  // dimensions of GIF
	_ "image/jpeg" // dimensions of JPEG
	_ "image/png"  // dimensions of PNG
	"strconv"

	_ "golang.org/x/image/webp" // dimensions of WebP
)

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
