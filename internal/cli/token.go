package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/server/access"
	"toolkit/store/sessions"
	"toolkit/tools"
)

func newToken(o *settings) *cobra.Command {
	return newCommandGroup("token", newTokenAdd(o), newTokenList(o), newTokenRemove(o))
}

func newTokenAdd(o *settings) *cobra.Command {
	var space, expires string
	var rights []string
	cmd := newCommand("token add", requireArgumentCount(1, 1, "the name of a token"), func(cmd *cobra.Command, args []string) error {
		t := sessions.AccessToken{Name: args[0], Space: space}
		lasts, err := parseLifetime(expires)
		if err != nil {
			return err
		}
		given, err := tools.ParseRights(rights)
		if err != nil {
			return usagef("--rights: %w", err)
		}
		t.Rights = strings.Join(given.Names(), ",")
		if err := access.ValidateNewToken(t); err != nil {
			return &usageError{err}
		}
		return o.withDatabase(cmd.Context(), func(a *app.App) error {
			if lasts > 0 {
				t.Expires = a.Store.Now().Add(lasts)
			}
			return o.addToken(cmd.Context(), a, t)
		})
	})
	cmd.Flags().StringVar(&space, "space", "", "whose data it opens, such as anna; without it that of the database itself")
	cmd.Flags().StringSliceVar(&rights, "rights", tools.AllRights.Names(), "what it permits")
	cmd.Flags().StringVar(&expires, "expires", "", "how long it is good for, such as 90d or 12h; without it for ever")
	return cmd
}

func (o *settings) addToken(ctx context.Context, a *app.App, t sessions.AccessToken) error {
	text, err := access.AddToken(ctx, a.Store, t)
	if err != nil {
		return err
	}
	if text == "" {
		return fmt.Errorf("there is a token %s already; choose another name, or remove it with 'toolkit token remove %s'", t.Name, t.Name)
	}
	fmt.Fprintf(o.streams.Err, "This is the only time that the token is shown: only a hash of it is kept. Clients send it as Authorization: Bearer TOKEN.\n")
	return o.printf("%s\n", text)
}

// parseLifetime reads a duration, also one in days; 0 is for ever.
func parseLifetime(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if days, isDays := strings.CutSuffix(text, "d"); isDays {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 16)
		d = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || d <= 0 {
		return 0, usagef("--expires %q is no duration, such as 90d or 12h", text)
	}
	return d, nil
}

func newTokenList(o *settings) *cobra.Command {
	return newCommand("token list", checkNoArguments, func(cmd *cobra.Command, _ []string) error {
		return o.withExistingDatabase(cmd.Context(), func(a *app.App) error {
			list, err := access.ListTokens(cmd.Context(), a.Store)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(o.streams.Out, 0, 4, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tSPACE\tRIGHTS\tADDED\tEXPIRES")
			for _, t := range list {
				expires := "never"
				if !t.Expires.IsZero() {
					expires = t.Expires.Format("2006-01-02 15:04")
				}
				space := t.Space
				if space == "" {
					space = "-"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", t.Name, space, t.Rights, t.Created.Format(time.DateOnly), expires)
			}
			return w.Flush()
		})
	})
}

func newTokenRemove(o *settings) *cobra.Command {
	return newCommand("token remove", requireArgumentCount(1, 1, "the name of a token"), func(cmd *cobra.Command, args []string) error {
		return o.withExistingDatabase(cmd.Context(), func(a *app.App) error {
			removed, err := access.RemoveToken(cmd.Context(), a.Store, args[0])
			if err == nil && !removed {
				err = errors.New("there is no token " + strconv.Quote(args[0]) + "; 'toolkit token list' names those there are")
			}
			if err != nil {
				return err
			}
			return o.printf("%s opens nothing any more.\n", args[0])
		})
	})
}
