package rpc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/tidwall/gjson"
)

// CodeRefused is in the range that JSON-RPC leaves to the server: a valid request that it does not take now.
const CodeRefused = -32000

// MaxValues is how many values a message may have. Each takes up to a kilobyte of memory on its way through the server,
// also where it took two bytes to write; data of more values is a file.
const MaxValues = 100_000

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

// ParseMessage reads the envelope of a message. A message with a fault has no id if it is unknown.
func ParseMessage(text []byte) (m Message, fault *mcp.JSONRPCErrorDetails) {
	object := gjson.ParseBytes(text)
	if !json.Valid(text) || !object.IsObject() {
		return m, explainInvalidText(text)
	}
	envelope, ambiguous := readKnownMembers(object, "jsonrpc", "id", "method", "params", "result", "error")
	params, alsoAmbiguous := readKnownMembers(envelope["params"], "name", "arguments", "uri", "requestId", "_meta")
	meta, inMeta := readKnownMembers(params["_meta"], mcp.MetaKeyProtocolVersion)
	if name := cmp.Or(ambiguous, alsoAmbiguous, inMeta); name != "" {
		return m, newFault(mcp.INVALID_REQUEST, fmt.Sprintf("%q is given twice, or in other letters than the protocol's; send each member once", name))
	}
	id := envelope["id"]
	answers := envelope["result"].Exists() || envelope["error"].Exists()
	m = Message{ // with copies: what was read would be held in memory as long as a part of it
		Text: text, Method: strings.Clone(envelope["method"].Str), Response: answers && envelope["method"].Type == gjson.Null,
		Tool: strings.Clone(params["name"].Str), Version: strings.Clone(meta[mcp.MetaKeyProtocolVersion].Str),
	}
	if isRequestID(id) && utf8.ValidString(id.Raw) {
		m.ID = json.RawMessage(id.Raw)
	}
	if isRequestID(params["requestId"]) {
		m.Cancels = json.RawMessage(params["requestId"].Raw)
	}
	// Some clients write the absent id of a notification as null.
	absentID := !id.Exists() || id.Type == gjson.Null && strings.HasPrefix(m.Method, "notifications/")
	switch {
	case m.Response:
	case !utf8.Valid(text):
		fault = newFault(mcp.PARSE_ERROR, "the message is not valid UTF-8")
	case !absentID && !isRequestID(id):
		fault = newFault(mcp.INVALID_REQUEST, "the id of a request must be a string or a number")
	case envelope["jsonrpc"].Str != mcp.JSONRPC_VERSION:
		fault = newFault(mcp.INVALID_REQUEST, `"jsonrpc" must be "2.0"`)
	case m.Method == "":
		fault = newFault(mcp.INVALID_REQUEST, `"method" must be a string that names a method`)
	case answers:
		fault = newFault(mcp.INVALID_REQUEST, `a request has no "result" and no "error"`)
	case HasTooManyValues(text):
		fault = newFault(mcp.INVALID_REQUEST, fmt.Sprintf("a message can have %d values at most; send fewer at a time", MaxValues))
	case m.ID != nil && envelope["params"].Type != gjson.Null && !envelope["params"].IsObject():
		fault = newFault(mcp.INVALID_PARAMS, `"params" must be an object`)
	}
	return m, fault
}

// readKnownMembers returns the known members of an object, and one that stands for one of them a second time or in other
// letters: a guard in front of the server, which reads JSON by the letter, would see another message.
func readKnownMembers(object gjson.Result, known ...string) (members map[string]gjson.Result, ambiguous string) {
	members = map[string]gjson.Result{}
	if !object.IsObject() {
		return members, ""
	}
	object.ForEach(func(key, value gjson.Result) bool {
		i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, key.Str) })
		if i < 0 {
			return true
		}
		if _, again := members[known[i]]; again || known[i] != key.Str {
			ambiguous = key.Str
		}
		members[known[i]] = value
		return true
	})
	return members, ambiguous
}

// HasTooManyValues tells whether a text, which is valid JSON, has more values than a message may have.
func HasTooManyValues(text []byte) bool {
	n := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case ',', '[', '{':
			n++
		}
	}
	return n > MaxValues
}

func newFault(code int, text string) *mcp.JSONRPCErrorDetails {
	return &mcp.JSONRPCErrorDetails{Code: code, Message: text}
}

// explainInvalidText says why a text is no JSON object.
func explainInvalidText(text []byte) *mcp.JSONRPCErrorDetails {
	err := json.Unmarshal(text, &struct{}{})
	if syntax, found := errors.AsType[*json.SyntaxError](err); found {
		return newFault(mcp.PARSE_ERROR, fmt.Sprintf("the message is not valid JSON, at byte %d: %v", syntax.Offset, err))
	}
	if text[0] == '[' {
		return newFault(mcp.INVALID_REQUEST, "batches are not supported: send each message by itself")
	}
	return newFault(mcp.INVALID_REQUEST, "a message must be a JSON object")
}

// IsSubscription tells whether a message asks for a subscription, which stays open.
func (m *Message) IsSubscription() bool { return m.Method == string(mcp.MethodSubscriptionsListen) }

// isRequestID tells whether a JSON value may be the id of a request: a string or a number. MCP forbids null.
func isRequestID(id gjson.Result) bool { return id.Type == gjson.String || id.Type == gjson.Number }

// idKey identifies an id among those in flight. Two spellings of one string are one id; a number is what it is written
// as.
func idKey(id json.RawMessage) string {
	if read := gjson.ParseBytes(id); read.Type == gjson.String {
		return `"` + read.Str + `"`
	}
	return string(id)
}

// EncodeErrorLine returns the line that answers a message with an error, with the id as the client wrote it; nil is null. What is
// told besides, if it is not nil, must have a JSON form.
func EncodeErrorLine(id json.RawMessage, code int, text string, besides any) []byte {
	line, _ := EncodeLine(mcp.NewJSONRPCError(mcp.NewRequestId(id), code, text, besides))
	return line
}

// EncodeNotification returns the line of a notification.
func EncodeNotification(method string, params any) ([]byte, error) {
	return EncodeLine(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{mcp.JSONRPC_VERSION, method, params})
}

// EncodeLine writes a value as a line of JSON.
func EncodeLine(message any) ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false) // no browser reads it as a page
	err := encoder.Encode(message)
	return line.Bytes(), err
}
