package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"toolkit/internal/toolstest"
)

// A server is killed while it forgets, at another moment each time, and another
// goes on. All of it is gone, or nothing.
func TestAForgettingThatIsKilledIsWholeOrNotAtAll(t *testing.T) {
	const word, told = "xqvorbinkul", 40
	for round := 0; round < 6; round += 2 {
		db := database(t)
		c, other := serve(t, db), serve(t, db)
		for range told {
			c.call("store_raw_dialogue", map[string]any{"session_id": "s", "speaker": "user", "content": "the secret is " + word})
		}
		other.call("hybrid_search", map[string]any{"query_text": word})
		in := map[string]any{"text": word}
		in["confirm"] = previewOf(t, c, in).Confirm
		if err := c.send("forget", in); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(round*round)*4*time.Millisecond, func() { c.cmd.Process.Kill() }) //nolint:errcheck // it may be done
		c.cmd.Wait()                                                                                   //nolint:errcheck // it was killed
		left := 0
		for _, g := range previewOf(t, other, map[string]any{"text": word}).Going {
			left += g.Count
		}
		if left != 0 && left != told {
			t.Fatalf("%d of %d are left", left, told)
		}
		other.call("update_working_memory", map[string]any{"content": "life goes on", "importance": 0.5})
		other.in.Close()
		other.cmd.Wait() //nolint:errcheck // its end is all that counts
		if left > 0 {
			continue
		}
		files, err := filepath.Glob(db + "*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if raw, err := os.ReadFile(name); err != nil || bytes.Contains(bytes.ToLower(raw), []byte(word)) {
				t.Errorf("round %d: %s still holds it, %v", round, filepath.Base(name), err)
			}
		}
	}
}

type forgetPreview struct {
	Going   []struct{ Count int }
	Confirm string
}

func previewOf(t *testing.T, c *client, in map[string]any) (p forgetPreview) {
	t.Helper()
	toolstest.Decode(t, c.call("forget", in), &p)
	return p
}
