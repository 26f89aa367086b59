package main

import (
	"path/filepath"
	"testing"

	"toolkit/internal/app"
	"toolkit/internal/testenv"
)

func TestTheToolsPageIsUpToDate(t *testing.T) {
	registry, err := app.BuildRegistry()
	if err != nil {
		t.Fatal(err)
	}
	want, err := toolsPage(registry)
	if err != nil {
		t.Fatal(err)
	}
	got := testenv.Read(t, filepath.Join("..", "..", filepath.FromSlash(toolsPagePath)))
	if string(got) != want {
		t.Errorf("%s is stale; run 'make docs'", toolsPagePath)
	}
}
