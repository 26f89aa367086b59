package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/tools"
)

// familyCost sums the costs of a family's tools.
type familyCost struct {
	name           string
	tools          int
	input, listing int
	results, hints []int
}

func (c *familyCost) add(t tools.Cost) {
	c.tools++
	c.input += t.Input
	c.listing += t.Listing
	c.results = append(c.results, t.Results...)
	c.hints = append(c.hints, t.Hints...)
}

// weighTools prints what each family costs a model that is offered it.
func (o *settings) weighTools(cmd *cobra.Command, f toolsFlags) error {
	costs, err := app.Costs(cmd.Context(), nil)
	if err != nil {
		return err
	}
	if f.asJSON {
		return o.printJSON(costs)
	}
	all, families := familyCost{name: "all"}, []*familyCost{}
	for _, c := range costs {
		if len(families) == 0 || families[len(families)-1].name != c.Family {
			families = append(families, &familyCost{name: c.Family})
		}
		families[len(families)-1].add(c)
		all.add(c)
	}
	w := tabwriter.NewWriter(o.streams.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "family\ttools\tinput bytes\t~tokens\ttools/list bytes\tresult median\thints median\t")
	for _, c := range append(families, &all) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", c.name, c.tools, c.input, tools.Tokens(c.input), c.listing, tools.Median(c.results), tools.Median(c.hints))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(o.streams.Out, `
Input is what a model reads of a tool: name, description, input schema. A token is
taken as four bytes. Results and hints are those of the tools' examples,
but for those that need a bank.
Serve fewer tools with --families, --tools or --exclude-tools.`)
	return err
}
