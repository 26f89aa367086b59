// Package einvoice reads invoices that come as data: UN/CEFACT CII (Factur-X, ZUGFeRD 1 and 2,
// XRechnung), UBL 2.1 (Peppol BIS, XRechnung) and FatturaPA. Which element says which field is
// data, in fixtures/words/einvoices; a field that the file does not state is absent.
//
// roots.go finds the invoices of a file, einvoice.go turns what paths lead to into fields,
// meanings.go gives codes and signs their meaning, checks.go adds up what the norm EN 16931 says
// must add up.
package einvoice
