package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

const (
	pdfiumSource = "github.com/klippa-app/go-pdfium@v1.19.3"
	pdfFolder    = "internal/reader/pdf"
)

// writePrunedPDFium makes the module of internal/reader/pdf: PDFium as go-pdfium compiles it to
// WebAssembly, without the functions that only exports which the package does not call can
// reach. Run it when the package calls another function, or with another version in the
// constant above. It needs the network, or go-pdfium in the cache of modules.
func writePrunedPDFium() error {
	module, err := downloadPDFium()
	if err != nil {
		return err
	}
	called, err := listCalledFunctions()
	if err != nil {
		return err
	}
	pruned, err := pruneModule(module, func(export string) bool { return called[export] || !isOfPDFium(export) })
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(pdfFolder, "pdfium.wasm"), pruned, 0o644); err != nil {
		return err
	}
	sum := fmt.Sprintf("%x  pdfium.wasm\n", sha256.Sum256(pruned))
	fmt.Fprintf(os.Stdout, "%s, %d of %d bytes of %s\n", strings.TrimSpace(sum), len(pruned), len(module), pdfiumSource)
	return os.WriteFile(filepath.Join(pdfFolder, "pdfium.wasm.sha256"), []byte(sum), 0o644)
}

// downloadPDFium returns the module that go-pdfium has. The go command checks its sum.
func downloadPDFium() ([]byte, error) {
	answer, err := exec.Command("go", "mod", "download", "-json", pdfiumSource).Output()
	if err != nil {
		return nil, fmt.Errorf("download %s: %w", pdfiumSource, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(answer, &found); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(found.Dir, "webassembly", "pdfium.wasm"))
}

// listCalledFunctions are the names of PDFium's functions in the source of the package.
func listCalledFunctions() (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(pdfFolder, "*.go"))
	if err != nil {
		return nil, err
	}
	called := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, name := range quotedName.FindAllStringSubmatch(string(text), -1) {
			called[name[1]] = true
		}
	}
	return called, nil
}

var (
	quotedName   = regexp.MustCompile(`"(\w+)"`)
	pdfiumPrefix = regexp.MustCompile(`^(FPDF|FORM|FSDK|FX|IFSDK|UNSUPPORT)`)
)

// isOfPDFium tells its functions from those of the C library and the compiler.
func isOfPDFium(export string) bool { return pdfiumPrefix.MatchString(export) }
