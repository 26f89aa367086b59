package cli

import (
	"runtime"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
)

func newVersion(o *settings) *cobra.Command {
	return newCommand("version", checkNoArguments, func(*cobra.Command, []string) error {
		return o.printf("toolkit %s (%s, %s/%s)\n", app.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	})
}
