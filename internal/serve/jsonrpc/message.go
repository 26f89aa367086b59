// Package jsonrpc reads the envelope of JSON-RPC messages, the part that every
// transport needs to know, and repairs what the protocol library would take for
// something else: ids it cannot hold, absent ids written as null, batches.
package jsonrpc

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

// A Message is the envelope of one JSON-RPC message: everything the transport needs to know about it.
type Message struct {
	// Text is what the handler receives.
	Text json.RawMessage
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
		JSONRPC json.RawMessage `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  json.RawMessage `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(text, &envelope); err != nil {
		return Message{}, refuseSyntax(err)
	}
	m := Message{Text: text, ID: envelope.ID, Params: envelope.Params}
	answered := envelope.Result != nil || envelope.Error != nil
	if envelope.Method == nil && answered {
		m.Response = true
		return m, nil
	}
	// From here on an error names the id, if that is what an id has to be.
	id := Null
	if validID(m.ID) {
		id = m.ID
	}
	json.Unmarshal(envelope.Method, &m.Method) // anything but a string leaves it empty
	switch {
	case !utf8.Valid(text):
		if !utf8.Valid(id) {
			id = Null
		}
		return m, NewRefusal(id, mcp.PARSE_ERROR, "the message is not valid UTF-8")
	case m.ID != nil && string(id) == "null":
		if string(m.ID) != "null" || !strings.HasPrefix(m.Method, "notifications/") {
			return m, NewRefusal(Null, mcp.INVALID_REQUEST, "the id of a request must be a string or a number")
		}
		m.ID = nil // some clients write the absent id of a notification as null
		m.Text = m.rewrite(nil)
	case !isString(envelope.JSONRPC, mcp.JSONRPC_VERSION):
		return m, NewRefusal(id, mcp.INVALID_REQUEST, `"jsonrpc" must be "2.0"`)
	}
	switch {
	case m.Method == "":
		return m, NewRefusal(id, mcp.INVALID_REQUEST, `"method" must be a string that names a method`)
	case answered:
		return m, NewRefusal(id, mcp.INVALID_REQUEST, `a request has no "result" and no "error"`)
	case m.ID != nil && m.Params != nil && m.Params[0] != '{' && string(m.Params) != "null":
		return m, NewRefusal(id, mcp.INVALID_PARAMS, `"params" must be an object`)
	}
	if needsSurrogate(m.ID) {
		m.Text = m.rewrite(json.RawMessage(strconv.Quote(string(m.ID))))
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

// rewrite returns the text of the message with another id, or without one.
func (m *Message) rewrite(id json.RawMessage) json.RawMessage {
	method, _ := json.Marshal(m.Method) // a string cannot fail
	var text bytes.Buffer
	text.WriteString(`{"jsonrpc":"2.0","method":`)
	text.Write(method)
	if id != nil {
		text.WriteString(`,"id":`)
		text.Write(id)
	}
	if m.Params != nil {
		text.WriteString(`,"params":`)
		text.Write(m.Params)
	}
	text.WriteByte('}')
	return text.Bytes()
}

// isString tells whether a JSON value is the string want, however it is escaped.
func isString(value json.RawMessage, want string) bool {
	if string(value) == `"`+want+`"` {
		return true
	}
	var text string
	return json.Unmarshal(value, &text) == nil && text == want
}

// validID tells whether a JSON value may be the id of a request: a string or a number. MCP forbids null.
func validID(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '"' || isNumber(id))
}

func isNumber(value json.RawMessage) bool {
	return value[0] == '-' || '0' <= value[0] && value[0] <= '9'
}

// needsSurrogate tells whether the library, which reads ids into a float64, would take this one for another or refuse
// it. Such a message is passed on with the digits as a string instead; the answer gets the id of the client anyway.
func needsSurrogate(id json.RawMessage) bool {
	if id == nil || id[0] == '"' {
		return false
	}
	if len(id) <= 15 && bytes.Trim(id, "0123456789") == nil {
		return false // far below 2^53, like nearly every id
	}
	value, err := strconv.ParseFloat(string(id), 64)
	return err != nil || strconv.FormatFloat(value, 'f', -1, 64) != string(id)
}

// IDKey identifies an id among those in flight. Two spellings of one string are one id; a number is what it is written
// as.
func IDKey(id json.RawMessage) string {
	if id[0] != '"' || bytes.IndexByte(id, '\\') < 0 {
		return string(id)
	}
	var text string
	if err := json.Unmarshal(id, &text); err != nil || strings.ContainsRune(text, utf8.RuneError) {
		return string(id) // half a surrogate pair: decoded, all of them look alike
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
