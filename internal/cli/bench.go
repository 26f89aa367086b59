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
	var asJSON, prompts bool
	cmd := command("bench locomo", func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("locomo takes the files or folders of the data set; see 'toolkit bench locomo --help'")
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error {
		return o.benchLocomo(cmd.Context(), args, prompts, asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.Flags().BoolVar(&prompts, "prompts", false, "ask the questions as prompts: what the hook tells beside each")
	return cmd
}

func (o *settings) benchLocomo(ctx context.Context, paths []string, prompts, asJSON bool) error {
	embedder, err := embed.FromEnvironment(o.streams.Getenv)
	if err != nil {
		return err
	}
	corpus, err := bench.Load(paths...)
	if err != nil {
		return err
	}
	if prompts {
		list, err := bench.RunPrompts(ctx, corpus, embedder)
		if err != nil {
			return err
		}
		if asJSON {
			return o.printIndented(list)
		}
		return bench.WriteInjected(o.streams.Out, list)
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
	return o.printIndented(report)
}

func (o *settings) printIndented(v any) error {
	encoder := json.NewEncoder(o.streams.Out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
