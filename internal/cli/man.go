package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"toolkit/internal/app"
)

// newMan writes the manual that the help texts already are.
func newMan(o *settings) *cobra.Command {
	return &cobra.Command{
		Use:   "man [FOLDER]",
		Short: "Print the manual page, or write one per command into a folder",
		Example: `  toolkit man | man -l -
  toolkit man ~/.local/share/man/man1`,
		Args: argumentCount(0, 1, "at most one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Source: "toolkit " + app.Version, Manual: "toolkit"}
			if len(args) == 0 {
				return doc.GenMan(root, header, o.streams.Out)
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("writing the manual pages: %w", err)
			}
			return nil
		},
	}
}
