package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"toolkit/embed"
	"toolkit/internal/measure/bench"
)

func newBench(o *settings) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure retrieval on a public data set, and endurance",
		Example: `  toolkit bench locomo locomo10.json
  toolkit bench soak --for 10m`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLocomo(o), newSoak(o))
	return cmd
}

func newLocomo(o *settings) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "locomo PATH...",
		Short: "Measure on LoCoMo: long conversations with questions",
		Long: `locomo stores each conversation of the given files or folders in a temporary
database, as store_raw_dialogue does, asks its questions by the search of
hybrid_search, and prints how often the turns that answer are found: recall at
1, 5 and 10 and the mean reciprocal rank, by keywords alone, by the semantic
channel alone, and fused. The embedding model in use takes part.

The data set is not part of toolkit; it is at github.com/snap-research/locomo.`,
		Example: `  toolkit bench locomo locomo10.json
  toolkit bench locomo conversations/ --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("locomo takes the files or folders of the data set; see 'toolkit bench locomo --help'")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.benchLocomo(cmd.Context(), args, asJSON) },
	}
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
	bar := o.progress("asking")
	bar.unit = "questions"
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
