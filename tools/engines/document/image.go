package document

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
	"strings"
	"time"

	_ "golang.org/x/image/webp" // dimensions of WebP
)

// readImage reads what an image says about itself: dimensions and, in JPEG, the moment
// and the camera. Pixels are not looked at here; a program of the machine may read the text.
func readImage(ctx context.Context, data []byte, limits Limits, content *Content) error {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("the image is damaged: %w", err)
	}
	if int64(config.Width)*int64(config.Height) > limits.MaxPixels {
		return fmt.Errorf("the image claims %d × %d pixels, more than are accepted", config.Width, config.Height)
	}
	content.Metadata["width"], content.Metadata["height"] = config.Width, config.Height
	content.note("format", format)
	if at := bytes.Index(data[:min(len(data), 256<<10)], []byte("Exif\x00\x00")); at >= 0 && format == "jpeg" {
		for key, value := range exif(data[at+6 : min(len(data), at+6+64<<10)]) { // all that its segment can hold
			content.note(key, value)
		}
	}
	return content.readPicture(ctx, data, config, limits)
}

// The tags of interest: camera, and the moments an image was taken or changed.
const (
	exifMake     = 0x010f
	exifModel    = 0x0110
	exifTurn     = 0x0112
	exifModified = 0x0132
	exifFolder   = 0x8769
	exifTaken    = 0x9003
)

// maxExifFolders bounds the lists of entries, which a file may let overlap.
const maxExifFolders = 8

// exif reads the few text entries of interest; damage ends the reading silently, because
// an image without them is as good.
func exif(data []byte) map[string]string {
	found := map[string]string{}
	if len(data) < 8 {
		return found
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(data[:2]) == "MM" {
		order = binary.BigEndian
	}
	visited := map[uint32]bool{}
	folders := []uint32{order.Uint32(data[4:8])}
	for len(folders) > 0 && len(visited) < maxExifFolders {
		at := folders[0]
		folders = folders[1:]
		if visited[at] || int64(at)+2 > int64(len(data)) {
			continue
		}
		visited[at] = true
		entries := int(order.Uint16(data[at : at+2]))
		for index := range entries {
			start := int64(at) + 2 + int64(index)*12
			if start+12 > int64(len(data)) {
				break
			}
			entry := data[start : start+12]
			tag, length, offset := order.Uint16(entry[:2]), order.Uint32(entry[4:8]), order.Uint32(entry[8:12])
			if tag == exifFolder {
				folders = append(folders, offset)
				continue
			}
			if tag == exifTurn {
				found["orientation"] = strconv.Itoa(int(order.Uint16(entry[8:10])))
				continue
			}
			if order.Uint16(entry[2:4]) != 2 || length > 200 || int64(offset)+int64(length) > int64(len(data)) || length <= 4 {
				continue
			}
			keepExif(found, tag, strings.TrimSpace(strings.TrimRight(string(data[offset:offset+length]), "\x00")))
		}
	}
	return found
}

func keepExif(found map[string]string, tag uint16, text string) {
	switch tag {
	case exifMake:
		found["camera_make"] = text
	case exifModel:
		found["camera_model"] = text
	case exifTaken, exifModified:
		moment, err := time.Parse("2006:01:02 15:04:05", text)
		if err == nil && (tag == exifTaken || found["taken_at"] == "") {
			found["taken_at"] = moment.Format("2006-01-02T15:04:05")
		}
	}
}
