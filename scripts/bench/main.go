// Command bench measures retrieval on sets of questions and reading on sets of documents,
// and prints a table.
//
//	go run ./scripts/bench retrieval sets/
//	go run ./scripts/bench documents invoices/
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"toolkit/embed"
	"toolkit/scripts/bench/documents"
	"toolkit/scripts/bench/retrieval"
	"toolkit/tools/engines/document"
	"toolkit/tools/engines/document/ocr"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) < 2 {
		return errors.New("usage: bench retrieval|documents PATH [PATH]")
	}
	switch args[0] {
	case "retrieval":
		return measureRetrieval(ctx, out, args[1:])
	case "documents":
		return measureDocuments(ctx, out, args[1])
	}
	return fmt.Errorf("%q cannot be measured: retrieval or documents can", args[0])
}

func measureRetrieval(ctx context.Context, out io.Writer, paths []string) error {
	embedder, err := embed.FromEnvironment(os.Getenv)
	if err != nil {
		return err
	}
	corpus, err := retrieval.Load(paths...)
	if err != nil {
		return err
	}
	summaries, err := retrieval.Run(ctx, corpus, embedder)
	if err != nil {
		return err
	}
	return retrieval.Write(out, corpus, summaries)
}

func measureDocuments(ctx context.Context, out io.Writer, folder string) error {
	set, err := documents.Load(folder)
	if err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	limits := document.Limits{OCR: ocr.FromEnvironment(os.Getenv)}
	outcomes, err := documents.Run(ctx, set, limits, func(int) {})
	if err != nil {
		return err
	}
	return documents.NewReport(set, limits, outcomes).Write(out)
}
