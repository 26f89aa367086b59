package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestTheModuleHasTheSumThatIsStated(t *testing.T) {
	place := filepath.Join("..", "..", folder)
	module, err := os.ReadFile(filepath.Join(place, "pdfium.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	stated, err := os.ReadFile(filepath.Join(place, "pdfium.wasm.sha256"))
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("%x  pdfium.wasm\n", sha256.Sum256(module)); sum != string(stated) {
		t.Errorf("the sum is %s, not %s", sum, stated)
	}
}
