// Command bench measures retrieval on sets of questions and reading on sets of documents.
//
//	go run ./scripts/bench retrieval sets/
//	go run ./scripts/bench retrieval --notes observations/ conversations/
//	go run ./scripts/bench documents invoices/
//
// It prints a table; with --json all that was measured, which --against takes the
// differences to.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

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

// options are the flags of both measurements.
type options struct {
	asJSON         bool
	against, notes string
	channels       string
	ignoreAttached bool
	paths          []string
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("say what to measure: retrieval or documents")
	}
	var o options
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.BoolVar(&o.asJSON, "json", false, "print the result as JSON, with every question or value")
	flags.StringVar(&o.against, "against", "", "file that --json printed earlier, to take the differences to")
	flags.StringVar(&o.notes, "notes", "", "retrieval: folder with the observations of LoCoMo conversations, in files of the same names")
	flags.StringVar(&o.channels, "channel", "", "retrieval: only these of "+strings.Join(retrieval.ChannelNames(), ",")+" (default all)")
	flags.BoolVar(&o.ignoreAttached, "ignore-attachments", false, "documents: read the pages of PDFs, not the invoice attached as data")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if o.paths = flags.Args(); len(o.paths) == 0 {
		return fmt.Errorf("%s takes files or folders", args[0])
	}
	switch args[0] {
	case "retrieval":
		return o.measureRetrieval(ctx, out)
	case "documents":
		return o.measureDocuments(ctx, out)
	}
	return fmt.Errorf("%q cannot be measured: retrieval or documents can", args[0])
}

func (o *options) measureRetrieval(ctx context.Context, out io.Writer) error {
	var channels []string
	if o.channels != "" {
		channels = strings.Split(o.channels, ",")
	}
	if err := retrieval.CheckChannels(channels); err != nil {
		return err
	}
	embedder, err := embed.FromEnvironment(os.Getenv)
	if err != nil {
		return err
	}
	corpus, err := retrieval.Load(o.notes, o.paths...)
	if err != nil {
		return err
	}
	if len(corpus.Ignored) > 0 {
		fmt.Fprintf(os.Stderr, "the format has nothing called %s: ignored\n", strings.Join(corpus.Ignored, ", "))
	}
	outcomes, err := retrieval.Run(ctx, corpus, embedder, channels, func(done, all int) {})
	if err != nil {
		return err
	}
	report := retrieval.NewReport(corpus, embedder.Model(), outcomes)
	return o.print(out, report, report.Write, report.Against)
}

func (o *options) measureDocuments(ctx context.Context, out io.Writer) error {
	set, err := documents.Load(o.paths[0])
	if err != nil {
		return fmt.Errorf("%s: %w", o.paths[0], err)
	}
	limits := document.Limits{OCR: ocr.FromEnvironment(os.Getenv), IgnoreAttachments: o.ignoreAttached}
	outcomes, err := documents.Run(ctx, set, limits, func(int) {})
	if err != nil {
		return err
	}
	report := documents.NewReport(set, limits, outcomes)
	return o.print(out, report, report.Write, report.Against)
}

// print writes a report as JSON or as a table, beside the differences to an earlier one.
func (o *options) print(out io.Writer, report any, write func(io.Writer) error, against func(io.Reader) error) error {
	if o.against != "" {
		earlier, err := os.Open(o.against)
		if err != nil {
			return err
		}
		defer earlier.Close() //nolint:errcheck // it was only read
		if err := against(earlier); err != nil {
			return fmt.Errorf("%s: %w", o.against, err)
		}
	}
	if !o.asJSON {
		return write(out)
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}
