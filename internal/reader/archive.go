package reader

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"toolkit/internal/reader/xmltree"
)

// Office documents are ZIP archives of XML parts. An archive is a classical bomb, so every
// part is read through bounds: members, ratio, and total size.
const maxMembers = 20_000

// smallMember is the size up to which the packing ratio means nothing.
const smallMember = 1 << 20

type archive struct {
	ctx     context.Context
	members map[string]*zip.File
	limits  Limits
}

func openArchive(ctx context.Context, data []byte, limits Limits) (*archive, error) {
	// Counted before the library makes a structure of each; compressed bytes that look like
	// one are too rare to matter.
	if bytes.Count(data, []byte("PK\x01\x02")) > maxMembers {
		return nil, fmt.Errorf("the archive has more than %d members", maxMembers)
	}
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("damaged archive: %w", err)
	}
	opened := &archive{ctx: ctx, members: make(map[string]*zip.File, len(files.File)), limits: limits}
	for _, file := range files.File {
		name := strings.TrimPrefix(strings.ReplaceAll(file.Name, `\`, "/"), "/")
		if _, double := opened.members[name]; !double {
			opened.members[name] = file
		}
		if file.Flags&1 != 0 {
			return nil, errors.New("the document is encrypted; remove the password and upload it again")
		}
	}
	return opened, nil
}

func (opened *archive) has(name string) bool { return opened.members[name] != nil }

// openPart returns a bounded reader of a member.
func (opened *archive) openPart(name string) (io.ReadCloser, error) {
	file := opened.members[name]
	if file == nil {
		return nil, fmt.Errorf("the part %s is missing", name)
	}
	source, err := file.Open()
	if err != nil {
		return nil, fmt.Errorf("the part %s is damaged: %w", name, err)
	}
	allowed := max(int64(smallMember), int64(min(file.CompressedSize64, 1<<40))*opened.limits.MaxRatio)
	return &boundedPart{ReadCloser: source, opened: opened, left: allowed}, nil
}

// maxSmallPart bounds the parts that are read at once: properties, lists of sheets, styles.
const maxSmallPart = 16 << 20

// decodeXMLPart reads a whole small part into a structure.
func (opened *archive) decodeXMLPart(part string, into any) error {
	source, err := opened.openPart(part)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	if err := xmltree.NewDecoder(io.LimitReader(source, maxSmallPart)).Decode(into); err != nil {
		return fmt.Errorf("the part %s is damaged: %w", part, err)
	}
	return nil
}

type boundedPart struct {
	io.ReadCloser
	opened *archive
	left   int64
}

func (part *boundedPart) Read(buffer []byte) (int, error) {
	if err := part.opened.ctx.Err(); err != nil {
		return 0, err
	}
	count, err := part.ReadCloser.Read(buffer)
	part.left -= int64(count)
	*part.opened.limits.unpackedSoFar += int64(count)
	if part.left < 0 || *part.opened.limits.unpackedSoFar > part.opened.limits.MaxUnpacked {
		return 0, errBomb
	}
	return count, err
}
