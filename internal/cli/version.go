package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
)

func newVersion(o *settings) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  toolkit version",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(o.streams.Out, "toolkit %s (%s, %s/%s)\n", app.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
