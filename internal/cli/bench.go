package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"toolkit/embed"
	"toolkit/internal/measure/bench"
)

func newBench(o *settings) *cobra.Command {
	return group("bench", newLocomo(o), newSoak(o))
}

func newLocomo(o *settings) *cobra.Command {
	var asJSON bool
	cmd := command("bench locomo", func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("locomo takes the files or folders of the data set; see 'toolkit bench locomo --help'")
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error { return o.benchLocomo(cmd.Context(), args, asJSON) })
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

func (o *settings) benchLocomo(ctx context.Context, paths []string, asJSON bool) error {
	embedder, err := embed.FromEnvironment(o.streams.Getenv)
	if err != nil {
		return err
	}
	corpus, err := bench.Load(paths...)
	if err != nil {
		return err
	}
	bar := o.progress("asking", "questions")
	asked := 0
	outcomes, err := bench.Run(ctx, corpus, embedder, func(done, all int) {
		asked = done
		bar.update(done, all)
	})
	bar.end(asked)
	if err != nil {
		return err
	}
	report := bench.NewReport(corpus, embedder.Model(), outcomes)
	if !asJSON {
		return report.Write(o.streams.Out)
	}
	encoder := json.NewEncoder(o.streams.Out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}
