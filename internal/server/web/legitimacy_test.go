package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

func TestLegitimacyAnswersAsItsToolDoes(t *testing.T) {
	w := newWorld(t, Options{})
	a := w.do(http.MethodPost, PathLegitimacy, `{"pocket_id":"cluny"}`)
	m := a.json(t)
	byTool := path(w.post(call(1, "score_legitimacy", map[string]any{"pocket_id": "cluny"})).json(t), "result").(map[string]any)
	if a.status != http.StatusOK || m["pocket_id"] != "cluny" || path(m, "_meta", "source") != "local-demo" || path(m, "_meta", "metadata", "traceId") == nil {
		t.Errorf("%d %s", a.status, a.body)
	}
	for key := range byTool["structuredContent"].(map[string]any) {
		if m[key] == nil {
			t.Errorf("%s is missing", key)
		}
	}
	if len(m) != len(byTool["structuredContent"].(map[string]any))+1 {
		t.Errorf("there is more: %v", m)
	}
}

func TestLegitimacyRefusesUnderTheStatusOfTheKind(t *testing.T) {
	w := newWorld(t, Options{})
	w.server.maxBody = 1000
	for _, test := range []struct {
		name, body, contentType string
		status                  int
		says                    string
	}{
		{"an argument is missing", `{}`, "application/json", 400, "pocket_id is required"},
		{"an argument of another type", `{"pocket_id":7}`, "application/json", 400, "pocket_id"},
		{"an argument too long", `{"pocket_id":"` + strings.Repeat("x", 21) + `"}`, "application/json", 400, "pocket_id"},
		{"a rule of the domain", `{"pocket_id":"nowhere"}`, "application/json", 422, "there is no such pocket"},
		{"a defect", `{"pocket_id":"broken"}`, "application/json", 500, "failed unexpectedly"},
		{"no body", ``, "application/json", 400, "JSON object"},
		{"a list", `[]`, "application/json", 400, "JSON object"},
		{"no JSON", `{`, "application/json", 400, "JSON object"},
		{"a form", `a=b`, "application/x-www-form-urlencoded", 415, "application/json"},
		{"too long a body", `{"x":"` + strings.Repeat("x", 1000) + `"}`, "application/json", 413, "longer"},
	} {
		a := w.do(http.MethodPost, PathLegitimacy, test.body, "Content-Type", test.contentType)
		wantStatus(t, test.name, a, test.status)
		if message := text(path(a.json(t), "error", "message")); !strings.Contains(message, test.says) || strings.Contains(message, "secret") {
			t.Errorf("%s: %s", test.name, a.body)
		}
	}
}

func TestLegitimacyTakesNoMoreValuesThanAMessage(t *testing.T) {
	w := newWorld(t, Options{})
	for n, status := range map[int]int{rpc.MaxValues / 2: http.StatusOK, rpc.MaxValues: http.StatusBadRequest} {
		wantStatus(t, text(n), w.do(http.MethodPost, PathLegitimacy, `{"pocket_id":"cluny","more":[0`+strings.Repeat(",0", n)+`]}`), status)
	}
}

func TestLegitimacyIsMissingWhereItsToolIsNotServed(t *testing.T) {
	for name, test := range map[string]struct {
		access tools.Access
		status int
		code   string
	}{
		"not served":  {tools.Access{Exclude: []string{"score_legitimacy"}}, http.StatusNotFound, "TOOL_NOT_SERVED"},
		"not in turn": {tools.Access{Tools: []string{"echo"}}, http.StatusNotFound, "TOOL_NOT_SERVED"},
	} {
		w := newServer(t, Options{}, test.access)
		recorder := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "http://localhost"+PathLegitimacy, strings.NewReader(`{}`))
		r.Header.Set("Content-Type", "application/json")
		w.server.ServeHTTP(recorder, r)
		a := answer{recorder.Code, recorder.Header(), recorder.Body.String()}
		wantStatus(t, name, a, test.status)
		if path(a.json(t), "error", "code") != test.code {
			t.Errorf("%s: %s", name, a.body)
		}
	}
}
