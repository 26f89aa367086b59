package main

import (
	"os"
	"path/filepath"
	"testing"

	"toolkit/internal/app"
)

func TestTheToolsPageIsUpToDate(t *testing.T) {
	registry, err := app.Registry()
	if err != nil {
		t.Fatal(err)
	}
	want, err := toolsPage(registry)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale; run 'make docs'", path)
	}
}
