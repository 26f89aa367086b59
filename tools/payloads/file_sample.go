package payloads

import (
	"fmt"
	"os"
	"path/filepath"

	"toolkit/internal/localfile"
)

// SampleName is the file that the examples of the file tools upload.
const SampleName = "invoice.txt"

// Sample is the content of that file.
const Sample = `INVOICE

Invoice number: INV-2041
Invoice date: 2025-01-15
Due date: 2025-02-14
Vendor: Acme Corp
Customer: Test Customer

Total: 1500.00 EUR
`

// What the sample becomes: its hash names the file and its record.
const (
	sampleHash    = "0000000000000000000000000000000000000000000000000000000000000000"
	sampleRecord  = "00000000-0000-0000-0000-000000000000"
	sampleInvoice = "ent_000000000000000000000000"
)

func sampleURL() string { return fileURL(defaultBucket, sampleHash) }

// WriteSample puts the sample into a folder and allows uploads from there, so
// that the examples can run.
func WriteSample(folder string) (localfile.Roots, error) {
	if err := os.WriteFile(filepath.Join(folder, SampleName), []byte(Sample), 0o600); err != nil {
		return localfile.Roots{}, fmt.Errorf("writing the sample: %w", err)
	}
	return localfile.Roots{Folders: []string{folder}, Working: folder}, nil
}
