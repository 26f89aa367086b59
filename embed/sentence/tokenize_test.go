package sentence

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

type goldenPieces struct {
	Text   string // in base64: some are no UTF-8
	Pieces []int32
}

func TestPiecesAreThoseOfSentencePiece(t *testing.T) {
	golden := readGolden[goldenPieces](t, "pieces.jsonl")
	if len(golden) < 300 {
		t.Fatalf("there are only %d texts", len(golden))
	}
	tokenizer := openModel(t).tokenizer
	for _, g := range golden {
		text, err := base64.StdEncoding.DecodeString(g.Text)
		if err != nil {
			t.Fatal(err)
		}
		if got := tokenizer.tokenize(string(text)); !slices.Equal(got, g.Pieces) {
			t.Errorf("%q gives %v and not %v", text, got, g.Pieces)
		}
	}
}

func FuzzTokenize(f *testing.F) {
	for _, seed := range []string{"", "hello world", "▁", "\x00", "\xff\xe2\x96", "日本語 한국어 ไทย", "🙂👨‍👩‍👧", strings.Repeat("a", 300)} {
		f.Add(seed)
	}
	tokenizer := openModel(f).tokenizer
	count := int32(len(tokenizer.scores) / 4)
	f.Fuzz(func(t *testing.T, text string) {
		if normal := tokenizer.normalizer.normalize(text); !utf8.Valid(normal) {
			t.Errorf("%q is normalised to %q", text, normal)
		}
		for i, piece := range tokenizer.tokenize(text) {
			if piece < 0 || piece >= count || piece == startPiece || piece == endPiece {
				t.Fatalf("piece %d of %q is %d", i, text, piece)
			}
		}
	})
}
