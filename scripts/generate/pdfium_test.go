package main

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"testing"
	"toolkit/internal/testenv"
)

func TestTheModuleHasTheSumThatIsStated(t *testing.T) {
	place := filepath.Join("..", "..", pdfFolder)
	module := testenv.Read(t, filepath.Join(place, "pdfium.wasm"))
	stated := testenv.Read(t, filepath.Join(place, "pdfium.wasm.sha256"))
	if sum := fmt.Sprintf("%x  pdfium.wasm\n", sha256.Sum256(module)); sum != string(stated) {
		t.Errorf("the sum is %s, not %s", sum, stated)
	}
}
