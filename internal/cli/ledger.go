package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/store"
	"toolkit/tools/payloads"
)

func newLedger(o *settings) *cobra.Command {
	cmd := command("ledger", noArguments, nil)
	cmd.AddCommand(newLedgerUnpaid(o), newLedgerPayments(o), newLedgerVendors(o))
	return cmd
}

// owed is an invoice of which something is left to pay.
type owed struct {
	Number   string `json:"number"`
	Vendor   string `json:"vendor"`
	Date     string `json:"date"`
	Due      string `json:"due"`
	Status   string `json:"status"`
	Amount   string `json:"amount"`
	Unpaid   string `json:"unpaid"` // "?" where no document says
	Currency string `json:"currency"`
	Source   string `json:"source"` // file, page and line
	EntityID string `json:"entity_id"`
}

func newLedgerUnpaid(o *settings) *cobra.Command {
	return showing(o, "ledger unpaid", "print the invoices as JSON", unpaid, func(list []owed) string {
		if len(list) == 0 {
			return "No invoice is known of which something is left to pay.\n"
		}
		rows := [][]string{{"due", "invoice", "vendor", "to pay", "of", "", "from"}}
		for _, i := range list {
			rows = append(rows, []string{cmp.Or(i.Due, "-"), i.Number, i.Vendor, i.Unpaid + " " + i.Currency, i.Amount, mark(i.Status), i.Source})
		}
		return inColumns(rows)
	})
}

// showing makes a command that prints what it finds in the database as text, or with --json
// as it is.
func showing[T any](o *settings, name, asItIs string, find func(context.Context, *app.App) (T, error), text func(T) string) *cobra.Command {
	var asJSON bool
	cmd := command(name, noArguments, func(cmd *cobra.Command, _ []string) error {
		return o.withStored(cmd.Context(), func(a *app.App) error {
			found, err := find(cmd.Context(), a)
			switch {
			case err != nil:
				return err
			case asJSON:
				return o.printJSON(found)
			}
			return o.say("%s", text(found))
		})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, asItIs)
	return cmd
}

func mark(status string) string {
	if status == "overdue" || status == "part" {
		return status
	}
	return ""
}

// unpaid are the invoices of which something is left to pay, the one due first before others.
func unpaid(ctx context.Context, a *app.App) ([]owed, error) {
	list := []owed{}
	err := eachEntry(ctx, a, func(e payloads.Entry) {
		if e.Type != "invoice" || e.Status == "paid" || e.Unpaid != nil && e.Unpaid.Sign() <= 0 {
			return
		}
		list = append(list, owed{e.Number, e.Vendor, e.Date, e.Due, e.Status, money(e.Amount), money(e.Unpaid), e.Currency, placeOf(e.Source, e.EntityID), e.EntityID})
	})
	slices.SortStableFunc(list, func(a, b owed) int {
		return cmp.Or(cmp.Compare(cmp.Or(a.Due, "9999"), cmp.Or(b.Due, "9999")), cmp.Compare(a.Number, b.Number))
	})
	return list, err
}

func eachEntry(ctx context.Context, a *app.App, f func(payloads.Entry)) error {
	return a.Store.Read(ctx, func(tx *store.Tx) error {
		return payloads.EachEntry(tx, a.Store.Now(), func(e payloads.Entry) error {
			f(e)
			return nil
		})
	})
}

// spent is what was spent with a vendor in a month, in one currency.
type spent struct {
	Vendor   string   `json:"vendor"`
	Month    string   `json:"month"` // "" where a document states no date
	Currency string   `json:"currency"`
	Sum      string   `json:"sum"`
	Sources  []string `json:"sources"` // of each amount in it
	sum      *big.Rat
}

// spending adds the amounts of invoices and receipts, less those of credit notes.
type spending struct {
	Rows    []*spent          `json:"rows"`
	Totals  map[string]string `json:"totals"`  // by currency
	Missing []string          `json:"missing"` // documents without an amount or a currency, and of a year those without a date
}

func newLedgerVendors(o *settings) *cobra.Command {
	var sources bool
	var year int
	cmd := showing(o, "ledger vendors", "print the sums as JSON, with the sources of each",
		func(ctx context.Context, a *app.App) (*spending, error) { return spendingOf(ctx, a, year) },
		func(s *spending) string { return s.text(sources) })
	cmd.Flags().BoolVar(&sources, "sources", false, "name file, page and line of every amount")
	cmd.Flags().IntVar(&year, "year", 0, "count documents of this year only")
	return cmd
}

func spendingOf(ctx context.Context, a *app.App, year int) (*spending, error) {
	rows, totals := map[[3]string]*spent{}, map[string]*big.Rat{}
	s := &spending{Rows: []*spent{}, Totals: map[string]string{}, Missing: []string{}}
	err := eachEntry(ctx, a, func(e payloads.Entry) {
		if year != 0 && e.Month != "" && !strings.HasPrefix(e.Month, strconv.Itoa(year)+"-") {
			return
		}
		if e.Amount == nil || e.Currency == "" || year != 0 && e.Month == "" {
			s.Missing = append(s.Missing, strings.TrimSpace(e.Type+" "+e.Number)+", "+placeOf(e.Source, e.EntityID))
			return
		}
		key := [3]string{cmp.Or(e.Vendor, "unknown"), e.Month, e.Currency}
		if rows[key] == nil {
			rows[key] = &spent{Vendor: key[0], Month: key[1], Currency: key[2], sum: new(big.Rat), Sources: []string{}}
			s.Rows = append(s.Rows, rows[key])
		}
		if totals[e.Currency] == nil {
			totals[e.Currency] = new(big.Rat)
		}
		rows[key].sum.Add(rows[key].sum, e.Amount)
		totals[e.Currency].Add(totals[e.Currency], e.Amount)
		rows[key].Sources = append(rows[key].Sources, money(e.Amount)+" "+strings.TrimSpace(e.Type+" "+e.Number)+", "+placeOf(e.Source, e.EntityID))
	})
	for _, row := range s.Rows {
		row.Sum = money(row.sum)
	}
	for currency, sum := range totals {
		s.Totals[currency] = money(sum)
	}
	slices.SortStableFunc(s.Rows, func(a, b *spent) int {
		return cmp.Or(cmp.Compare(a.Vendor, b.Vendor), cmp.Compare(a.Month, b.Month), cmp.Compare(a.Currency, b.Currency))
	})
	return s, err
}

func (s *spending) text(sources bool) string {
	if len(s.Rows)+len(s.Missing) == 0 {
		return "No invoice, credit note or receipt is known.\n"
	}
	rows := [][]string{{"vendor", "month", "spent", ""}}
	for _, row := range s.Rows {
		rows = append(rows, []string{row.Vendor, cmp.Or(row.Month, "-"), row.Sum, row.Currency})
		if sources {
			for _, source := range row.Sources {
				amount, from, _ := strings.Cut(source, " ")
				rows = append(rows, []string{"", "", amount, from})
			}
		}
	}
	for _, currency := range slices.Sorted(maps.Keys(s.Totals)) {
		rows = append(rows, []string{"together", "", s.Totals[currency], currency})
	}
	text := inColumns(rows)
	if len(s.Missing) > 0 {
		text += "\nNot counted, for the amount, the currency or, with --year, the date is not known:\n  " + strings.Join(s.Missing, "\n  ") + "\n"
	}
	return text
}

// placeOf names the file, and the page and line or the element, that a number comes from;
// without a number, the entity that lacks it.
func placeOf(s payloads.Source, entityID string) string {
	if s == (payloads.Source{}) {
		return "entity " + entityID
	}
	place := cmp.Or(s.File, filepath.Base(s.FileURL))
	if s.File == "" && s.FileURL == "" {
		place = "record " + s.RecordID
	}
	if s.Page > 0 {
		place += ", page " + strconv.Itoa(s.Page)
	}
	if s.Line > 0 {
		place += ", line " + strconv.Itoa(s.Line)
	}
	if s.Element != "" {
		place += ", " + s.Element[strings.LastIndexByte(s.Element, '/')+1:]
	}
	return place
}

// money writes an amount with at least two decimals, and never rounds one away.
func money(amount *big.Rat) string {
	if amount == nil {
		return "?"
	}
	decimals, _ := amount.FloatPrec()
	return amount.FloatString(max(decimals, 2))
}

// inColumns aligns rows.
func inColumns(rows [][]string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush() //nolint:errcheck // a builder takes everything
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
