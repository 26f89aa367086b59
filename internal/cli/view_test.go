package cli

import (
	"bytes"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestViewPrintsAnAddressThatAnswersAndEndsWhenInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted from outside here")
	}
	cmd := program(t, "view", "--db", emptyDatabase(t))
	var out bytes.Buffer
	cmd.Stdout = &out
	line, printed := firstLine(t, cmd)
	found := regexp.MustCompile(`^toolkit view: open (http://127\.0\.0\.1:\d+/\?token=[\w-]{43})\n$`).FindStringSubmatch(line)
	if found == nil {
		t.Fatalf("it printed %q", line)
	}
	answer, err := http.Get(found[1])
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || len(answer.Cookies()) != 1 {
		t.Errorf("%d %v", answer.StatusCode, answer.Cookies())
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if rest, err := printed.ReadString(0); strings.TrimSpace(rest) != "The address works once. Ctrl-C ends the view." {
		t.Errorf("it also printed %q, %v", rest, err)
	}
	if err := cmd.Wait(); err != nil || out.Len() > 0 {
		t.Errorf("%v, standard output %q", err, out.String())
	}
}
