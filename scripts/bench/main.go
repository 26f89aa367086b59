// Command bench measures retrieval on sets of questions, reading on sets of documents, and
// the hook of a binary at a prompt, and prints a table. It also loads a binary, and kills it, and checks what must hold then.
//
//	go run ./scripts/bench retrieval sets/
//	go run ./scripts/bench documents invoices/ [--ignore-attachments]
//	go run ./scripts/bench hook ./toolkit [FOLDER]
//	go run ./scripts/bench load --program bin/toolkit --time 60s
//	go run ./scripts/bench soak --program bin/toolkit --steps 60000
//
// A set of questions is a .json or .jsonl file:
//
//	{"name": "bread",
//	 "sessions": [
//	  {"time": "2026-03-01T10:00:00Z", "turns": [
//	   {"id": "t1", "speaker": "user", "text": "How long should the rye loaf rise?"},
//	   {"id": "t2", "speaker": "assistant", "text": "Twelve hours.", "metadata": {"files": ["loaf.md"]}}]}],
//	 "notes": [{"id": "n1", "text": "The rye loaf rises for twelve hours.", "sources": ["t1", "t2"]}],
//	 "questions": [{"text": "How long does rye bread rise?", "evidence": ["t2"], "category": "times"}]}
//
// Notes become insights, and count for the turns in sources. Evidence names turns or notes; what
// names nothing is counted and dropped. A name that the format lacks is an error.
//
// For documents, what is expected of oak.txt stands beside it in oak.expected.json:
//
//	{"kind": "invoice",
//	 "fields": {"invoice_number": "OS-471", "date": "2026-03-05", "currency": "GBP", "amount": 600},
//	 "absent": ["due_date", "order_number"],
//	 "items": {"line_items": {"rows": [{"description": "Oak table", "quantity": 2, "amount": 480}]}}}
//
// Items holds all rows of a list. A value read for a name under absent is wrong ("*": all that are
// not named).
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"toolkit/embed"
	"toolkit/internal/reader"
	"toolkit/internal/reader/layout"
)

// ignoreAttachments reads the pages of PDFs alone, whatever data is attached to them.
const ignoreAttachments = "--ignore-attachments"

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) > 0 && args[0] == "load" {
		return measureLoad(ctx, out, args[1:])
	}
	if len(args) > 0 && args[0] == "soak" {
		return measureSoak(ctx, out, args[1:])
	}
	if len(args) < 2 {
		return errors.New("usage: bench retrieval|documents|hook PATH [PATH], or bench load|soak [FLAGS]")
	}
	switch args[0] {
	case "retrieval":
		embedder, err := embed.FromEnvironment(os.Getenv)
		if err != nil {
			return err
		}
		corpus, err := loadCorpus(args[1:]...)
		if err != nil {
			return err
		}
		summaries, err := measureRetrieval(ctx, corpus, embedder)
		if err != nil {
			return err
		}
		return printSummaries(out, corpus, summaries)
	case "documents":
		limits := reader.Limits{OCR: layout.OCRFromEnvironment(os.Getenv), IgnoreAttachments: slices.Contains(args[2:], ignoreAttachments)}
		readings, err := measureDocuments(ctx, args[1], limits)
		if err != nil {
			return err
		}
		return printReadings(out, readings)
	case "hook":
		return measureHook(ctx, out, args[1:])
	}
	return fmt.Errorf("%q cannot be measured: retrieval, documents, hook, load and soak can", args[0])
}

// percentiles returns the 50th and the 95th percentile of some durations, which it sorts.
func percentiles(took []time.Duration) (p50, p95 time.Duration) {
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*95/100]
}
