package entities

import (
	"testing"
	"time"

	"toolkit/tools"
)

func TestQuestionForInvoicesThatAreNotPaidAsksForUnpaidOnes(t *testing.T) {
	for question, want := range map[string]bool{
		"which invoices aren't paid yet": true, "which invoices have not yet all been paid?": true, "which bills have I never paid": true,
		"welche Rechnungen sind noch nicht bezahlt?": true, "quelles factures ne sont pas payées": true, "quelles factures sont pas encore payées": true,
		"¿Qué facturas no están pagadas?": true, "quali fatture non sono pagate?": true, "welke facturen zijn niet betaald": true,
		"quais faturas não estão pagas?": true, "które faktury nie są zapłacone?": true, "które faktury są niezapłacone?": true,
		"какие счета не оплачены?": true, "hangi faturalar ödenmedi?": true, "ما هي الفواتير غير المدفوعة؟": true,
		"哪些发票还没有支付？": true, "哪些发票还没付？": true, "哪些發票還沒付？": true, "どの請求書が未払いですか": true,
		"支払われていない請求書": true, "지불되지 않은 청구서는?": true, "ใบแจ้งหนี้ไหนยังไม่ได้จ่าย": true,
		"which invoices are paid?": false, "who has not paid attention": false, "quali fatture sono pagate?": false, "支払われた請求書": false,
		"do not delete the invoices that we sent to Ann before she paid": false,
	} {
		if got := asksForUnpaid(tools.NewQuestion(question, "", nil, time.Time{})); got != want {
			t.Errorf("%q asks for unpaid invoices: %v", question, got)
		}
	}
}
