// Package plainjson encodes values as JSON that people can read, and decodes JSON without loss.
package plainjson

import (
	"bytes"
	"encoding/json"
)

// Encode is JSON as json.Marshal gives it, but with <, > and & as they are.
func Encode(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Decode reads the first JSON value of a text and keeps its numbers exact.
func Decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}
