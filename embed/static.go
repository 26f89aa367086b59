package embed

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxTokenizerBytes bounds tokenizer.json; large multilingual ones have 20 MB.
const maxTokenizerBytes = 128 << 20

// Static returns the embedder of a folder as model2vec writes it:
// model.safetensors with one matrix (a row for every token) and
// tokenizer.json. A text's vector is the mean of its tokens' rows, scaled to
// length 1 whatever config.json says about it, since only directions are
// compared; it keeps the matrix's own width. Optional tensors "weights" (a
// factor for every token) and "mapping" (the row of every token) are heeded.
//
// The name of the vector space follows from the content of both files.
func Static(dir string) (Embedder, error) {
	hash := sha256.New()
	tokens, err := readTokenizer(filepath.Join(dir, "tokenizer.json"), hash)
	if err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	model := &static{tokens: tokens}
	if err := model.readTensors(filepath.Join(dir, "model.safetensors"), hash); err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", err)
	}
	return immediate{"static:" + hex.EncodeToString(hash.Sum(nil)[:8]), model.width, model.vector}, nil
}

// static is a model in memory.
type static struct {
	tokens  *tokenizer
	matrix  []float32
	width   int
	weights []float32 // by token, nil for 1
	mapping []int64   // row by token, nil for the same
}

// vector is the mean of the tokens' rows, nil when no token is known. Scaling
// to length 1 makes the division by their number unnecessary.
func (s *static) vector(text string) []float32 {
	sum := make([]float32, s.width)
	for _, id := range s.tokens.ids(text) {
		row := int64(id)
		if s.mapping != nil {
			if id < 0 || id >= len(s.mapping) {
				continue
			}
			row = s.mapping[id]
		}
		if row < 0 || row >= int64(len(s.matrix)/s.width) {
			continue
		}
		weight := float32(1)
		if s.weights != nil && id < len(s.weights) {
			weight = s.weights[id]
		}
		for i, x := range s.matrix[int(row)*s.width : (int(row)+1)*s.width] {
			sum[i] += float32(weight * x)
		}
	}
	if !Normalize(sum) {
		return nil
	}
	return sum
}

func readTokenizer(path string, hash io.Writer) (*tokenizer, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxTokenizerBytes+1))
	if err != nil {
		return nil, withoutPath(err)
	}
	if len(data) > maxTokenizerBytes {
		return nil, fmt.Errorf("it exceeds %d MB", maxTokenizerBytes>>20)
	}
	hash.Write(data)
	return parseTokenizer(data)
}

func (s *static) readTensors(path string, hash io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return withoutPath(err)
	}
	defer file.Close()
	size, err := io.Copy(hash, file)
	if err != nil {
		return withoutPath(err)
	}
	opened, err := readSafetensors(file, size)
	if err != nil {
		return err
	}
	return s.take(opened)
}

// take picks the matrix, and the optional tensors beside it.
func (s *static) take(file *safetensors) error {
	name, err := matrixOf(file)
	if err != nil {
		return err
	}
	if s.matrix, err = file.floats(name); err != nil {
		return err
	}
	s.width = int(file.tensors[name].Shape[1])
	if _, ok := file.tensors["weights"]; ok {
		if s.weights, err = file.floats("weights"); err != nil {
			return err
		}
	}
	if _, ok := file.tensors["mapping"]; ok {
		if s.mapping, err = file.integers("mapping"); err != nil {
			return err
		}
	}
	return nil
}

// matrixOf is the name of the only two-dimensional tensor.
func matrixOf(file *safetensors) (string, error) {
	found := ""
	for name, t := range file.tensors {
		if len(t.Shape) != 2 {
			continue
		}
		if found != "" {
			return "", errors.New("it holds several matrices; a static model has one, with a row for every token")
		}
		found = name
	}
	if found == "" || file.tensors[found].elements() == 0 {
		return "", errors.New("it holds no matrix; a static model has one, with a row for every token")
	}
	return found, nil
}

// withoutPath keeps the reason of a file error; the caller names the file.
func withoutPath(err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		return path.Err
	}
	return err
}
