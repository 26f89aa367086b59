package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/transfer"
	"toolkit/store"
)

func newMove(o *settings) *cobra.Command {
	return newCommand("move", requireArgumentCount(2, 2, "FROM and TO, each a database file or an address such as postgres://user@host/name"), func(cmd *cobra.Command, args []string) error {
		return o.copyToNewDatabase(cmd.Context(), args[0], args[1])
	})
}

func (o *settings) copyToNewDatabase(ctx context.Context, from, to string) error {
	for _, name := range []*string{&from, &to} {
		if !store.IsPostgres(*name) {
			abs, err := filepath.Abs(*name)
			if err != nil {
				return err
			}
			*name = abs
		}
	}
	if from == to {
		return usagef("FROM and TO are the same database")
	}
	bar := o.progress("moving", "rows")
	r, err := transfer.CopyToNewDatabase(ctx, from, transfer.Target{Database: to, Occupied: "everything is moved into a new database only", Now: time.Now(), Derive: app.DeriveIndexes, Progress: bar.update})
	if err != nil {
		return explainInterruption(err, "nothing was moved")
	}
	bar.clearAndReportIfLong(r.Rows)
	for _, hash := range r.Missing {
		fmt.Fprintf(o.streams.Err, "warning: the bytes of the file %s were lost or damaged before; 'toolkit doctor' tells which record holds it\n", hash)
	}
	return o.printf("%s: %s, each compared with %s, which is as it was\n", store.DisplayName(to), formatContents(r.Rows, r.Tables, r.Files), store.DisplayName(from))
}
