package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"toolkit/embed"
	"toolkit/internal/measure/bench"
)

func newBench(o *settings) *cobra.Command {
	return group("bench", newRetrieval(o), newLocomo(o), newDocuments(o), newSoak(o))
}

func newRetrieval(o *settings) *cobra.Command {
	var r benchRun
	cmd := command("bench retrieval", r.takesPaths("retrieval"), func(cmd *cobra.Command, args []string) error {
		return o.benchRetrieval(cmd.Context(), args, r)
	})
	r.flags(cmd)
	return cmd
}

// newLocomo is the same for its data set, and asks its questions as prompts too.
func newLocomo(o *settings) *cobra.Command {
	var r benchRun
	var prompts bool
	cmd := command("bench locomo", r.takesPaths("locomo"), func(cmd *cobra.Command, args []string) error {
		if prompts {
			return o.benchPrompts(cmd.Context(), args, r.asJSON)
		}
		return o.benchRetrieval(cmd.Context(), args, r)
	})
	r.flags(cmd)
	cmd.Flags().BoolVar(&prompts, "prompts", false, "ask the questions as prompts: what the hook tells beside each")
	return cmd
}

// benchRun is what the flags of a measurement say.
type benchRun struct {
	asJSON         bool
	notes, against string
	channels       []string
}

func (r *benchRun) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print the result as JSON, with every question")
	cmd.Flags().StringVar(&r.notes, "notes", "", "folder with the observations of LoCoMo conversations, in files of the same names")
	cmd.Flags().StringVar(&r.against, "against", "", "file that --json printed earlier, to take the differences to")
	cmd.Flags().StringSliceVar(&r.channels, "channel", nil, "only these of "+strings.Join(bench.ChannelNames(), ", ")+" (default all)")
}

func (*benchRun) takesPaths(name string) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%s takes the files or folders of the data set; see 'toolkit bench %s --help'", name, name)
		}
		return nil
	}
}

func (o *settings) benchPrompts(ctx context.Context, paths []string, asJSON bool) error {
	embedder, err := embed.FromEnvironment(o.streams.Getenv)
	if err != nil {
		return err
	}
	corpus, err := bench.Load("", paths...)
	if err != nil {
		return err
	}
	list, err := bench.RunPrompts(ctx, corpus, embedder)
	if err != nil {
		return err
	}
	if asJSON {
		return o.printIndented(list)
	}
	return bench.WriteInjected(o.streams.Out, list)
}

func (o *settings) benchRetrieval(ctx context.Context, paths []string, r benchRun) error {
	if err := bench.CheckChannels(r.channels); err != nil {
		return usagef("%v", err)
	}
	embedder, err := embed.FromEnvironment(o.streams.Getenv)
	if err != nil {
		return err
	}
	corpus, err := bench.Load(r.notes, paths...)
	if err != nil {
		return err
	}
	if len(corpus.Ignored) > 0 {
		fmt.Fprintf(o.streams.Err, "the format has nothing called %s: ignored\n", strings.Join(corpus.Ignored, ", "))
	}
	bar := o.progress("asking", "questions")
	asked := 0
	outcomes, err := bench.Run(ctx, corpus, embedder, r.channels, func(done, all int) {
		asked = done
		bar.update(done, all)
	})
	bar.end(asked)
	if err != nil {
		return err
	}
	report := bench.NewReport(corpus, embedder.Model(), outcomes)
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

// compareWith hands a file that --json printed to a report.
func compareWith(path string, against func(io.Reader) error) error {
	earlier, err := os.Open(path)
	if err != nil {
		return err
	}
	defer earlier.Close() //nolint:errcheck // it was only read
	if err := against(earlier); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (o *settings) printIndented(v any) error {
	encoder := json.NewEncoder(o.streams.Out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
