package jsonrpc

import (
	"bytes"
	"encoding/json"
)

// WriteAnswer writes the line that answers the request with the id, which is what the client wrote: the library's copy
// may have lost digits. The member is "result" or "error".
func WriteAnswer(b *bytes.Buffer, id json.RawMessage, member string, value any) error {
	if id == nil {
		id = Null
	}
	b.WriteString(`{"jsonrpc":"2.0","id":`)
	b.Write(id)
	b.WriteString(`,"` + member + `":`)
	return writeLast(b, value)
}

// WriteNotification writes the line of a notification; nil parameters are left out.
func WriteNotification(b *bytes.Buffer, method string, params any) error {
	b.WriteString(`{"jsonrpc":"2.0","method":`)
	name, _ := json.Marshal(method) // a string cannot fail
	b.Write(name)
	if params == nil {
		b.WriteString("}\n")
		return nil
	}
	b.WriteString(`,"params":`)
	return writeLast(b, params)
}

// writeLast writes the last value of an object, the end of the object and the end of the line. A raw value is written as
// it is: it must be one line.
func writeLast(b *bytes.Buffer, value any) error {
	if raw, ok := value.(json.RawMessage); ok {
		b.Write(raw)
	} else if err := json.NewEncoder(b).Encode(value); err != nil {
		return err
	} else {
		b.Truncate(b.Len() - 1) // the line feed of the encoder
	}
	b.WriteString("}\n")
	return nil
}
