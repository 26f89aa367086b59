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
	return newCommand("man", requireArgumentCount(0, 1, "at most one folder"), func(cmd *cobra.Command, args []string) error {
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
	})
}
