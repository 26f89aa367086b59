package integrations

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

const postHogKey = "phx_a_very_secret_key"

func postHogEnv(url string) map[string]string {
	return map[string]string{"POSTHOG_URL": url, "POSTHOG_API_KEY": postHogKey, "POSTHOG_PROJECT_ID": "42", "POSTHOG_EVENTS": "upload=file uploaded", "TOOLKIT_ANALYTICS": "off"}
}

type hogRequest struct {
	Query struct {
		Kind, Query string
		Values      map[string]any
	}
}

func TestPostHogIsAskedWithValuesBesideTheQuery(t *testing.T) {
	var asked hogRequest
	answer := `[[2,5]]`
	url := standIn(t, func(w http.ResponseWriter, q *http.Request) {
		if q.Method != http.MethodPost || q.URL.Path != "/api/projects/42/query/" || q.Header.Get("Authorization") != "Bearer "+postHogKey || q.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %v", q.Method, q.URL, q.Header)
		}
		asked = hogRequest{}
		if err := json.NewDecoder(q.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, `{"results":%s,"columns":[]}`, answer) //nolint:errcheck // a test server
	})
	m := newMeasured(t, postHogEnv(url))
	hostile := `x' OR 1=1 --`
	in := args{"time_range": between(monday.Add(-30*aDay), monday), "filters": args{"$browser": hostile, "plan": 3}, "cohort": "2026-02"}
	for _, metric := range analyticsCatalog {
		in["metric_type"], in["metric_name"] = metric.kind, metric.name
		if strings.HasPrefix(metric.name, "avg_") {
			delete(in, "cohort")
		} else {
			in["cohort"] = "2026-02"
		}
		want := `0.4`
		switch metric.kind {
		case typeActivation:
			answer = `[[2,5]]`
		case typeFunnel:
			answer = `[[5,4,3,2,2]]`
		default:
			answer, want = `[["2026-02-02",1,4],["2026-02-09T00:00:00Z",1,1]]`, `[{"date":"2026-02-02","value":0.25,"numerator":1,"denominator":4},{"date":"2026-02-09","value":1,"numerator":1,"denominator":1}]`
		}
		out := m.analytics(in)
		if string(out.Value) != want || out.Source != "posthog" || out.Denominator != 5 {
			t.Errorf("%s is %s (%v of %v), want %s", metric.name, out.Value, out.Numerator, out.Denominator, want)
		}
		if strings.Contains(asked.Query.Query, "OR 1=1") || asked.Query.Kind != "HogQLQuery" || asked.Query.Values["filter0"] != hostile {
			t.Errorf("%s asks %+v", metric.name, asked)
		}
		if n := strings.Count(asked.Query.Query, "("); n == 0 || n != strings.Count(asked.Query.Query, ")") {
			t.Errorf("%s asks with parentheses that do not match: %s", metric.name, asked.Query.Query)
		}
		for _, name := range placeholders(asked.Query.Query) {
			if _, given := asked.Query.Values[name]; !given {
				t.Errorf("%s asks for {%s} without a value", metric.name, name)
			}
		}
	}
	in["metric_type"], in["metric_name"] = typeActivation, "activation_first_upload_rate"
	answer = `[[0,0]]`
	if out := m.analytics(in); string(out.Value) != "0" || asked.Query.Values["upload"] != "file uploaded" {
		t.Errorf("of nobody the rate is %s; the upload is called %v", out.Value, asked.Query.Values["upload"])
	}
}

// placeholders are the names in braces.
func placeholders(query string) (names []string) {
	for _, part := range strings.Split(query, "{")[1:] {
		name, _, _ := strings.Cut(part, "}")
		names = append(names, name)
	}
	return names
}

func TestPostHogInTroubleIsReportedWithoutItsKey(t *testing.T) {
	in := args{"metric_type": "activation", "time_range": between(monday.Add(-aDay), monday.Add(time.Hour))}
	for name, test := range map[string]struct {
		status     int
		body, code string
	}{
		"a query that is refused": {400, `{"detail":"` + postHogKey + `"}`, "ANALYTICS_QUERY_FAILED"},
		"an unknown project":      {404, ``, "ANALYTICS_QUERY_FAILED"},
		"a key that is refused":   {401, postHogKey, "ANALYTICS_SERVICE_UNAVAILABLE"},
		"too many requests":       {429, ``, "ANALYTICS_SERVICE_UNAVAILABLE"},
		"a broken server":         {502, ``, "ANALYTICS_SERVICE_UNAVAILABLE"},
		"a redirect":              {307, ``, "ANALYTICS_SERVICE_UNAVAILABLE"},
		"no JSON":                 {200, `<html>`, "ANALYTICS_QUERY_FAILED"},
		"too few columns":         {200, `{"results":[[1]]}`, "ANALYTICS_QUERY_FAILED"},
		"text for a number":       {200, `{"results":[["1","2"]]}`, "ANALYTICS_QUERY_FAILED"},
		"no results":              {200, `{}`, "ANALYTICS_QUERY_FAILED"},
	} {
		t.Run(name, func(t *testing.T) {
			url := standIn(t, func(w http.ResponseWriter, q *http.Request) {
				if strings.HasSuffix(q.URL.Path, "/elsewhere") {
					t.Error("a redirect was followed")
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(test.status)
				fmt.Fprint(w, test.body) //nolint:errcheck // a test server
			})
			m := newMeasured(t, postHogEnv(url))
			r := m.CallAllowingRefusal(analyticsName, in)
			text := m.refuse(analyticsName, in, test.code, "")
			if strings.Contains(text, postHogKey) || strings.Contains(fmt.Sprint(r.Err.Err), postHogKey) {
				t.Errorf("the key is in the answer or in what is logged: %s, %v", text, r.Err.Err)
			}
		})
	}
	m := newMeasured(t, postHogEnv("http://127.0.0.1:1"))
	m.refuse(analyticsName, in, "ANALYTICS_SERVICE_UNAVAILABLE", "")
	m.refuse(analyticsName, args{"metric_type": "usage", "filters": args{"a b": 1}}, "VALIDATION_ERROR", "filters")
	m.refuse(analyticsName, args{"metric_type": "usage", "filters": args{"a": []int{1}}}, "VALIDATION_ERROR", "filters")
}

func FuzzPostHogAnswers(f *testing.F) {
	for _, seed := range []string{`{"results":[["2026-01-01",1,2]]}`, `{"results":[[1,2]]}`, `{"results":null}`, `[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		rows, err := parseQueryRows(raw)
		if err != nil {
			return
		}
		points, err := parseSeries(rows)
		if err == nil && len(points) != len(rows) {
			t.Errorf("%d rows gave %d points", len(rows), len(points))
		}
		if row, err := parseSingleRow(rows, 2); err == nil && len(row) != 2 {
			t.Errorf("one row gave %v", row)
		}
	})
}
