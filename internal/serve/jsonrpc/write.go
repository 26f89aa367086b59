package jsonrpc

import (
	"bytes"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
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
	switch v := value.(type) {
	case json.RawMessage:
		b.Write(v)
	case *mcp.CallToolResult:
		if err := writeToolResult(b, *v); err != nil {
			return err
		}
	default:
		if err := writeValue(b, v); err != nil {
			return err
		}
	}
	b.WriteString("}\n")
	return nil
}

// writeToolResult writes raw structured content as it is: the library would read and copy it twice, which for a large
// result is most of the work.
func writeToolResult(b *bytes.Buffer, r mcp.CallToolResult) error {
	raw := r.RawStructuredContent
	r.RawStructuredContent = nil
	if err := writeValue(b, r); err != nil || len(raw) == 0 {
		return err
	}
	b.Truncate(b.Len() - len("}"))
	b.WriteString(`,"structuredContent":`)
	b.Write(raw)
	b.WriteByte('}')
	return nil
}

func writeValue(b *bytes.Buffer, value any) error {
	if err := json.NewEncoder(b).Encode(value); err != nil {
		return err
	}
	b.Truncate(b.Len() - len("\n"))
	return nil
}
