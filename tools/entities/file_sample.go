package entities

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
	sampleHash    = "41f400d4cf6ae79deacb7528898a7095cf550501a07c0f48842f718c990f05ae"
	sampleRecord  = "021f51dd-8133-527e-8cf7-f81254338a21"
	sampleInvoice = "ent_ca8bc8d97516cd3d53d5dd11"
)

func sampleURL() string { return fileURL(defaultBucket, sampleHash) }
