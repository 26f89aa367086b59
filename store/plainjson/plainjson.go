// Package plainjson encodes values as JSON that people can read.
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
