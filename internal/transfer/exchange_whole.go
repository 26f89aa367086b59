package transfer

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// readWholeGraph takes in a file that is one object with the lists "entities" and "relations", as
// read_graph answers; it reports whether the file is one.
func (r *exchangeReader) readWholeGraph(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	var whole struct{ Type, Entities, Relations json.RawMessage }
	if !utf8.Valid(text) || json.Unmarshal(text, &whole) != nil || whole.Type != nil || whole.Entities == nil && whole.Relations == nil {
		return false
	}
	r.readList(text, whole.Entities, "entity")
	r.readList(text, whole.Relations, "relation")
	r.file.Lines = bytes.Count(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) + 1
	return true
}

// readList takes in a list of the records of one type, each with the line of the text on which
// it stands.
func (r *exchangeReader) readList(text, list json.RawMessage, recordType string) {
	if list == nil {
		return
	}
	var records []json.RawMessage
	at := bytes.Index(text, list)
	r.file.Lines = bytes.Count(text[:at], []byte("\n")) + 1
	if err := json.Unmarshal(list, &records); err != nil {
		r.file.addSkipped(r.file.Lines, "the list of type %q is none: %v", recordType, err)
	}
	for _, record := range records {
		next := at + bytes.Index(text[at:], record)
		r.file.Lines += bytes.Count(text[at:next], []byte("\n"))
		at = next
		members, err := parseRecord(record)
		if err == nil {
			members["type"] = encodeExchangeValue(recordType)
			err = r.readRecord(members)
		}
		if err != nil {
			r.file.addSkipped(r.file.Lines, "%v", err)
		}
	}
}
