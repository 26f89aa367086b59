package embed

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// safetensorsOf builds a file of the given header and data.
func safetensorsOf(header string, data []byte) []byte {
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(file, header...), data...)
}

const tinyTokenizer = `{"normalizer":{"type":"BertNormalizer","lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},
	"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0,"harbour":1,"boat":2,"##s":3,"bread":4}}}`

// tinyMatrix has a row for each of tinyTokenizer's tokens.
var tinyMatrix = []float32{9, 9, 9, 1, 0, 0, 0, 1, 0, 0, 0.5, 0.5, 0, 0, 1}

// writeStatic writes a model folder; files replace or add to the usual ones.
func writeStatic(t testing.TB, files map[string][]byte) string {
	t.Helper()
	all := map[string][]byte{
		"tokenizer.json":    []byte(tinyTokenizer),
		"config.json":       []byte(`{"normalize":true}`),
		"model.safetensors": safetensorsOf(`{"__metadata__":{"format":"pt"},"embeddings":{"dtype":"F32","shape":[5,3],"data_offsets":[0,60]}}`, bytesOf(t, tinyMatrix)),
	}
	for name, data := range files {
		all[name] = data
	}
	dir := t.TempDir()
	for name, data := range all {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestStaticAveragesTokenRows(t *testing.T) {
	model, err := Static(writeStatic(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := model.Embed(t.Context(), []string{"Harbour", "boats, harbour!", "zzz", "", "zzz bread"})
	if err != nil || model.Dimension() != 3 {
		t.Fatalf("%v, dimension %d", err, model.Dimension())
	}
	unit := func(v ...float32) []float32 { Normalize(v); return v }
	want := [][]float32{{1, 0, 0}, unit(1, 1.5, 0.5), nil, nil, {0, 0, 1}}
	if diff := cmp.Diff(want, vectors); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStaticReadsHalfPrecisionWeightsAndMapping(t *testing.T) {
	half, err := encodeHalf(tinyMatrix[3:9]) // two rows: harbour's and boat's
	if err != nil {
		t.Fatal(err)
	}
	data := append(half, bytesOf(t, []float32{1, 2, 1, 1, 1})...)
	for _, row := range []int64{-1, 0, 1, 99, 1} { // out of range: left out
		data = binary.LittleEndian.AppendUint64(data, uint64(row))
	}
	model, err := Static(writeStatic(t, map[string][]byte{"model.safetensors": safetensorsOf(
		`{"embeddings":{"dtype":"F16","shape":[2,3],"data_offsets":[0,12]},"weights":{"dtype":"F32","shape":[5],"data_offsets":[12,32]},"mapping":{"dtype":"I64","shape":[5],"data_offsets":[32,72]}}`, data)}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := model.Query(t.Context(), "harbour boats")
	want := []float32{2, 1, 0}
	Normalize(want)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestStaticNamesItsSpaceByContent(t *testing.T) {
	first, err := Static(writeStatic(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	same, err := Static(writeStatic(t, map[string][]byte{"config.json": []byte(`{}`)}))
	if err != nil || first.Model() != same.Model() {
		t.Errorf("equal models are %q and %q, %v", first.Model(), same.Model(), err)
	}
	other, err := Static(writeStatic(t, map[string][]byte{"tokenizer.json": []byte(strings.Replace(tinyTokenizer, "bread", "oven", 1))}))
	if err != nil || first.Model() == other.Model() {
		t.Errorf("different models are both %q, %v", first.Model(), err)
	}
}

func TestStaticRefusesWhatItCannotRead(t *testing.T) {
	for _, c := range []struct {
		name, file, content, want string
	}{
		{"an empty model", "model.safetensors", "", "only 0 bytes"},
		{"a header beyond the file", "model.safetensors", "\xff\xff\xff\xff\xff\xff\xff\x7f{}", "not a safetensors file"},
		{"a header that is no JSON", "model.safetensors", string(safetensorsOf("{nope}", nil)), "not JSON"},
		{"no matrix", "model.safetensors", string(safetensorsOf(`{"weights":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, make([]byte, 4))), "no matrix"},
		{"an empty matrix", "model.safetensors", string(safetensorsOf(`{"e":{"dtype":"F32","shape":[0,4],"data_offsets":[0,0]}}`, nil)), "no matrix"},
		{"two matrices", "model.safetensors", string(safetensorsOf(`{"a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`, make([]byte, 4))), "several matrices"},
		{"offsets outside", "model.safetensors", string(safetensorsOf(`{"a":{"dtype":"F32","shape":[1,1],"data_offsets":[4,8]}}`, make([]byte, 4))), "outside of the data"},
		{"a shape that does not fit", "model.safetensors", string(safetensorsOf(`{"a":{"dtype":"F32","shape":[3,1],"data_offsets":[0,4]}}`, make([]byte, 4))), "does not fill"},
		{"a shape that overflows", "model.safetensors", string(safetensorsOf(`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, nil)), "too large"},
		{"a type that is not supported", "model.safetensors", string(safetensorsOf(`{"a":{"dtype":"I8","shape":[2,2],"data_offsets":[0,4]}}`, make([]byte, 4))), "of type I8"},
		{"a tokenizer that is no JSON", "tokenizer.json", "[", "tokenizer.json: it is not a tokenizer"},
		{"a tokenizer without a model", "tokenizer.json", "{}", "no readable model"},
		{"an unknown model", "tokenizer.json", `{"model":{"type":"WordLevel"}}`, `"WordLevel" is not supported`},
		{"an unknown normaliser", "tokenizer.json", `{"normalizer":{"type":"Rot13"},"model":{"type":"BPE"}}`, `"Rot13" is not supported`},
		{"an unknown pre-tokeniser", "tokenizer.json", `{"pre_tokenizer":{"type":"Split"},"model":{"type":"BPE"}}`, `"Split" is not supported`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Static(writeStatic(t, map[string][]byte{c.file: []byte(c.content)}))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), c.file) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func FuzzSafetensorsNeverPanics(f *testing.F) {
	f.Add(safetensorsOf(`{"e":{"dtype":"F16","shape":[2,3],"data_offsets":[0,12]}}`, make([]byte, 12)))
	f.Add(safetensorsOf(`{"e":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]},"mapping":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}}`, make([]byte, 8)))
	f.Add(safetensorsOf(`{"e":{"dtype":"BF16","shape":[-1,3],"data_offsets":[-4,12]}}`, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		opened, err := readSafetensors(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		var model static
		if err := model.take(opened); err == nil && (model.width <= 0 || len(model.matrix)%model.width != 0) {
			t.Fatalf("a matrix of %d elements is %d wide", len(model.matrix), model.width)
		}
	})
}

func TestTokenizers(t *testing.T) {
	byteVocabulary := map[string]int{"Ġh": 300, "Ġharbour": 301, "âĤ¬": 302, "!": 303, "'s": 304}
	for b := range 256 {
		byteVocabulary[string(byteRunes[b])] = b
	}
	encoded, err := json.Marshal(byteVocabulary)
	if err != nil {
		t.Fatal(err)
	}
	bytePairs := fmt.Sprintf(`{"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":true},"model":{"type":"BPE","vocab":%s,
		"merges":["Ġ h","â Ĥ","âĤ ¬",["'","s"]]}}`, encoded)
	unigram := `{"normalizer":{"type":"Sequence","normalizers":[{"type":"NFKC"},{"type":"Lowercase"}]},"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},
		"model":{"type":"Unigram","unk_id":0,"byte_fallback":%v,"vocab":[["<unk>",0],["▁",-3],["▁har",-4],["bour",-4],["▁harbour",-7.5],["s",-3],["<0xC3>",-9],["<0xA4>",-9]]}}`
	pairs := `{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Whitespace"},{"type":"Digits","individual_digits":true}]},
		"model":{"type":"BPE","unk_token":"<unk>","vocab":{"<unk>":0,"l":1,"o":2,"w":3,"lo":4,"low":5,"e":6,"r":7,"er":8,"1":9,"2":10},"merges":["l o","e r","lo w"]}}`
	for _, c := range []struct {
		name, tokenizer, text string
		want                  []int
	}{
		{"WordPiece takes the longest piece", tinyTokenizer, "boats Harbour", []int{2, 3, 1}},
		{"WordPiece drops a word it cannot cover", tinyTokenizer, "boatz bread", []int{4}},
		{"BERT cleans, strips accents and splits punctuation", tinyTokenizer, "Härbour,\u0000\tbread\u00ad", []int{1, 4}},
		{"BERT isolates ideographs", tinyTokenizer, "boat東bread", []int{2, 4}},
		{"WordPiece refuses words that are too long", tinyTokenizer, strings.Repeat("boat", 30), nil},
		{"Unigram takes the most probable segmentation", fmt.Sprintf(unigram, false), "Harbours", []int{4, 5}},
		{"Unigram normalises compatibility forms", fmt.Sprintf(unigram, false), "ｈａｒ", []int{2}},
		{"Unigram leaves unknown characters out", fmt.Sprintf(unigram, false), "äs s", []int{1, 5, 1, 5}},
		{"Unigram spells unknown characters in bytes", fmt.Sprintf(unigram, true), "äs", []int{1, 6, 7, 5}},
		{"BPE applies the earliest merge first", pairs, "lower 12", []int{5, 8, 9, 10}},
		{"BPE leaves unknown characters out", pairs, "low!", []int{5}},
		{"byte-level BPE keeps the space with its word", bytePairs, "h's €", []int{300, 304, ' ', 302}},
		{"byte-level BPE of nothing", bytePairs, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			tokens, err := parseTokenizer([]byte(c.tokenizer))
			if err != nil {
				t.Fatal(err)
			}
			got := tokens.ids(c.text)
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestByteLevelSplitsLikeGPT2(t *testing.T) {
	got := splitByteLevel(" We've  3 cats!? \n\t now")
	want := []string{" We", "'ve", " ", " 3", " cats", "!?", " \n\t", " now"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzTokenizersCoverEveryText(f *testing.F) {
	var models []*static
	for _, file := range []string{
		tinyTokenizer,
		`{"pre_tokenizer":{"type":"Metaspace"},"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["▁a",-1],["b",-2]]}}`,
		`{"pre_tokenizer":{"type":"ByteLevel"},"model":{"type":"BPE","vocab":{"a":1,"Ġ":2},"merges":["Ġ a"]}}`,
		`{"pre_tokenizer":{"type":"Whitespace"},"model":{"type":"BPE","vocab":{"a":1,"b":2},"merges":["a b"],"end_of_word_suffix":"</w>"}}`,
	} {
		tokens, err := parseTokenizer([]byte(file))
		if err != nil {
			f.Fatal(err)
		}
		models = append(models, &static{tokens: tokens, matrix: tinyMatrix, width: 3})
	}
	for _, seed := range []string{"", " a  b\n", "'s 'S", "\xff\xfe", "ä東🎉", strings.Repeat("ab", 600)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if joined := strings.Join(splitByteLevel(text), ""); joined != text {
			t.Fatalf("the pieces of %q make %q", text, joined)
		}
		for _, model := range models {
			if v := model.vector(text); v != nil && math.Abs(Norm(v)-1) > 1e-5 {
				t.Fatalf("the vector of %q has length %g", text, Norm(v))
			}
		}
	})
}
