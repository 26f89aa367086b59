package reader

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestColumnsOfGoodsStandInAnyOrder reads the same goods under heads in other orders, typed without
// care for what stands below what.
func TestColumnsOfGoodsStandInAnyOrder(t *testing.T) {
	columns := map[rune][]string{
		'D': {"Désignation", "Peinture murale deux couches", "Pose de parquet chêne"},
		'Q': {"Qté", "2", "3"},
		'P': {"P.U. HT", "50,00", "20,00"},
		'M': {"Montant HT", "100,00", "60,00"},
	}
	want := []map[string]any{
		{"description": "Peinture murale deux couches", "quantity": 2.0, "unit_price": 50.0, "amount": 100.0},
		{"description": "Pose de parquet chêne", "quantity": 3.0, "unit_price": 20.0, "amount": 60.0},
	}
	for _, order := range []string{"DQPM", "QDPM", "PQDM", "MPQD", "MQPD", "DMPQ", "PDQM"} {
		for _, divider := range []string{"  ", "\t", " | "} {
			text := "FACTURE\nFacture n° F-17\nDate : 04/03/2025\n\n"
			for row := range 3 {
				var cells []string
				for _, column := range order {
					cells = append(cells, columns[column][row])
				}
				text += strings.Join(cells, divider) + "\n"
			}
			values, _ := ExtractFields(extract(t, []byte(text+"\nTotal HT  160,00 €\nTVA 20 %  32,00 €\nTotal TTC  192,00 €\n"), Text), KindInvoice)
			if diff := cmp.Diff(want, values["line_items"]); diff != "" {
				t.Errorf("%s divided by %q (-want +got):\n%s", order, divider, diff)
			}
		}
	}
}
