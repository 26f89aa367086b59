package stdio

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// codeRefused is in the range that JSON-RPC leaves to the server: a valid request that it does not take now.
const codeRefused = -32000

// null is the id of an answer to a message whose id is unknown.
var null = json.RawMessage("null")

// A message is the envelope of one JSON-RPC message: everything the transport needs to know about it.
type message struct {
	// text is what the handler receives.
	text json.RawMessage
	// id is exactly what the client wrote, nil for a notification.
	id     json.RawMessage
	method string
	params json.RawMessage
	// response says that the client answers a request of ours. We send none, so there is nothing to do.
	response bool
}

// A refusal is the error that a message earned before any handler saw it.
type refusal struct {
	id    json.RawMessage
	error mcp.JSONRPCErrorDetails
}

func newRefusal(id json.RawMessage, code int, text string) *refusal {
	return &refusal{id: id, error: mcp.NewJSONRPCErrorDetails(code, text, nil)}
}

// parse reads the envelope of a line.
func parse(text []byte) (message, *refusal) {
	if text[0] != '{' {
		return message{}, refuseNonObject(text)
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
		return message{}, refuseSyntax(err)
	}
	m := message{text: text, id: envelope.ID, params: envelope.Params}
	answered := envelope.Result != nil || envelope.Error != nil
	if envelope.Method == nil && answered {
		m.response = true
		return m, nil
	}
	// From here on an error names the id, if that is what an id has to be.
	id := null
	if validID(m.id) {
		id = m.id
	}
	json.Unmarshal(envelope.Method, &m.method) // anything but a string leaves it empty
	switch {
	case !utf8.Valid(text):
		if !utf8.Valid(id) {
			id = null
		}
		return m, newRefusal(id, mcp.PARSE_ERROR, "the message is not valid UTF-8")
	case m.id != nil && string(id) == "null":
		if string(m.id) != "null" || !strings.HasPrefix(m.method, "notifications/") {
			return m, newRefusal(null, mcp.INVALID_REQUEST, "the id of a request must be a string or a number")
		}
		m.id = nil // some clients write the absent id of a notification as null
		m.text = m.rewrite(nil)
	case !isString(envelope.JSONRPC, mcp.JSONRPC_VERSION):
		return m, newRefusal(id, mcp.INVALID_REQUEST, `"jsonrpc" must be "2.0"`)
	}
	switch {
	case m.method == "":
		return m, newRefusal(id, mcp.INVALID_REQUEST, `"method" must be a string that names a method`)
	case answered:
		return m, newRefusal(id, mcp.INVALID_REQUEST, `a request has no "result" and no "error"`)
	case m.id != nil && m.params != nil && m.params[0] != '{' && string(m.params) != "null":
		return m, newRefusal(id, mcp.INVALID_PARAMS, `"params" must be an object`)
	}
	if needsSurrogate(m.id) {
		m.text = m.rewrite(json.RawMessage(strconv.Quote(string(m.id))))
	}
	return m, nil
}

func refuseNonObject(text []byte) *refusal {
	var value json.RawMessage
	if err := json.Unmarshal(text, &value); err != nil {
		return refuseSyntax(err)
	}
	if text[0] == '[' {
		return newRefusal(null, mcp.INVALID_REQUEST, "batches are not supported: send one message a line")
	}
	return newRefusal(null, mcp.INVALID_REQUEST, "a message must be a JSON object")
}

func refuseSyntax(err error) *refusal {
	text := "the message is not valid JSON"
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		text += ", at byte " + strconv.FormatInt(syntax.Offset, 10) + ": " + syntax.Error()
	}
	return newRefusal(null, mcp.PARSE_ERROR, text)
}

// rewrite returns the text of the message with another id, or without one.
func (m *message) rewrite(id json.RawMessage) json.RawMessage {
	method, _ := json.Marshal(m.method) // a string cannot fail
	var text bytes.Buffer
	text.WriteString(`{"jsonrpc":"2.0","method":`)
	text.Write(method)
	if id != nil {
		text.WriteString(`,"id":`)
		text.Write(id)
	}
	if m.params != nil {
		text.WriteString(`,"params":`)
		text.Write(m.params)
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

// idKey identifies an id among those in flight. Two spellings of one string are one id; a number is what it is written
// as.
func idKey(id json.RawMessage) string {
	if id[0] != '"' || bytes.IndexByte(id, '\\') < 0 {
		return string(id)
	}
	var text string
	if err := json.Unmarshal(id, &text); err != nil || strings.ContainsRune(text, utf8.RuneError) {
		return string(id) // half a surrogate pair: decoded, all of them look alike
	}
	return `"` + text + `"`
}

// toolName returns the tool that the parameters of a tools/call name, or "".
func (m *message) toolName() string {
	var params struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(m.params, &params) != nil {
		return ""
	}
	return params.Name
}

// cancelledID returns the id that the parameters of a notifications/cancelled name, or nil.
func (m *message) cancelledID() json.RawMessage {
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.params, &params) != nil || !validID(params.RequestID) {
		return nil
	}
	return params.RequestID
}
