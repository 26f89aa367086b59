package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// answer is one entry of a script: a text, the call of a tool, or both.
type answer struct {
	text string
	tool string // as the client names it
	args any
	// tokens is how full the model says that its context is; 0 is almost empty.
	tokens int
	asked  chan struct{} // closed when the model is asked, if not nil
	until  chan struct{} // the answer comes when it is closed, if not nil
}

// says is a script of texts alone.
func says(texts ...string) []answer {
	script := make([]answer, len(texts))
	for i, text := range texts {
		script[i].text = text
	}
	return script
}

// heard is a text that a request gave its model to read.
type heard struct {
	role string // system, user, assistant, tool
	text string
}

// offered is a tool as a client describes it to its model.
type offered struct {
	Name      string
	bytes     int    // of its definition
	namespace string // Codex
}

// UnmarshalJSON reads a definition, and how long it is.
func (o *offered) UnmarshalJSON(raw []byte) error {
	var in struct{ Name string }
	err := json.Unmarshal(raw, &in)
	o.Name, o.bytes = in.Name, len(raw)
	return err
}

// request is what a client sent to its model.
type request struct {
	path  string
	bytes int
	tools []offered
	heard []heard
}

// all is everything in a request that a role said.
func (r request) all(role string) string {
	var texts []string
	for _, h := range r.heard {
		if h.role == role {
			texts = append(texts, h.text)
		}
	}
	return strings.Join(texts, "\n")
}

// model answers from a script in the three protocols, on loopback, and keeps what
// it was asked. An entry of the script answers one request that offers tools; the
// others are the client's own errands.
type model struct {
	*httptest.Server
	mu     sync.Mutex
	script []answer
	asked  []request
}

// protocols by what stands in the path of their requests.
var protocols = []struct {
	path   string
	read   func([]byte, *request) error
	answer func(w http.ResponseWriter, a answer, r request, id string, stream bool)
}{
	{"/messages", readMessages, answerMessages},
	{"/responses", readResponses, answerResponses},
	{"enerateContent", readGenerate, answerGenerate},
}

func newModel(t *testing.T, script []answer) *model {
	m := &model{script: script}
	m.Server = httptest.NewServer(m)
	t.Cleanup(func() {
		m.CloseClientConnections()
		m.Close()
	})
	return m
}

// turns are the requests that offered tools: those of the conversation itself.
func (m *model) turns() []request {
	m.mu.Lock()
	defer m.mu.Unlock()
	var turns []request
	for _, r := range m.asked {
		if len(r.tools) > 0 {
			turns = append(turns, r)
		}
	}
	return turns
}

func (m *model) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if strings.Contains(strings.ToLower(q.URL.Path), "count") && err == nil { // both spellings of counting tokens
		writeJSON(w, map[string]int{"input_tokens": 1, "totalTokens": 1})
		return
	}
	for _, p := range protocols {
		if q.Method != http.MethodPost || !strings.Contains(q.URL.Path, p.path) {
			continue
		}
		r := request{path: q.URL.Path, bytes: len(body)}
		if err := p.read(body, &r); err != nil {
			http.Error(w, fmt.Sprintf(`{"error":{"message":%q}}`, err), http.StatusBadRequest)
			return
		}
		a, id := m.next(r)
		if a.asked != nil {
			close(a.asked)
		}
		if a.until != nil {
			select {
			case <-a.until:
			case <-q.Context().Done():
				return
			}
		}
		p.answer(w, a, r, id, strings.Contains(q.URL.Path, "stream") || strings.Contains(string(body), `"stream":true`))
		return
	}
	writeJSON(w, map[string]any{})
}

// next keeps a request and takes the answer to it from the script.
func (m *model) next(r request) (answer, string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, r)
	a := answer{text: "done"}
	if len(r.tools) > 0 && len(m.script) > 0 {
		a, m.script = m.script[0], m.script[1:]
	}
	return a, fmt.Sprint("id_", len(m.asked))
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v) //nolint:errcheck // the client may be gone
}

// events writes server-sent events.
func events(w http.ResponseWriter) func(kind string, data map[string]any) {
	w.Header().Set("Content-Type", "text/event-stream")
	return func(kind string, data map[string]any) {
		if kind != "" {
			data["type"] = kind
			fmt.Fprintf(w, "event: %s\n", kind)
		}
		raw, _ := json.Marshal(data)
		fmt.Fprintf(w, "data: %s\n\n", raw)
	}
}

// parts are the texts in a content, which is a text or a list of blocks, with the
// results of tools apart.
func parts(role string, content json.RawMessage) []heard {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []heard{{role, text}}
	}
	var blocks []struct {
		Type    string          `json:"type"`
		Text    string          `json:"text"`
		Content json.RawMessage `json:"content"`
		Called  struct {
			Response json.RawMessage `json:"response"`
		} `json:"functionResponse"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return nil
	}
	var all []heard
	for _, b := range blocks {
		switch {
		case b.Type == "tool_result":
			all = append(all, parts("tool", b.Content)...)
		case len(b.Called.Response) > 0:
			all = append(all, heard{"tool", string(b.Called.Response)})
		case b.Text != "":
			all = append(all, heard{role, b.Text})
		}
	}
	return all
}

// --- Messages, of Claude Code ---

func readMessages(body []byte, r *request) error {
	var in struct {
		System   json.RawMessage `json:"system"`
		Tools    []offered       `json:"tools"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	err := json.Unmarshal(body, &in)
	r.tools, r.heard = in.Tools, parts("system", in.System)
	for _, m := range in.Messages {
		r.heard = append(r.heard, parts(m.Role, m.Content)...)
	}
	return err
}

func answerMessages(w http.ResponseWriter, a answer, _ request, id string, stream bool) {
	type object = map[string]any
	var blocks, empty, deltas []object
	stop := "end_turn"
	if a.text != "" {
		blocks, empty = append(blocks, object{"type": "text", "text": a.text}), append(empty, object{"type": "text", "text": ""})
		deltas = append(deltas, object{"type": "text_delta", "text": a.text})
	}
	if a.tool != "" {
		args, _ := json.Marshal(a.args)
		call := object{"type": "tool_use", "id": "toolu_" + id, "name": a.tool, "input": a.args}
		blocks = append(blocks, call)
		call = maps.Clone(call)
		call["input"], stop = object{}, "tool_use"
		empty, deltas = append(empty, call), append(deltas, object{"type": "input_json_delta", "partial_json": string(args)})
	}
	usage := map[string]int{"input_tokens": 1 + a.tokens, "output_tokens": 1}
	message := map[string]any{"id": "msg_" + id, "type": "message", "role": "assistant", "model": "scripted", "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}
	if !stream {
		message["content"], message["stop_reason"] = blocks, stop
		writeJSON(w, message)
		return
	}
	send := events(w)
	send("message_start", map[string]any{"message": message})
	for i := range blocks {
		send("content_block_start", object{"index": i, "content_block": empty[i]})
		send("content_block_delta", object{"index": i, "delta": deltas[i]})
		send("content_block_stop", object{"index": i})
	}
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": usage})
	send("message_stop", map[string]any{})
}

// --- Responses, of Codex ---

func readResponses(body []byte, r *request) error {
	var in struct {
		Instructions string            `json:"instructions"`
		Tools        []json.RawMessage `json:"tools"`
		Input        []struct {
			Type    string          `json:"type"`
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
			Output  json.RawMessage `json:"output"`
		} `json:"input"`
	}
	err := json.Unmarshal(body, &in)
	r.heard = []heard{{"system", in.Instructions}}
	for _, raw := range in.Tools {
		var space struct {
			Name, Description string
			Tools             []offered
		}
		var alone offered
		if json.Unmarshal(raw, &space) != nil || json.Unmarshal(raw, &alone) != nil {
			continue
		}
		for _, o := range space.Tools {
			o.namespace = space.Name
			r.tools = append(r.tools, o)
		}
		if len(space.Tools) > 0 {
			r.heard = append(r.heard, heard{"system", space.Description})
		} else {
			r.tools = append(r.tools, alone)
		}
	}
	for _, item := range in.Input {
		if item.Role == "developer" {
			item.Role = "system"
		}
		r.heard = append(r.heard, parts(item.Role, item.Content)...)
		if strings.HasSuffix(item.Type, "_output") {
			r.heard = append(r.heard, parts("tool", item.Output)...)
		}
	}
	return err
}

func answerResponses(w http.ResponseWriter, a answer, r request, id string, _ bool) {
	var items []map[string]any
	if a.text != "" {
		items = append(items, map[string]any{"type": "message", "id": "m_" + id, "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": a.text}}})
	}
	if a.tool != "" {
		args, _ := json.Marshal(a.args)
		item := map[string]any{"type": "function_call", "id": "f_" + id, "call_id": "call_" + id, "name": a.tool, "arguments": string(args)}
		for _, o := range r.tools {
			if o.Name == a.tool && o.namespace != "" {
				item["namespace"] = o.namespace
			}
		}
		items = append(items, item)
	}
	usage := map[string]any{"input_tokens": 1 + a.tokens, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil, "total_tokens": 2 + a.tokens}
	send := events(w)
	send("response.created", map[string]any{"response": map[string]any{"id": id}})
	for i, item := range items {
		send("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	send("response.completed", map[string]any{"response": map[string]any{"id": id, "usage": usage}})
}

// --- generateContent, of Gemini CLI ---

func readGenerate(body []byte, r *request) error {
	type content struct {
		Role  string          `json:"role"`
		Parts json.RawMessage `json:"parts"`
	}
	var in struct {
		System content `json:"systemInstruction"`
		Tools  []struct {
			Functions []offered `json:"functionDeclarations"`
		} `json:"tools"`
		Contents []content `json:"contents"`
	}
	err := json.Unmarshal(body, &in)
	r.heard = parts("system", in.System.Parts)
	for _, tool := range in.Tools {
		r.tools = append(r.tools, tool.Functions...)
	}
	for _, c := range in.Contents {
		if c.Role == "model" {
			c.Role = "assistant"
		}
		r.heard = append(r.heard, parts(c.Role, c.Parts)...)
	}
	return err
}

func answerGenerate(w http.ResponseWriter, a answer, r request, _ string, stream bool) {
	var said []any
	if len(r.tools) == 0 { // it asks which of its models fits
		a.text = `{"complexity_reasoning":"simple","complexity_score":1,"reasoning":"simple","model_choice":"flash"}`
	}
	if a.text != "" {
		said = append(said, map[string]any{"text": a.text})
	}
	if a.tool != "" {
		said = append(said, map[string]any{"functionCall": map[string]any{"name": a.tool, "args": a.args}})
	}
	reply := map[string]any{
		"candidates":    []any{map[string]any{"content": map[string]any{"role": "model", "parts": said}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": map[string]int{"promptTokenCount": 1 + a.tokens, "candidatesTokenCount": 1, "totalTokenCount": 2 + a.tokens},
	}
	if stream {
		events(w)("", reply)
		return
	}
	writeJSON(w, reply)
}
