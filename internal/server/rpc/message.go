package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// CodeRefused is in the range that JSON-RPC leaves to the server: a valid request that it does not take now.
const CodeRefused = -32000

// Null is the id of an answer to a message whose id is unknown.
var Null = json.RawMessage("null")

// A Message is the envelope of one JSON-RPC message.
type Message struct {
	Text json.RawMessage // the whole message
	// ID is exactly what the client wrote, nil for a notification.
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	// Response says that the client answers a request of ours. We send none, so there is nothing to do.
	Response bool
}

// A Refusal is the error that a message earned before any handler saw it.
type Refusal struct {
	ID    json.RawMessage
	Error mcp.JSONRPCErrorDetails
}

// NewRefusal returns the error with a code and a text.
func NewRefusal(id json.RawMessage, code int, text string) *Refusal {
	return &Refusal{ID: id, Error: mcp.NewJSONRPCErrorDetails(code, text, nil)}
}

// Parse reads the envelope of a message, which must not be empty.
func Parse(text []byte) (Message, *Refusal) {
	if text[0] != '{' {
		return Message{}, refuseNonObject(text)
	}
	var envelope struct {
		JSONRPC any             `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  any             `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(text, &envelope); err != nil {
		return Message{}, refuseSyntax(err)
	}
	m := Message{Text: text, ID: envelope.ID}
	if p := envelope.Params; p != nil {
		m.Params = text[bytes.Index(text, p):][:len(p)] // while a call waits, it is in memory once
	}
	answered := envelope.Result != nil || envelope.Error != nil
	if envelope.Method == nil && answered {
		m.Response = true
		return m, nil
	}
	m.Method, _ = envelope.Method.(string)
	if string(m.ID) == "null" && strings.HasPrefix(m.Method, "notifications/") {
		m.ID = nil // some clients write the absent id of a notification as null
	}
	id := Null // of an error, if the message has no id that may be one
	if validID(m.ID) && utf8.Valid(m.ID) {
		id = m.ID
	}
	switch {
	case !utf8.Valid(text):
		return m, NewRefusal(id, mcp.PARSE_ERROR, "the message is not valid UTF-8")
	case m.ID != nil && !validID(m.ID):
		return m, NewRefusal(id, mcp.INVALID_REQUEST, "the id of a request must be a string or a number")
	case envelope.JSONRPC != mcp.JSONRPC_VERSION:
		return m, NewRefusal(id, mcp.INVALID_REQUEST, `"jsonrpc" must be "2.0"`)
	case m.Method == "":
		return m, NewRefusal(id, mcp.INVALID_REQUEST, `"method" must be a string that names a method`)
	case answered:
		return m, NewRefusal(id, mcp.INVALID_REQUEST, `a request has no "result" and no "error"`)
	case m.ID != nil && m.Params != nil && m.Params[0] != '{' && string(m.Params) != "null":
		return m, NewRefusal(id, mcp.INVALID_PARAMS, `"params" must be an object`)
	}
	return m, nil
}

func refuseNonObject(text []byte) *Refusal {
	var value json.RawMessage
	if err := json.Unmarshal(text, &value); err != nil {
		return refuseSyntax(err)
	}
	if text[0] == '[' {
		return NewRefusal(Null, mcp.INVALID_REQUEST, "batches are not supported: send each message by itself")
	}
	return NewRefusal(Null, mcp.INVALID_REQUEST, "a message must be a JSON object")
}

func refuseSyntax(err error) *Refusal {
	text := "the message is not valid JSON"
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		text += ", at byte " + strconv.FormatInt(syntax.Offset, 10) + ": " + syntax.Error()
	}
	return NewRefusal(Null, mcp.PARSE_ERROR, text)
}

// validID tells whether a JSON value may be the id of a request: a string or a number. MCP forbids null.
func validID(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '"' || id[0] == '-' || '0' <= id[0] && id[0] <= '9')
}

// IDKey identifies an id among those in flight. Two spellings of one string are one id; a number is what it is written
// as.
func IDKey(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) != nil {
		return string(id)
	}
	return `"` + text + `"`
}

// ToolName returns the tool that the parameters of a tools/call name, or "".
func (m *Message) ToolName() string {
	var params struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(m.Params, &params) != nil {
		return ""
	}
	return params.Name
}

// CancelledID returns the id that the parameters of a notifications/cancelled name, or nil.
func (m *Message) CancelledID() json.RawMessage {
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.Params, &params) != nil || !validID(params.RequestID) {
		return nil
	}
	return params.RequestID
}
