// Command corpus keeps what fuzzing has found interesting, so that the next run
// goes on from there instead of from the seeds. Go keeps these inputs in its
// build cache, which no other machine has and 'go clean' empties.
//
//	go run ./scripts/corpus unpack    # the archive's inputs into the build cache
//	go run ./scripts/corpus pack      # the build cache's inputs into the archive
//
// Inputs that crashed something are not here: Go writes them to testdata/fuzz of
// their package, where every 'go test' runs them.
package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

const (
	archive = "fixtures/fuzz-corpus.tar.gz"
	module  = "toolkit"
	// largest is the size of an input that is kept, in bytes: larger ones say
	// little that a small one does not.
	largest = 2048
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("asking for the build cache: %w", err)
	}
	cache := filepath.Join(strings.TrimSpace(string(out)), "fuzz", module)
	n := 0
	switch {
	case len(args) == 1 && args[0] == "pack":
		n, err = pack(cache, archive)
	case len(args) == 1 && args[0] == "unpack":
		n, err = unpack(archive, cache)
	default:
		err = errors.New("say pack or unpack")
	}
	if err == nil {
		fmt.Fprintf(os.Stderr, "%s: %d inputs\n", args[0], n)
	}
	return err
}

// pack writes the small inputs below a folder into an archive that depends on
// them alone, and returns how many there are.
func pack(folder, name string) (n int, err error) {
	part := name + ".part"
	file, err := os.Create(part)
	if err != nil {
		return 0, err
	}
	defer os.Remove(part) //nolint:errcheck // it is gone when all went well
	compressed, _ := gzip.NewWriterLevel(file, gzip.BestCompression)
	inputs := tar.NewWriter(compressed)
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || len(text) > largest {
			return err
		}
		relative, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		n++
		header := &tar.Header{Typeflag: tar.TypeReg, Name: filepath.ToSlash(relative), Mode: 0o644, Size: int64(len(text))}
		if err := inputs.WriteHeader(header); err != nil {
			return err
		}
		_, err = inputs.Write(text)
		return err
	})
	if err = errors.Join(err, inputs.Close(), compressed.Close(), file.Close()); err != nil {
		return n, err
	}
	return n, os.Rename(part, name)
}

// unpack writes the inputs of an archive below a folder, and returns how many
// there are.
func unpack(name, folder string) (n int, err error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	compressed, err := gzip.NewReader(file)
	if err != nil {
		return 0, err
	}
	for inputs := tar.NewReader(compressed); ; n++ {
		header, err := inputs.Next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if !filepath.IsLocal(header.Name) || header.Size > largest {
			return n, fmt.Errorf("%q is no input of ours", header.Name)
		}
		place := filepath.Join(folder, filepath.FromSlash(path.Clean(header.Name)))
		text, err := io.ReadAll(inputs)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(place), 0o755)
		}
		if err == nil {
			err = os.WriteFile(place, text, 0o644)
		}
		if err != nil {
			return n, err
		}
	}
}
