package bank

import (
	"context"
	"encoding/xml"
	"strings"
	"testing"
)

// An entry with more payments than are held is left out as a whole, never read in part.
func TestAnEntryOfTooManyPaymentsIsLeftOut(t *testing.T) {
	entry := `<Ntry><Amt Ccy="EUR">1</Amt>`
	text := camtHead + `08"><BkToCstmrStmt><Stmt>` + entry + `</Ntry>` +
		entry + "<NtryDtls>" + strings.Repeat("<TxDtls><Amt>0</Amt></TxDtls>", mostHeld/2) + "</NtryDtls></Ntry>" +
		entry + `</Ntry></Stmt></BkToCstmrStmt></Document>`
	file, err := ReadCamt(context.Background(), xml.NewDecoder(strings.NewReader(text)), 10)
	if err != nil || !file.Truncated || len(file.Statements) != 1 || len(file.Statements[0].Movements) != 2 {
		t.Fatalf("%d statements, cut %t, %v", len(file.Statements), file.Truncated, err)
	}
	if element := file.Statements[0].Movements[1].Place.Element; element != "Stmt[1]/Ntry[3]" {
		t.Errorf("the last entry is %s", element)
	}
}
