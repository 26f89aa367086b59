// Command generate makes files of the repository anew. Run it in the repository's root:
//
//	go run ./scripts/generate docs     docs/tools.md from the tool registry
//	go run ./scripts/generate pdfium   the module of internal/reader/pdf
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "docs":
		return writeToolsPage()
	case len(args) == 1 && args[0] == "pdfium":
		return writePrunedPDFium()
	}
	return errors.New("usage: generate docs|pdfium")
}
