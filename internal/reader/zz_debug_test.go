package reader

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestZZDebug(t *testing.T) {
	path := os.Getenv("ZZ")
	if path == "" {
		t.Skip()
	}
	raw, _ := os.ReadFile(path)
	format, _ := Sniff(raw, filepath.Base(path))
	cache, _ := os.UserCacheDir()
	content, err := Extract(context.Background(), bytes.NewReader(raw), int64(len(raw)), format, Limits{EngineCache: filepath.Join(cache, "toolkit", "pdfium"), IgnoreAttachments: true})
	if err != nil {
		t.Fatal(err)
	}
	read := newForm(content)
	fmt.Println("numbers", read.numbers, "order", read.order, "money", read.money)
	for _, page := range read.pages {
		for i, line := range page.Lines {
			fmt.Printf("%3d base %.0f size %.1f aside %t:", i, line.Base, line.Size, line.Aside)
			for _, c := range line.Cells {
				fmt.Printf(" [%.0f %q %.0f]", c.Left, c.Text, c.Right)
			}
			fmt.Println()
		}
	}
	for _, l := range read.labels {
		fmt.Println("LABEL", l.at, l.kinds, read.cell(l.at).Text, "| inline", rawText(l.inline), "whole", l.whole)
	}
	for _, g := range read.grids {
		fmt.Println("GRID")
		for _, c := range g.columns {
			fmt.Printf("  %s %.0f-%.0f\n", c.kind, c.left, c.right)
		}
		for _, r := range g.rows {
			fmt.Println("  ROW", r.place, r.cells)
		}
	}
	for _, n := range read.headNames() {
		fmt.Printf("HEAD %q %+v score %.1f\n", n.text, n.at, n.score(bodySize(read.pages[0])))
	}
	kind, _, _ := Classify(content)
	values, _ := Fields(content, kind)
	fmt.Println(kind, values, content.Warnings)
}
