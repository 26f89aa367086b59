package rpc

import (
	"bytes"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// Answer is the line that answers the request with an id, which is what the client wrote: the library's copy may have
// lost digits. The member is "result" or "error".
func Answer(id json.RawMessage, member string, value any) ([]byte, error) {
	if id == nil {
		id = Null
	}
	var line bytes.Buffer
	line.WriteString(`{"jsonrpc":"2.0","id":`)
	line.Write(id)
	line.WriteString(`,"` + member + `":`)
	err := writeLast(&line, value)
	return line.Bytes(), err
}

// Notification is the line of a notification; nil parameters are left out.
func Notification(method string, params any) ([]byte, error) {
	var line bytes.Buffer
	line.WriteString(`{"jsonrpc":"2.0","method":"` + method + `"`)
	if params == nil {
		line.WriteString("}\n")
		return line.Bytes(), nil
	}
	line.WriteString(`,"params":`)
	err := writeLast(&line, params)
	return line.Bytes(), err
}

// writeLast writes the last value of an object, the end of the object and the end of the line. A raw value, which must be
// one line, is written as it is.
func writeLast(line *bytes.Buffer, value any) (err error) {
	switch v := value.(type) {
	case json.RawMessage:
		line.Write(v)
	case *mcp.CallToolResult:
		err = writeToolResult(line, *v)
	default:
		err = writeValue(line, v)
	}
	line.WriteString("}\n")
	return err
}

// writeToolResult writes raw structured content as it is: the library would read and copy it twice, which for a large
// result is most of the work of an answer.
func writeToolResult(line *bytes.Buffer, r mcp.CallToolResult) error {
	raw := r.RawStructuredContent
	r.RawStructuredContent = nil
	if err := writeValue(line, r); err != nil || len(raw) == 0 {
		return err
	}
	line.Truncate(line.Len() - len("}"))
	line.WriteString(`,"structuredContent":`)
	line.Write(raw)
	line.WriteByte('}')
	return nil
}

func writeValue(line *bytes.Buffer, value any) error {
	if err := json.NewEncoder(line).Encode(value); err != nil {
		return err
	}
	line.Truncate(line.Len() - len("\n"))
	return nil
}
