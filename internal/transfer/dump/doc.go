// Package dump writes every row of every table as JSON lines and reads them back
// into a new database that is equal to the row.
//
// It knows no table by name: what is written follows the schema, so a new table
// is covered from the day it exists. Full-text indexes are derived and left out;
// whoever reads a file back derives them again. docs/care.md describes the
// format.
package dump

const (
	formatName    = "toolkit-export"
	formatVersion = 1
)

// header is the first line of a file.
type header struct {
	Format     string        `json:"format"`  // always first: it tells the file from other JSON lines
	Version    int           `json:"version"` // of the format
	Toolkit    string        `json:"toolkit"` // version of the program that wrote it
	Schema     int64         `json:"schema"`  // of the database
	ExportedAt string        `json:"exported_at"`
	Tables     []tableHeader `json:"tables"`
}

type tableHeader struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	LastID  *int64   `json:"last_id,omitempty"` // greatest id ever given, where ids are not used again
}

// end is the last line: without it a file is not whole.
type end struct {
	End    bool   `json:"end"`
	Rows   int    `json:"rows"`
	Lost   int    `json:"lost"`   // places where rows could not be read
	SHA256 string `json:"sha256"` // of all lines before, with their line ends
}
