package web

import (
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/tidwall/gjson"

	"toolkit/internal/server/rpc"
)

// checkProtocolHeaders refuses a message whose headers are not those that revision 2026-07-28 asks of it, by which proxies tell
// what it is.
func checkProtocolHeaders(r *http.Request, m rpc.Message) *refusal {
	bad := func(code int, text string) *refusal {
		return &refusal{status: http.StatusBadRequest, rpc: code, message: text}
	}
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	switch {
	case m.Response:
		return bad(mcp.INVALID_REQUEST, "protocol version "+mcp.ProtocolVersion20260728+" has no responses of clients: the server asks them nothing")
	case r.Header.Get(mcp.HeaderLastEventID) != "":
		return bad(mcp.HEADER_MISMATCH, "streams cannot be resumed; send the request again, with a new id and without "+mcp.HeaderLastEventID)
	case m.Version == "":
		return bad(mcp.INVALID_PARAMS, "missing or invalid _meta field "+mcp.MetaKeyProtocolVersion)
	case version != m.Version:
		return bad(mcp.HEADER_MISMATCH, "the header "+mcp.HeaderProtocolVersion+" must be as "+mcp.MetaKeyProtocolVersion+" in the message")
	case m.ID == nil || !mcp.IsValidProtocolVersion(version): // a notification, or what the server refuses with the versions that it has
		return nil
	}
	params := gjson.GetBytes(m.Text, "params").Raw
	if err := mcp.ValidateStandardHeaders(r.Header.Get, version, mcp.MCPMethod(m.Method), []byte(params)); err != nil {
		return bad(mcp.HEADER_MISMATCH, err.Error())
	}
	return nil
}

// statusOfAnswer is the status that revision 2026-07-28 gives an answer: nearly all errors are of what the client sent.
func statusOfAnswer(line []byte) int {
	switch gjson.GetBytes(line, "error.code").Int() {
	case 0, mcp.INTERNAL_ERROR, rpc.CodeRefused:
		return http.StatusOK
	case mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	}
	return http.StatusBadRequest
}
