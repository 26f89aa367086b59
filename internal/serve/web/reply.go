package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"toolkit/internal/serve/jsonrpc"
)

// refusal is an answer that no tool gave.
type refusal struct {
	status  int
	code    string // for /api/legitimacy and the manifest, in capitals as families write theirs
	rpc     int    // for /api/mcp; 0 is jsonrpc.CodeRefused
	message string
	retry   int             // seconds; 0 says nothing
	id      json.RawMessage // of the JSON-RPC request; nil is null
}

// refuse writes a refusal in the form the endpoint's clients read: a JSON-RPC error at /api/mcp, an error object elsewhere.
func refuse(w http.ResponseWriter, r *http.Request, e refusal) {
	details := map[string]any{}
	if e.retry > 0 {
		w.Header().Set("Retry-After", itoa(e.retry))
		details["retry_after_seconds"] = e.retry
	}
	if r.URL.Path != PathMCP || r.Method == http.MethodGet {
		body := map[string]any{"code": e.code, "message": e.message}
		for key, value := range details {
			body[key] = value
		}
		writeJSON(w, e.status, map[string]any{"error": body})
		return
	}
	if e.rpc == 0 {
		e.rpc = jsonrpc.CodeRefused
	}
	if e.id == nil {
		e.id = jsonrpc.Null
	}
	body := map[string]any{"code": e.rpc, "message": e.message}
	if len(details) > 0 {
		body["data"] = details
	}
	writeJSON(w, e.status, map[string]any{"jsonrpc": "2.0", "id": e.id, "error": body})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		http.Error(w, `{"error":{"code":"INTERNAL_ERROR","message":"the answer could not be encoded"}}`, http.StatusInternalServerError)
		return
	}
	writeBody(w, status, body.Bytes())
}

func writeBody(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", itoa(len(body)))
	w.WriteHeader(status)
	armWrite(w)
	w.Write(body) //nolint:errcheck // a client that left needs no answer
}

// armWrite gives the next write its time. A deadline for whole responses would end streams.
func armWrite(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(defaultWriteTime)) //nolint:errcheck // recorders in tests have none
}

// limitRead says until when the rest of a request must have arrived; the zero time is no limit.
func limitRead(w http.ResponseWriter, until time.Time) {
	http.NewResponseController(w).SetReadDeadline(until) //nolint:errcheck // recorders in tests have none
}
