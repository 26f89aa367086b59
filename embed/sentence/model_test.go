package sentence

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"toolkit/internal/testenv"
)

// fileSum is the SHA-256 of the file that scripts/model makes.
const fileSum = "88fb395e4b111a3c5cb888b703efc8dbc91c7e727f86e60f4bcfbe6aa1993fc3"

func TestModelFileIsTheOneThatScriptsModelMakes(t *testing.T) {
	if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(embeddedFile))); sum != fileSum {
		t.Errorf("the file has SHA-256 %s and not %s", sum, fileSum)
	}
	notice := testenv.Read(t, filepath.Join("model", "README.md"))
	if !strings.Contains(string(notice), fileSum) {
		t.Error("model/README.md names another SHA-256")
	}
	if len(embeddedFile) > 40_000_000 {
		t.Errorf("the file has %d bytes", len(embeddedFile))
	}
}

// engines are the model with each of the two ways to multiply.
func engines(t testing.TB) map[string]*Model {
	t.Helper()
	models := map[string]*Model{}
	for _, name := range []string{"plain", "accelerated"} {
		model, err := Parse(embeddedFile)
		if err != nil {
			t.Fatal(err)
		}
		if name == "accelerated" && !model.network.accelerated {
			continue
		}
		model.network.accelerated = name == "accelerated"
		models[name] = model
	}
	return models
}

func openModel(t testing.TB) *Model {
	t.Helper()
	model, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// readGolden decodes each line of a golden file.
func readGolden[T any](t testing.TB, name string) (rows []T) {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

type goldenVector struct {
	Language, Text string
	Vector         string // float32 in base64
}

func (g goldenVector) numbers(t testing.TB) []float32 {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(g.Vector)
	if err != nil || len(data) != 4*Dimension {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	return readFloats(string(data), 0, Dimension)
}

func product(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestVectorsAreThoseOfTheReference(t *testing.T) {
	golden := readGolden[goldenVector](t, "vectors.jsonl")
	languages := map[string]bool{}
	for name, model := range engines(t) {
		lowest := 1.0
		for _, g := range golden {
			languages[g.Language] = true
			v, err := model.Embed(t.Context(), g.Text)
			if err != nil {
				t.Fatal(err)
			}
			want := g.numbers(t)
			likeness := product(v, want) / math.Sqrt(product(v, v)*product(want, want))
			lowest = min(lowest, likeness)
			if likeness < 0.9999 {
				t.Errorf("%s: likeness %.6f of %q", name, likeness, g.Text)
			}
		}
		t.Logf("%s: lowest likeness %.9f", name, lowest)
	}
	if len(golden) < 40 || len(languages) < 16 {
		t.Errorf("%d texts in %d languages", len(golden), len(languages))
	}
}

func TestBatchGivesTheVectorsOfSingleTexts(t *testing.T) {
	golden := readGolden[goldenVector](t, "vectors.jsonl")
	texts := []string{"", strings.Repeat(golden[0].Text, 9), strings.Repeat(golden[20].Text, 20)}
	for _, g := range golden {
		texts = append(texts, g.Text)
	}
	for name, model := range engines(t) {
		batch, err := model.EmbedBatch(t.Context(), texts)
		if err != nil || len(batch) != len(texts) {
			t.Fatalf("%s: %d vectors, %v", name, len(batch), err)
		}
		for i, text := range texts {
			single, err := model.Embed(t.Context(), text)
			if err != nil {
				t.Fatal(err)
			}
			if likeness := product(single, batch[i]); likeness < 0.99999 {
				t.Errorf("%s: likeness %.6f of %.40q", name, likeness, text)
			}
		}
	}
}

func TestVectorHasLength1ForAnyText(t *testing.T) {
	model := openModel(t)
	texts := []string{"", " ", "\x00", "\xff\xfe", "🙂🙂", "\u200b", strings.Repeat("a", 1<<20), strings.Repeat("漢", 1<<18), strings.Repeat("\xff", 1<<20), strings.Repeat("a b ", 1<<10)}
	for _, text := range texts {
		v, err := model.Embed(t.Context(), text)
		if err != nil || len(v) != Dimension {
			t.Fatalf("%d numbers for %.20q, %v", len(v), text, err)
		}
		if length := math.Sqrt(product(v, v)); math.Abs(length-1) > 1e-5 {
			t.Errorf("length %f of %.20q", length, text)
		}
	}
}

func TestEmbedBatchReturnsNothingForNoTexts(t *testing.T) {
	if v, err := openModel(t).EmbedBatch(t.Context(), nil); err != nil || len(v) != 0 {
		t.Errorf("%d vectors, %v", len(v), err)
	}
}

func TestEmbedStopsWhenItsContextIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	model := openModel(t)
	if _, err := model.Embed(ctx, "hello"); !errors.Is(err, context.Canceled) {
		t.Errorf("Embed returned %v", err)
	}
	if _, err := model.SplitIntoFirstWindows(ctx, "hello", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Windows returned %v", err)
	}
}

func TestModelIsSafeForConcurrentUse(t *testing.T) {
	model, err := Parse(embeddedFile) // nothing is unpacked yet
	if err != nil {
		t.Fatal(err)
	}
	golden := readGolden[goldenVector](t, "vectors.jsonl")
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for _, g := range golden[i*5 : i*5+5] {
				v, err := model.Embed(t.Context(), g.Text)
				if err != nil || product(v, g.numbers(t)) < 0.9999 {
					t.Errorf("%q: %v", g.Text, err)
				}
			}
		})
	}
	group.Wait()
}

func TestMeanIsNearestToOrdinarySentences(t *testing.T) {
	model := openModel(t)
	mean := model.Mean()
	length := math.Sqrt(product(mean, mean))
	if length < 0.1 || length > 0.9 {
		t.Errorf("the mean has length %f", length)
	}
	mean[0] = 99
	if model.Mean()[0] == 99 {
		t.Error("a caller can change the mean of the model")
	}
	if !strings.HasPrefix(model.Name(), "universal-sentence-encoder") {
		t.Errorf("the name is %q", model.Name())
	}
	mean = model.Mean()
	var raw, centred float64
	golden := readGolden[goldenVector](t, "vectors.jsonl")
	for i := 1; i < len(golden); i++ {
		a, b := golden[i-1].numbers(t), golden[i].numbers(t)
		raw += product(a, b)
		for j := range a {
			a[j], b[j] = a[j]-mean[j], b[j]-mean[j]
		}
		centred += product(a, b) / math.Sqrt(product(a, a)*product(b, b))
	}
	if math.Abs(centred) >= math.Abs(raw)/2 {
		t.Errorf("unrelated sentences have likeness %.3f without the mean and %.3f with it", centred/float64(len(golden)), raw/float64(len(golden)))
	}
}

func TestParseReturnsAnErrorForADamagedFile(t *testing.T) {
	for name, file := range map[string]string{
		"empty":            "",
		"other":            "SENTVEC\x02" + embeddedFile[8:100],
		"directory":        embeddedFile[:20],
		"cut off":          embeddedFile[:len(embeddedFile)/2],
		"without the end":  embeddedFile[:len(embeddedFile)-9],
		"section too long": embeddedFile[:8] + "\xff\xff\xff\xff" + embeddedFile[12:1000],
		"wrong size":       embeddedFile[:12] + "\x00\x00\x00\x00" + embeddedFile[16:],
	} {
		if _, err := Parse(file); !errors.Is(err, errBadFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkEmbed(b *testing.B) {
	const text = "Our staging server was moved from Frankfurt to Dublin in March last year." // 18 pieces with the ends
	for name, model := range engines(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.ReportMetric(float64(len(model.tokenizeWithEnds(text))), "pieces")
			for b.Loop() {
				if _, err := model.Embed(b.Context(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEmbedBatch(b *testing.B) {
	var texts []string
	for _, g := range readGolden[goldenVector](b, "vectors.jsonl") {
		texts = append(texts, g.Text)
	}
	for name, model := range engines(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := model.EmbedBatch(b.Context(), texts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(texts)), "µs/text")
		})
	}
}

// BenchmarkFirstEmbed opens the file anew for each text, as a fresh process does.
func BenchmarkFirstEmbed(b *testing.B) {
	for b.Loop() {
		model, err := Parse(embeddedFile)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := model.Embed(b.Context(), "Our staging server was moved from Frankfurt to Dublin in March last year."); err != nil {
			b.Fatal(err)
		}
	}
}
