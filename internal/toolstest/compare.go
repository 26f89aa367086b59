package toolstest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// RequireSame requires that two values print alike.
func RequireSame(t testing.TB, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s is\n%s\nwant\n%s", what, g, w)
	}
}

// RequireContains requires that a text has a part.
func RequireContains(t testing.TB, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s is %q; it should contain %q", what, text, part)
	}
}

// Decode reads JSON.
func Decode(t testing.TB, raw []byte, value any) {
	t.Helper()
	if err := json.Unmarshal(raw, value); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
}

// EncodeJSON returns a value as text.
func EncodeJSON(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(raw)
}
