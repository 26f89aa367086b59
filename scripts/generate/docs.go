package main

import (
	"os"

	"toolkit/internal/app"
)

const toolsPagePath = "docs/tools.md"

// writeToolsPage writes docs/tools.md from the tool registry.
func writeToolsPage() error {
	registry, err := app.BuildRegistry()
	if err != nil {
		return err
	}
	text, err := toolsPage(registry)
	if err != nil {
		return err
	}
	return os.WriteFile(toolsPagePath, []byte(text), 0o644)
}
