package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"toolkit/internal/measure/bench/documents"
	"toolkit/tools/engines/document"
	"toolkit/tools/engines/document/ocr"
)

type documentsRun struct {
	asJSON, ignoreAttachments bool
	against                   string
}

func newDocuments(o *settings) *cobra.Command {
	var r documentsRun
	cmd := command("bench documents", takesFolder, func(cmd *cobra.Command, args []string) error {
		return o.benchDocuments(cmd.Context(), args[0], r)
	})
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print the result as JSON, with every value")
	cmd.Flags().BoolVar(&r.ignoreAttachments, "ignore-attachments", false, "read the pages of PDFs, not the invoice attached as data")
	cmd.Flags().StringVar(&r.against, "against", "", "file that --json printed earlier, to list what differs")
	return cmd
}

func takesFolder(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("documents takes one folder; see 'toolkit bench documents --help'")
	}
	return nil
}

func (o *settings) benchDocuments(ctx context.Context, folder string, r documentsRun) error {
	switch info, err := os.Stat(folder); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s", folder)
	case err != nil:
		return err
	case !info.IsDir():
		return usagef("%s is a file; documents takes the folder that holds it and its expected fields", folder)
	}
	set, err := documents.Load(folder)
	if err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	limits := document.Limits{EngineCache: o.engineCache(), OCR: ocr.FromEnvironment(o.streams.Getenv), IgnoreAttachments: r.ignoreAttachments}
	bar := o.progress("reading", "documents")
	outcomes, err := documents.Run(ctx, set, limits, func(done int) { bar.update(done, len(set.Documents)) })
	bar.end(len(outcomes))
	if err != nil {
		return err
	}
	report := documents.NewReport(set, limits, outcomes)
	if r.against != "" {
		if err := compareWith(r.against, report.Against); err != nil {
			return err
		}
	}
	if !r.asJSON {
		return report.Write(o.streams.Out)
	}
	return o.printIndented(report)
}
