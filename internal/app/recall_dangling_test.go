package app

import (
	"strings"
	"testing"
)

func TestRecallTellsARelationWithoutAnEnd(t *testing.T) {
	a := openApp(t, 0)
	imported(t, a, `{"type":"entity","name":"Ada Quill","entityType":"person","observations":["likes tea"]}
{"type":"relation","from":"Ada Quill","to":"Ghost Corp","relationType":"works_at"}`)
	if out, text := recallOf(t, a, map[string]any{"query": "Does Ada Quill work at Ghost Corp?"}); len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, "Ghost Corp") {
		t.Errorf("recalled is %s", text)
	}
}
