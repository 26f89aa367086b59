package web

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"

	"toolkit/internal/server/rpc"
)

// refusal is an answer that no tool gave.
type refusal struct {
	status  int
	code    string // for /api/legitimacy and the manifest, in capitals as families write theirs
	rpc     int    // for /api/mcp; 0 is rpc.CodeRefused
	message string
	retry   int             // seconds; 0 says nothing
	id      json.RawMessage // of the JSON-RPC request; nil is null
	meta    map[string]any  // what a tool says beside its error
}

func newBusyRefusal(what string) *refusal {
	return &refusal{status: http.StatusServiceUnavailable, code: "SERVICE_UNAVAILABLE", retry: 1, message: "too many " + what + " are open; try again"}
}

// writeRefusal writes a refusal in the form the endpoint's clients read: a JSON-RPC error at /api/mcp, an error object elsewhere.
func writeRefusal(w http.ResponseWriter, r *http.Request, e *refusal) {
	details := map[string]any{}
	var data any
	if e.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.retry))
		details["retry_after_seconds"] = e.retry
		data = details
	}
	if r.URL.Path == PathMCP && r.Method != http.MethodGet {
		writeBody(w, e.status, rpc.EncodeErrorLine(e.id, cmp.Or(e.rpc, rpc.CodeRefused), e.message, data))
		return
	}
	details["code"], details["message"] = e.code, e.message
	body := map[string]any{"error": details}
	if e.meta != nil {
		body["_meta"] = e.meta
	}
	writeJSON(w, e.status, body)
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	line, err := rpc.EncodeLine(value)
	if err != nil {
		panic(err) // what is written here has a JSON form
	}
	writeBody(w, status, line)
}

func writeBody(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	setWriteDeadline(w)
	w.Write(body) //nolint:errcheck // a client that left needs no answer
}
