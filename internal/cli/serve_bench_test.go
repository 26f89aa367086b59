package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// talk is a serving process of a benchmark: the test binary as the program, which starts a
// little later than the program itself. scripts/bench/paired.py compares two binaries.
type talk struct {
	b   *testing.B
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startTalk(b *testing.B, folder string) *talk {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	t := &talk{b: b, cmd: exec.CommandContext(b.Context(), self, "serve", "--stdio", "--db", filepath.Join(folder, "toolkit.db"), "--log-level", "error")}
	t.cmd.Env = []string{asToolkit + "=1", "HOME=" + folder}
	in, errIn := t.cmd.StdinPipe()
	out, errOut := t.cmd.StdoutPipe()
	if errIn != nil || errOut != nil || t.cmd.Start() != nil {
		b.Fatal("the program does not start", errIn, errOut)
	}
	t.in, t.out = in, bufio.NewReaderSize(out, 1<<20)
	return t
}

// ask sends a request and reads its answer.
func (t *talk) ask(method, params string) {
	fmt.Fprintf(t.in, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, params)
	answer, err := t.out.ReadString('\n')
	if err != nil || strings.Contains(answer, `"error":{"code"`) || strings.Contains(answer, `"isError":true`) {
		t.b.Fatal(method, err)
	}
}

func (t *talk) initialize() {
	t.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`)
}

func (t *talk) end() {
	t.in.Close()
	t.cmd.Wait() //nolint:errcheck // what it answered is what counts
}

// BenchmarkStart prints how long initialize and the first tools/list take from the start of a
// process on an existing file.
func BenchmarkStart(b *testing.B) {
	folder := b.TempDir()
	startTalk(b, folder).end()
	var initialized, listed time.Duration
	for b.Loop() {
		began := time.Now()
		t := startTalk(b, folder)
		t.initialize()
		initialized += time.Since(began)
		t.ask("tools/list", "{}")
		listed += time.Since(began)
		t.end()
	}
	b.ReportMetric(float64(initialized.Microseconds())/1000/float64(b.N), "ms/initialize")
	b.ReportMetric(float64(listed.Microseconds())/1000/float64(b.N), "ms/list")
}

// BenchmarkCallOverStdio prints how long a call takes there and back through a process.
func BenchmarkCallOverStdio(b *testing.B) {
	t := startTalk(b, b.TempDir())
	defer t.end()
	t.initialize()
	t.ask("tools/call", `{"name":"create_entities","arguments":{"entities":[{"name":"Anna","entityType":"person","observations":["likes tea"]}]}}`)
	n := 0
	for name, params := range map[string]func() string{
		"open_nodes of one": func() string { return `{"name":"open_nodes","arguments":{"names":["Anna"]}}` },
		"create_entities of one": func() string {
			n++
			return fmt.Sprintf(`{"name":"create_entities","arguments":{"entities":[{"name":"entity_%d","entityType":"person","observations":["number %d"]}]}}`, n, n)
		},
		"the tool ping": func() string { return `{"name":"ping","arguments":{}}` },
	} {
		b.Run(name, func(b *testing.B) {
			t.b = b
			for b.Loop() {
				t.ask("tools/call", params())
			}
		})
	}
}
