package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"toolkit/tools/recall"
)

func newRecall(o *settings) *cobra.Command {
	var in recall.Input
	var asJSON bool
	cmd := command("recall", argumentCount(1, 1000, "a QUESTION"), func(cmd *cobra.Command, args []string) error {
		in.Query = strings.Join(args, " ")
		return o.recall(cmd.Context(), in, asJSON)
	})
	flags := cmd.Flags()
	flags.IntVar(&in.MaxTokens, "max-tokens", 0, "how long the answer may be, 50 to 20000; 800 if absent")
	flags.IntVar(&in.Limit, "limit", 0, "at most so many, 1 to 100; 20 if absent")
	flags.StringSliceVar(&in.Kinds, "kinds", nil, "only these kinds, such as insight,dialogue,entity,chart,document")
	flags.StringVar(&in.Session, "session", "", "only what was said in this session")
	flags.BoolVar(&asJSON, "json", false, "print the answer as the tool gives it")
	return cmd
}

func (o *settings) recall(ctx context.Context, in recall.Input, asJSON bool) error {
	var out recall.Output
	text, err := o.ask(ctx, recall.Name, in, &out)
	switch {
	case err != nil:
		return err
	case asJSON:
		return o.printText([]byte(text))
	}
	return o.say("%s", out.Text())
}
