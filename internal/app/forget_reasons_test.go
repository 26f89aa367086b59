package app

import (
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

func TestAPreviewOfForgettingSaysWhyEachThingGoes(t *testing.T) {
	a := newApp(t)
	folder := t.TempDir()
	bank, contract := filepath.Join(folder, "bank.csv"), filepath.Join(folder, "contract.txt")
	testenv.Write(t, bank, "Booking date,Value date,Counterparty,Description,Amount,Currency,Balance\n2025-03-14,2025-03-14,Northwind Mill GmbH,Invoice M-17,-119.00,EUR,881.00\n2025-03-15,2025-03-15,Bergen Kaffebrenneri,Coffee,-12.50,EUR,868.50\n")
	testenv.Write(t, contract, "SERVICE AGREEMENT\n\nbetween Northwind Mill GmbH and Harbour Studio GmbH\nEffective date: 2026-03-01\n\n1. The supplier shall deliver.\n")
	for _, file := range []string{bank, contract} {
		callTool(t, a, "upload_file", map[string]any{"file_path": file})
	}
	out := callTool(t, a, "forget", map[string]any{"text": "Bergen Kaffebrenneri", "show": 100})
	if out["mentions"] != nil {
		t.Errorf("the contract mentions nothing of it: %v", out["mentions"])
	}
	for _, group := range out["going"].([]any) {
		for _, item := range group.(map[string]any)["items"].([]any) {
			line, why := item.(map[string]any)["line"].(string), item.(map[string]any)["why"].(string)
			has := strings.Contains(line, "Bergen") || strings.Contains(line, "FinancialRecord bank.csv")
			if has != (why == "contains the text") || strings.ContainsAny(line, "{}\"") {
				t.Errorf("%q goes since it %s", line, why)
			}
		}
	}
}
