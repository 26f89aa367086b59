package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	documents "toolkit/internal/reader"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/tools"
)

// UploadTool is the name of the tool that takes files in.
const UploadTool = "upload_file"

const uploadName = UploadTool

type uploadInput struct {
	FilePath   string `json:"file_path" jsonschema:"required,minLength=1,maxLength=4096" jsonschema_description:"Path on this machine"`
	RecordID   string `json:"record_id,omitempty" jsonschema_description:"Attach it to this record, unread"`
	Bucket     string `json:"bucket,omitempty" jsonschema_description:"Storage bucket, files if absent"`
	Properties string `json:"properties,omitempty" jsonschema:"maxLength=1048576" jsonschema_description:"What it says, as JSON; it is not read then"`
}

type uploadOutput struct {
	Record      *uploadedRecord `json:"record,omitempty"`
	FileURL     string          `json:"file_url"`
	FileSize    int64           `json:"file_size"`
	ContentType string          `json:"content_type"`
	Created     bool            `json:"created" jsonschema_description:"false: the same bytes were there already, or the file was attached"`
	Entities    []entityRef     `json:"entities" jsonschema_description:"The document itself first, then what it speaks of"`
	ItemCount   int             `json:"item_count,omitempty" jsonschema_description:"Records made of the file's rows or items"`
	Warnings    []string        `json:"warnings,omitempty"`
	Suggestions []suggestion    `json:"suggestions,omitempty" jsonschema_description:"What the file's documents may settle or be settled by; nothing was written"`

	// The warnings are of three kinds: what was not read, what is not plain, and
	// what stands against it.
	incomplete, fieldWarnings, overruled []string
}

type uploadedRecord struct {
	recordFields
	CreatedAt string `json:"created_at"`
}

func (f *family) uploadTool() tools.Tool[uploadInput, uploadOutput] {
	return tools.Tool[uploadInput, uploadOutput]{
		Name:  uploadName,
		Title: "Upload a file",
		Description: "Store a local file (PDF, text, CSV, mail, office, image, up to 50 MB) once, read it and take what it says into entities. " +
			"Returns record, entities and file_url. Example: an invoice as PDF.",
		Permissions: []tools.Permission{mayCreateFiles}, Category: tools.Mutation, ResponseTime: tools.Slow, Idempotent: true, Version: "1.0.1",
		Tags: []string{"files", "ingest"}, Core: true, RateLimit: &tools.RateLimit{MaxCalls: 10, Window: time.Minute},
		Examples: []tools.Example[uploadInput, uploadOutput]{{
			Description: "An invoice as a text file",
			Params:      uploadInput{FilePath: SampleName},
			Result: uploadOutput{
				Record:  &uploadedRecord{recordFields: recordFields{ID: sampleRecord, Type: financialType, FileURLs: []string{sampleURL()}}},
				FileURL: sampleURL(), FileSize: int64(len(Sample)), ContentType: "text/plain", Created: true,
				Entities: []entityRef{
					{sampleInvoice, "invoice", "INV-2041", selfRole},
					{exampleAcme, "company", "Acme Corp", "vendor_name"},
					{exampleOther, "company", "Test Customer", "customer_name"},
				},
			},
			Varies: []string{"properties", "created_at"},
		}},
		Handle: f.uploadFile,
	}
}

// upload is a file on its way in.
type upload struct {
	in         uploadInput
	staged     *store.StagedBlob
	name       string
	kind       documents.Type
	url        string
	id         string // of the record that the file itself has
	properties object // properties of the caller; nil: none
	reading    *reading
	overruled  []string
	items      []entities.Entity // what its rows or items are
}

func (f *family) uploadFile(ctx context.Context, in uploadInput) (tools.Result[uploadOutput], error) {
	var none tools.Result[uploadOutput]
	given, err := parseUploadInput(&in)
	if err != nil {
		return none, err
	}
	u, err := f.stageUpload(ctx, in)
	if err != nil {
		return none, err
	}
	defer u.staged.Discard()
	defer func() { go releaseMemory() }()
	u.properties = given
	out, err := f.analyseAndStoreUpload(ctx, u)
	if err != nil {
		return none, err
	}
	if u.reading != nil && u.reading.failure != "" {
		return none, u.analysisFailedError()
	}
	return tools.Result[uploadOutput]{Data: out, Hints: u.hints(out)}, nil
}

// parseUploadInput checks what the schema cannot, and reads the properties.
func parseUploadInput(in *uploadInput) (object, error) {
	if err := checkNotBlank("file_path", in.FilePath); err != nil {
		return nil, err
	}
	if strings.ContainsRune(in.FilePath, 0) || !utf8.ValidString(in.FilePath) {
		return nil, tools.Invalid(tools.CodeFormat, "file_path", "a path", "file_path has characters that no path can have")
	}
	if strings.Contains(in.FilePath, "://") {
		return nil, tools.Invalid(tools.CodeFormat, "file_path", "a path", "file_path must be a path on this machine, not a URL; leave out what comes before the path, or download the file first")
	}
	if err := checkNotBlank("record_id", in.RecordID); err != nil {
		return nil, err
	}
	in.Bucket = cmp.Or(in.Bucket, defaultBucket)
	if !isBucketName(in.Bucket) {
		return nil, tools.Invalid(tools.CodeFormat, "bucket", "a-z, 0-9, -, _ and ., at most 63", "bucket may have the letters a-z, digits, -, _ and . only, 63 at most; leave it out for the usual one")
	}
	if strings.TrimSpace(in.Properties) == "" {
		return nil, nil
	}
	given, err := decodeObject(json.RawMessage(in.Properties))
	if err != nil {
		return nil, tools.Invalid(tools.CodeFormat, "properties", "a JSON object", `properties must be a JSON object in a string, such as "{\"document_type\":\"invoice\"}"; leave it out to have the file analysed`)
	}
	return given, nil
}

// stageUpload copies the file to the store's disk, so that it is read in peace, and
// finds out what it is.
func (f *family) stageUpload(ctx context.Context, in uploadInput) (*upload, error) {
	file, err := f.Files.Roots.Open(in.FilePath)
	if err != nil {
		return nil, fileOpenError(err)
	}
	defer file.Close()
	if file.Size() > MaxFileSize {
		return nil, fileTooLargeError(file.Size())
	}
	staged, err := f.Store.StageBlob(ctx, file, MaxFileSize+1)
	if err != nil {
		return nil, fileCopyError(ctx, err)
	}
	u := &upload{in: in, staged: staged, name: cleanFileName(file.Name), url: fileURL(in.Bucket, staged.SHA256), id: fileRecordID(staged.SHA256)}
	if err = file.CheckUnchanged(staged.Size); err == nil {
		err = u.detectFileType()
	} else {
		err = fileChangedError(err)
	}
	if err != nil {
		staged.Discard()
		return nil, err
	}
	return u, nil
}

// detectFileType names the type of the staged bytes.
func (u *upload) detectFileType() error {
	head := make([]byte, documents.SniffLength)
	n, err := u.staged.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return tools.Failed(codeUploadFailed, true, err, "the copy of the file could not be read; nothing was stored: try again")
	}
	if u.kind, err = documents.Sniff(head[:n], u.name); err == nil {
		return nil
	}
	allItems := documents.Types()
	names := make([]string, len(allItems))
	for i, kind := range allItems {
		names[i] = string(kind)
	}
	return tools.Refused(codeUnsupportedFile, "file_path", "supported file type", "the file is empty or of no supported type; supported are %s", strings.Join(names, ", ")).
		WithDetail("supported", names).
		WithHints(tools.NewRefusalHints().Because("the type is found in the content, not in the name").SuggestCall(submitName, tools.PriorityMedium, nil, "store what the document says without its file"))
}

// maxFileName bounds the name that is kept of a file, in bytes.
const maxFileName = 255

// cleanFileName is a file's name fit for one line of text.
func cleanFileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, filepath.Base(name))
	return documents.TruncateText(strings.TrimSpace(strings.Join(strings.Fields(name), " ")), maxFileName)
}

func (u *upload) analysisFailedError() error {
	return tools.Failed(codeAnalysisFailed, false, nil, "the file is stored, but it could not be analysed: %s; say what it says with properties, or upload a readable copy", u.reading.failure).
		WithDetail("file_url", u.url).WithDetail("record_id", u.id).WithDetail("file_size", u.staged.Size).WithDetail("content_type", u.kind.MIME()).
		WithHints(tools.NewRefusalHints().Because("the bytes are stored and can be had by their URL; only reading them failed").
			SuggestCall(uploadName, tools.PriorityHigh, map[string]any{"file_path": u.in.FilePath, "properties": `{"document_type":"invoice"}`}, "upload it again and say in properties what it says").
			SuggestCall(fileURLName, tools.PriorityMedium, map[string]any{"file_path": u.url}, "look at the file").
			SuggestCall(deleteName, tools.PriorityLow, map[string]any{"id": u.id}, "remove it if it is of no use").
			AddRelatedResource("record", u.id, u.name, 0.9))
}

func (u *upload) hints(out uploadOutput) *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence())
	switch {
	case u.in.RecordID != "":
		h.Because("the file is stored and attached to the record")
		h.SuggestCall(updateName, tools.PriorityLow, map[string]any{"id": u.in.RecordID}, "say in properties what the file says")
	case !out.Created:
		h.Because("the same bytes were stored before; this is their record")
	case u.reading != nil:
		h.Because(fmt.Sprintf("the file was read as %s with confidence %.2f", out.Record.Type, u.reading.confidence))
	default:
		h.Because("the file is stored with the properties that were given")
	}
	if len(out.Entities) > 0 {
		self := out.Entities[0]
		h.SuggestCall(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": self.EntityID}, "see what is known of the "+self.EntityType+", and set wrong fields right with "+correctName)
	}
	if out.ItemCount > 0 {
		kind := rowType
		if u.reading != nil && len(u.reading.parts) > 0 {
			kind = u.reading.parts[0].recordType
		}
		h.SuggestCall(retrieveName, tools.PriorityMedium, map[string]any{"type": kind}, "find rows and items by what they say")
	}
	hintSuggestions(h, out.Suggestions)
	h.SuggestCall(fileURLName, tools.PriorityLow, map[string]any{"file_path": out.FileURL}, "hand the file to somebody by a URL")
	addConflictWarnings(h, out.overruled)
	addFieldWarnings(h, out.fieldWarnings)
	for _, w := range out.incomplete {
		h.Warn("completeness", tools.PriorityLow, w, "read the file itself for the rest")
	}
	if u.reading != nil && u.reading.confidence < 0.5 && out.Created {
		h.Warn("confidence", tools.PriorityLow, "what kind of document it is was not clear", "check document_type; upload it with properties if it is another")
	}
	return h
}
