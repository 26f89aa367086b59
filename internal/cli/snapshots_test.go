package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"toolkit/store"
	"toolkit/store/entities"
)

func TestSnapshotsAreComparedAndRebuilt(t *testing.T) {
	path := emptyDatabase(t)
	ctx := context.Background()
	run := func(args ...string) (string, error) {
		var out bytes.Buffer
		o := &settings{streams: Streams{In: strings.NewReader(""), Out: &out, Err: &bytes.Buffer{}, Getenv: func(string) string { return "" }}, db: path}
		cmd := newSnapshots(o)
		cmd.SetArgs(args)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		err := cmd.ExecuteContext(ctx)
		return out.String(), err
	}
	if out, err := run("rebuild"); err != nil || out != "0 snapshots compared, 0 stored anew\n" {
		t.Errorf("an empty store gives %q, %v", out, err)
	}
	db, err := store.Open(ctx, store.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Write(ctx, func(tx *store.Tx) error {
		e, err := entities.In(tx).EnsureEntity("ent_a", "note")
		if err != nil {
			return err
		}
		return entities.In(tx).SaveSnapshot(entities.Snapshot{Entity: e.Seq, Type: "note", State: []byte(`{}`), Count: 1}, nil, nil)
	})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
		ok   bool
	}{
		{[]string{"rebuild", "--check"}, "1 snapshot compared, 1 differs from its observations\n", false},
		{[]string{"rebuild"}, "1 snapshot compared, 1 stored anew\n", true},
		{[]string{"rebuild", "--check"}, "0 snapshots compared, 0 differ from their observations\n", true},
	} {
		out, err := run(c.args...)
		if out != c.want || (err == nil) != c.ok {
			t.Errorf("%v gives %q, %v", c.args, out, err)
		}
	}
}
