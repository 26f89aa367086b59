package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// CodeRefused is in the range that JSON-RPC leaves to the server: a valid request that it does not take now.
const CodeRefused = -32000

// A Message is the envelope of one JSON-RPC message, with what a transport has to know of its parameters.
type Message struct {
	Text json.RawMessage // the whole message
	// ID is exactly what the client wrote, nil for a notification.
	ID     json.RawMessage
	Method string
	// Response says that the client answers a request of ours. We send none, so there is nothing to do.
	Response bool

	Tool    string          // that a tools/call names
	Cancels json.RawMessage // the id that a notifications/cancelled names
	Version string          // of the protocol, where the message says it: from 2026-07-28 on
}

// Parse reads the envelope of a message, which must not be empty. A message with a fault has no id if it is unknown.
func Parse(text []byte) (m Message, fault *mcp.JSONRPCErrorDetails) {
	var envelope struct {
		JSONRPC any             `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  any             `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(text, &envelope); err != nil {
		return m, refuseText(text, err)
	}
	if name := findAmbiguous(text, envelopeMembers); name != "" {
		return m, refuseAmbiguous(name)
	}
	if name := findAmbiguous(envelope.Params, paramMembers); name != "" {
		return m, refuseAmbiguous(name)
	}
	m = Message{Text: text, ID: envelope.ID}
	answered := envelope.Result != nil || envelope.Error != nil
	if envelope.Method == nil && answered {
		m.Response = true
		return m, nil
	}
	m.Method, _ = envelope.Method.(string)
	if string(m.ID) == "null" && strings.HasPrefix(m.Method, "notifications/") {
		m.ID = nil // some clients write the absent id of a notification as null
	}
	badID := m.ID != nil && !isID(m.ID)
	if badID || !utf8.Valid(m.ID) {
		m.ID = nil
	}
	switch {
	case !utf8.Valid(text):
		return m, newFault(mcp.PARSE_ERROR, "the message is not valid UTF-8")
	case badID:
		return m, newFault(mcp.INVALID_REQUEST, "the id of a request must be a string or a number")
	case envelope.JSONRPC != mcp.JSONRPC_VERSION:
		return m, newFault(mcp.INVALID_REQUEST, `"jsonrpc" must be "2.0"`)
	case m.Method == "":
		return m, newFault(mcp.INVALID_REQUEST, `"method" must be a string that names a method`)
	case answered:
		return m, newFault(mcp.INVALID_REQUEST, `a request has no "result" and no "error"`)
	case m.ID != nil && envelope.Params != nil && envelope.Params[0] != '{' && string(envelope.Params) != "null":
		return m, newFault(mcp.INVALID_PARAMS, `"params" must be an object`)
	}
	var params struct {
		Name      string          `json:"name"`
		RequestID json.RawMessage `json:"requestId"`
		Meta      *mcp.Meta       `json:"_meta"`
	}
	json.Unmarshal(envelope.Params, &params) //nolint:errcheck // what has another form is for the library to refuse
	m.Tool, m.Version = params.Name, params.Meta.ProtocolVersion()
	if isID(params.RequestID) {
		m.Cancels = params.RequestID
	}
	return m, nil
}

// Members of messages and of their parameters by which it is decided what they do.
var (
	envelopeMembers = []string{"jsonrpc", "id", "method", "params", "result", "error"}
	paramMembers    = []string{"name", "arguments", "uri", "requestId", "_meta"}
)

// findAmbiguous returns a member of an object, which is valid JSON, that stands for a known one a second
// time or in other letters. A guard in front of the server, which reads JSON by the letter, would see another message.
func findAmbiguous(object []byte, known []string) string {
	d := json.NewDecoder(bytes.NewReader(object))
	if opening, err := d.Token(); err != nil || opening != json.Delim('{') {
		return ""
	}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		name, _ := token.(string)
		i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) })
		if i >= 0 && (known[i] != name || seen[name]) {
			return name
		}
		seen[name] = true
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return ""
		}
	}
	return ""
}

func refuseAmbiguous(name string) *mcp.JSONRPCErrorDetails {
	return newFault(mcp.INVALID_REQUEST, fmt.Sprintf("%q is given twice, or in other letters than the protocol's; send each member once", name))
}

func newFault(code int, text string) *mcp.JSONRPCErrorDetails {
	return &mcp.JSONRPCErrorDetails{Code: code, Message: text}
}

// refuseText says why a text is no JSON object.
func refuseText(text []byte, err error) *mcp.JSONRPCErrorDetails {
	syntax := (*json.SyntaxError)(nil)
	switch {
	case errors.As(err, &syntax):
		return newFault(mcp.PARSE_ERROR, fmt.Sprintf("the message is not valid JSON, at byte %d: %v", syntax.Offset, err))
	case text[0] == '[':
		return newFault(mcp.INVALID_REQUEST, "batches are not supported: send each message by itself")
	}
	return newFault(mcp.INVALID_REQUEST, "a message must be a JSON object")
}

// Listens tells whether a message asks for a subscription, which stays open.
func (m *Message) Listens() bool { return m.Method == string(mcp.MethodSubscriptionsListen) }

// isID tells whether a JSON value may be the id of a request: a string or a number. MCP forbids null.
func isID(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '"' || id[0] == '-' || '0' <= id[0] && id[0] <= '9')
}

// idKey identifies an id among those in flight. Two spellings of one string are one id; a number is what it is written
// as.
func idKey(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) != nil {
		return string(id)
	}
	return `"` + text + `"`
}

// ErrorLine is the line that answers a message with an error, with the id as the client wrote it; nil is null. What is
// told besides, if it is not nil, must have a JSON form.
func ErrorLine(id json.RawMessage, code int, text string, besides any) []byte {
	line, _ := encodeLine(mcp.NewJSONRPCError(mcp.NewRequestId(id), code, text, besides))
	return line
}

// Notification is the line of a notification.
func Notification(method string, params any) ([]byte, error) {
	return encodeLine(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{mcp.JSONRPC_VERSION, method, params})
}

func encodeLine(message any) ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false) // no browser reads it as a page
	err := encoder.Encode(message)
	return line.Bytes(), err
}
