package reader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/pdf"
)

// reader reads one format into content. It may panic or run long: Extract guards it.
type reader func(ctx context.Context, data []byte, limits Limits, content *Content) error

// Extract reads a file of the given type. Its errors are ErrUnsupported for an unknown
// type, ErrAnalysis with the reason for a file that cannot be read, and the context's
// error when the caller gave up. It never panics and returns no content with an error.
// What a limit or the time cuts off is no error: the content has what was read before, is
// marked as truncated, and a warning says what is missing.
func Extract(ctx context.Context, source io.ReaderAt, size int64, kind Type, limits Limits) (*Content, error) {
	format := formatOf(kind)
	if format.read == nil {
		return nil, fmt.Errorf("%w: %q", ErrUnsupported, kind)
	}
	limits = limits.withDefaults()
	if size < 0 || size > limits.MaxBytes {
		return nil, analysisError("the file has %d bytes, more than the %d that are read", size, limits.MaxBytes)
	}
	data := make([]byte, size)
	if count, err := source.ReadAt(data, 0); err != nil && !(errors.Is(err, io.EOF) && int64(count) == size) {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	if kind == PDF {
		// Compiling the engine, once a process, is not held against the file.
		if err := pdf.Warm(ctx, limits.EngineCache); err != nil {
			return nil, fmt.Errorf("prepare reading: %w", err)
		}
	}
	bounded, cancel := context.WithTimeout(ctx, limits.Timeout)
	defer cancel()
	content := &Content{Type: kind, MIME: format.mime, Metadata: map[string]any{}, over: ctx.Err}
	err := readWithRecover(bounded, format.read, data, limits, content)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if bounded.Err() != nil {
		err = timeoutError(limits)
	}
	switch err = content.acceptPartialContent(err); {
	case err == nil:
		return content, nil
	case errors.Is(err, ErrAnalysis):
		return nil, err
	}
	return nil, fmt.Errorf("%w: %w", ErrAnalysis, err)
}

// readWithRecover turns a reader's panic into an error: a file must not end the process.
func readWithRecover(ctx context.Context, read reader, data []byte, limits Limits, content *Content) (err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = analysisError("the file is damaged in a way its reader did not expect")
		}
	}()
	return read(ctx, data, limits, content)
}

// PreparePDFEngine compiles the PDF engine ahead of its first use, so that no call waits for it. It
// takes seconds of processor time unless cacheFolder holds the result of an earlier run.
func PreparePDFEngine(ctx context.Context, cacheFolder string) error {
	return pdf.Warm(ctx, cacheFolder)
}

func readPDF(ctx context.Context, data []byte, limits Limits, content *Content) error {
	options := pdf.Options{MaxPages: limits.MaxPages, MaxCharacters: limits.MaxText, CacheFolder: limits.EngineCache, Picture: content.newPictureReader(limits)}
	if !limits.IgnoreAttachments {
		options.Attachments = mayBeInvoice
	}
	document, err := pdf.Read(ctx, data, options)
	if err != nil {
		return err
	}
	for key, value := range document.Metadata {
		content.setMetadata(key, value)
	}
	content.Metadata["pages"] = document.PageCount
	content.Pages = document.Pages
	content.Warnings = append(content.Warnings, document.Warnings...)
	content.Truncated = document.Truncated
	if err := content.readAttachedInvoiceData(ctx, document.Attachments); err != nil {
		return err
	}
	content.setText(pagesText(document.Pages), limits)
	if strings.Trim(content.Text, " \n\f\ufffd") == "" {
		content.warnOfUnreadPicture("the PDF has no text that can be read: its pages are images, or their fonts do not say which characters they show", limits)
	} else if len(document.Unseen) > 0 {
		content.warnOfUnreadPicture("pages that are pictures or have no text that can be read: "+pdf.FormatPageList(document.Unseen), limits)
	}
	content.warnOfRecognizedText()
	content.splitInvoices()
	return nil
}

func pagesText(pages []layout.Page) string {
	texts := make([]string, len(pages))
	for index, page := range pages {
		texts[index] = page.Text()
	}
	return strings.Join(texts, "\f")
}

func readText(_ context.Context, data []byte, limits Limits, content *Content) error {
	text := content.decodeToUTF8(data)
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	content.setText(text, limits)
	content.Pages = composeTextPages(content.Text)
	content.splitInvoices()
	return nil
}
