// Command docs writes docs/tools.md from the tool registry. Run it from the
// repository's root: go run ./scripts/docs
package main

import (
	"fmt"
	"os"

	"toolkit/internal/app"
)

const path = "docs/tools.md"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

func run() error {
	registry, err := app.Registry()
	if err != nil {
		return err
	}
	text, err := toolsPage(registry)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
