package bank

import (
	"context"
	"encoding/csv"
	"encoding/xml"
	"math"
	"strings"
	"testing"
)

// sound holds for whatever was read: numbers are finite, movements have fields, no more came
// than was asked for.
func sound(t *testing.T, file File, most int) {
	t.Helper()
	count := 0
	for _, statement := range file.Statements {
		count += len(statement.Movements)
		for _, movement := range append([]Movement{{Fields: statement.Fields}}, statement.Movements...) {
			for name, item := range movement.Fields {
				if number, ok := item.(float64); ok && (math.IsNaN(number) || math.IsInf(number, 0)) {
					t.Errorf("%s is %v", name, number)
				}
				if text, ok := item.(string); ok && text == "" {
					t.Errorf("%s is empty", name)
				}
			}
		}
	}
	if count > most {
		t.Errorf("%d movements, %d were asked for", count, most)
	}
	file.Summary()
}

func FuzzCamt(f *testing.F) {
	f.Add(camtSimple)
	f.Add(camtNew)
	f.Add(camtHead + `12"><Stmt><Ntry><Amt>x</Amt></Ntry><Ntry/></Stmt></Document>`)
	f.Fuzz(func(t *testing.T, text string) {
		decoder := xml.NewDecoder(strings.NewReader(text))
		decoder.Strict = false
		file, _ := ReadCamt(context.Background(), decoder, 5)
		sound(t, file, 5)
	})
}

func FuzzSwift(f *testing.F) {
	f.Add(swiftGerman)
	f.Add(strings.ReplaceAll(swiftDutch, "\r", ""))
	f.Add(":20:A\n:25:\n:61:991231D,\n:61:2602290101C9,NTRF\n:86:/CNTP/1/B/N/C/\n:34F:EUR\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, _ := ReadMT940(context.Background(), text, 5)
		sound(t, file, 5)
	})
}

func FuzzOFX(f *testing.F) {
	f.Add(ofxOld)
	f.Add(ofxNew)
	f.Add("<OFX><STMTRS><STMTTRN><TRNAMT>1e400<DTPOSTED>2026<STMTTRN><MEMO></STMTRS>")
	f.Fuzz(func(t *testing.T, text string) {
		file, _ := ReadOFX(context.Background(), text, 5)
		sound(t, file, 5)
	})
}

// FuzzTable reads any CSV as a list of movements.
func FuzzTable(f *testing.F) {
	f.Add("Account: 1\nDate,Description,Amount,Balance\n2026-03-01,Tea,-1.00,9.00\n2026-03-02,Tea,-1.00,8.00\n")
	f.Add("Datum,Af Bij,Bedrag,Naam\n20260301,Af,\"1,00\",A\n20260302,Bij,\"1,00\",B\n")
	f.Add("A,B,C,D,E\n1/3/2026,x y,,1.00,9.00\n2/3/2026,x y,2.00,,11.00\n4/3/2026,x y,,3.00,8.00\n")
	f.Fuzz(func(t *testing.T, text string) {
		source := csv.NewReader(strings.NewReader(text))
		source.FieldsPerRecord, source.LazyQuotes = -1, true
		rows, err := source.ReadAll()
		if err != nil || len(rows) < 2 {
			return
		}
		head := max(HeaderRow(rows), 0)
		names := make([]string, 0, len(rows[head]))
		for range rows[head] {
			names = append(names, strings.Repeat("n", len(names)+1))
		}
		statement, why, ok := ReadMovements(Table{Names: names, Header: rows[head], Rows: rows[head+1:], Above: rows[:head], Whole: true})
		if ok && why != "" {
			t.Errorf("a list, but %s", why)
		}
		sound(t, File{Statements: []Statement{statement}}, len(rows))
	})
}
