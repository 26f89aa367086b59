package einvoice

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"

	"toolkit/internal/reader/xmltree"
)

// Bounds of a file and of what is taken from it. A thousand lines are some fifty thousand
// elements; a text of a field is a sentence or a list of conditions.
const (
	mostElements = 500_000
	mostDepth    = 60
	mostItems    = 10_000 // of a list
	mostInvoices = 1000   // of a file
	mostText     = 10_000 // bytes of a text
)

// Read reads the invoices of a file: one, or as many as an envelope or FatturaPA holds. There are
// none in other XML, or without a number and without a sum.
func Read(ctx context.Context, data []byte) (invoices []*Invoice, err error) {
	root, err := parse(ctx, data)
	if err != nil {
		return nil, err
	}
	roots := findInvoiceRoots(root)
	if len(roots) > mostInvoices {
		return nil, fmt.Errorf("it holds %d invoices, and at most %d are read", len(roots), mostInvoices)
	}
	for _, root := range roots {
		if invoices, err = appendInvoicesOfRoot(ctx, root, invoices); err != nil {
			return nil, err
		}
	}
	return invoices, nil
}

// parse reads a document of no more elements than an invoice has.
func parse(ctx context.Context, data []byte) (*element, error) {
	elements := 0
	root, err := xmltree.Read(ctx, xmltree.NewDecoder(bytes.NewReader(data)), mostDepth, coded()["cii names"], func(*element) (bool, error) {
		if elements++; elements > mostElements {
			return false, errors.New("the invoice has more elements than are read")
		}
		return true, nil
	})
	if err == nil && root == nil {
		err = errors.New("the XML is cut off")
	}
	return root, err
}

// findInvoiceRoots are the invoices among an element and those below it: it may be an envelope.
func findInvoiceRoots(e *element) (list []*element) {
	if IsInvoiceRoot(xml.Name{Space: e.Space, Local: e.Name}) {
		return []*element{e}
	}
	for _, one := range e.Below {
		list = append(list, findInvoiceRoots(one)...)
	}
	return list
}

// appendInvoicesOfRoot reads an invoice, or the bodies of one of FatturaPA.
func appendInvoicesOfRoot(ctx context.Context, root *element, invoices []*Invoice) (_ []*Invoice, err error) {
	of := syntaxOf(xml.Name{Space: root.Space, Local: root.Name})
	bodies := root.FindAll(xmltree.ParseSteps("FatturaElettronicaBody"))
	if len(bodies) < 2 {
		return appendInvoice(ctx, of, root, invoices)
	}
	if len(bodies) > mostInvoices {
		return nil, fmt.Errorf("it holds %d invoices, and at most %d are read", len(bodies), mostInvoices)
	}
	head := slices.DeleteFunc(root.Below, func(one *element) bool { return one.Name == bodies[0].Name })
	head = head[:min(len(head), 1):1]
	for at, body := range bodies {
		body.Nth, root.Below = at+1, append(head, body.Element)
		if invoices, err = appendInvoice(ctx, of, root, invoices); err != nil {
			return nil, err
		}
		if len(invoices) > 0 && invoices[len(invoices)-1].Element == root.Path() {
			invoices[len(invoices)-1].Element = body.Path()
		}
	}
	return invoices, nil
}
