package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/graph"
)

// onServer is the address of the PostgreSQL of the tests.
func onServer(t testing.TB) string {
	t.Helper()
	address := os.Getenv(storetest.Postgres)
	if address == "" {
		t.Skip("there is no PostgreSQL: scripts/postgres.sh runs tests beside one")
	}
	return address
}

// connect opens a connection past the store.
func connect(t testing.TB, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) }) //nolint:errcheck // the test is over
	return conn
}

func texts(t testing.TB, conn *pgx.Conn, query string, args ...any) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// space opens a space of its own, which goes with the test.
func space(t testing.TB, name string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), store.Options{Path: onServer(t), Space: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		db.Close() //nolint:errcheck // the schema goes
		conn, err := pgx.Connect(context.Background(), onServer(t))
		if err == nil {
			_, err = conn.Exec(context.Background(), `DROP SCHEMA toolkit_`+name+` CASCADE`)
			err = errors.Join(err, conn.Close(context.Background()))
		}
		if err != nil {
			t.Error(err)
		}
	})
	return db
}

func add(t testing.TB, db *store.DB, name string) error {
	t.Helper()
	return db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: name, Type: "x", Observations: []string{"of " + name}})
		return err
	})
}

// Both engines have the same tables with the same columns, of types that mean the
// same, the same keys, indexes on the same columns and the same rows to begin with.
func TestBothEnginesHaveOneSchema(t *testing.T) {
	space(t, "schema")
	conn := connect(t, onServer(t))
	path := filepath.Join(t.TempDir(), "toolkit.db")
	there := storetest.DescribeSchemaByPartKind(t, path)
	here := map[string][]string{
		"columns": texts(t, conn, `SELECT c.relname || '.' || a.attname || ' ' || CASE format_type(a.atttypid, a.atttypmod) WHEN 'bigint' THEN 'INTEGER' WHEN 'double precision' THEN 'REAL' WHEN 'text' THEN 'TEXT' WHEN 'bytea' THEN 'BLOB' ELSE format_type(a.atttypid, a.atttypmod) END
			FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE c.relnamespace = 'toolkit_schema'::regnamespace AND c.relkind = 'r'`),
		"keys": texts(t, conn, `SELECT c.relname || ' ' || (SELECT string_agg(a.attname, ' ' ORDER BY k.place) FROM unnest(i.indkey::int[]) WITH ORDINALITY AS k(n, place) JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.n)
			FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE i.indisprimary AND c.relnamespace = 'toolkit_schema'::regnamespace`),
		"indexes": texts(t, conn, `SELECT indexname FROM pg_indexes WHERE schemaname = 'toolkit_schema'`),
		"references": texts(t, conn, `SELECT c.relname || '.' || a.attname || ' ' || p.relname || ' ' || CASE k.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'NO ACTION' END
			FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1] WHERE k.contype = 'f' AND k.connamespace = 'toolkit_schema'::regnamespace`),
	}
	for part, want := range there {
		if len(want) < 20 {
			t.Errorf("only %d %s were compared", len(want), part)
		}
		for _, line := range want {
			if !slices.Contains(here[part], line) {
				t.Errorf("PostgreSQL lacks, of %s: %s", part, line)
			}
		}
	}
	for _, part := range []string{"columns", "keys", "references"} {
		for _, line := range here[part] {
			if !slices.Contains(there[part], line) && !ofPostgres(line) {
				t.Errorf("SQLite lacks, of %s: %s", part, line)
			}
		}
	}
}

// ofPostgres tells what PostgreSQL keeps in tables and SQLite beside its file or in its
// full-text indexes.
func ofPostgres(line string) bool {
	table, _, _ := strings.Cut(strings.ReplaceAll(line, " ", "."), ".")
	return table == "goose_db_version" || table == "blob_bytes" || table == "keys" || strings.Contains(table, "_words") || strings.HasPrefix(table, "memory_vocabulary")
}

func TestADatabaseThatCannotBeUsedIsToldInASentence(t *testing.T) {
	address := onServer(t)
	conn := connect(t, address)
	for _, statement := range []string{
		`DROP DATABASE IF EXISTS alphabetical`, `CREATE DATABASE alphabetical TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`,
		`DROP ROLE IF EXISTS stranger`, `CREATE ROLE stranger LOGIN`, `DROP ROLE IF EXISTS crowded`, `CREATE ROLE crowded LOGIN CONNECTION LIMIT 0`,
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	other := func(change func(*url.URL)) string {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		change(u)
		return u.String()
	}
	elsewhere := func(u *url.URL) { u.RawQuery = "host=" + url.QueryEscape(t.TempDir()) }
	for name, test := range map[string]struct{ address, says string }{
		"nobody answers":     {other(elsewhere), "cannot be reached; start PostgreSQL"},
		"no such database":   {other(func(u *url.URL) { u.Path = "/nosuch" }), "CREATE DATABASE"},
		"another encoding":   {other(func(u *url.URL) { u.Path = "/alphabetical" }), "LC_COLLATE 'C'"},
		"a user without say": {other(func(u *url.URL) { u.User = url.User("stranger") }), "GRANT CREATE ON DATABASE"},
		"a full server":      {other(func(u *url.URL) { u.User = url.User("crowded") }), "no connection left; raise its max_connections"},
		"no such user":       {other(func(u *url.URL) { u.User = url.UserPassword("nosuch", "very-secret") }), "refuses the user or the password"},
		"no address":         {"postgres://user:very-secret@host:port/x", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			db, err := store.Open(ctx, store.Options{Path: test.address, Space: "unusable"})
			if err == nil {
				db.Close() //nolint:errcheck // it should not be open
				t.Fatal("it was opened")
			}
			var known *store.OpenError
			if !errors.As(err, &known) || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "very-secret") {
				t.Errorf("it says %v, want a sentence with %q", err, test.says)
			}
		})
	}
}

func TestASchemaOfANewerProgramIsRefused(t *testing.T) {
	db := space(t, "newer")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	conn := connect(t, onServer(t))
	if _, err := conn.Exec(t.Context(), `INSERT INTO toolkit_newer.goose_db_version(version_id, is_applied) VALUES(9999, TRUE)`); err != nil {
		t.Fatal(err)
	}
	if again, err := store.Open(t.Context(), store.Options{Path: onServer(t), Space: "newer"}); err == nil || !strings.Contains(err.Error(), "update toolkit") {
		t.Errorf("opening gives %v, %v", again, err)
	}
}

// A dropped connection: what had not begun is begun again on another one; what had is
// an error that says so, and nothing of it is kept.
func TestADroppedConnection(t *testing.T) {
	db := space(t, "dropped")
	conn := connect(t, onServer(t))
	drop := func() {
		texts(t, conn, `SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE application_name = 'toolkit_dropped'`)
	}
	if err := add(t, db, "before"); err != nil {
		t.Fatal(err)
	}
	drop()
	if err := add(t, db, "after"); err != nil {
		t.Errorf("a write on a connection that was dropped while idle: %v", err)
	}
	drop()
	if err := db.Read(t.Context(), func(tx *store.Tx) error { _, _, err := graph.In(tx).EntityID("after"); return err }); err != nil {
		t.Errorf("a read on a connection that was dropped while idle: %v", err)
	}
	err := db.Write(t.Context(), func(tx *store.Tx) error {
		if _, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: "during", Type: "x"}); err != nil {
			return err
		}
		drop()
		_, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: "during 2", Type: "x"})
		return err
	})
	if !errors.Is(err, store.ErrUnreachable) {
		t.Errorf("a write whose connection was dropped gives %v", err)
	}
	storetest.Read(t, db, func(tx *store.Tx) error {
		for name, want := range map[string]bool{"before": true, "after": true, "during": false} {
			if _, found, err := graph.In(tx).EntityID(name); err != nil || found != want {
				t.Errorf("%s: found %v, %v", name, found, err)
			}
		}
		return nil
	})
}

// Writers of several handles follow each other: numbers of a feed become visible in
// their order, whoever reads meanwhile.
func TestAFeedIsSeenInItsOrder(t *testing.T) {
	const handles, each = 4, 25
	dbs := []*store.DB{space(t, "feed")}
	for len(dbs) < handles {
		db, err := store.Open(t.Context(), store.Options{Path: onServer(t), Space: "feed"})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close() //nolint:errcheck // it only read and wrote
		dbs = append(dbs, db)
	}
	var writers, reader sync.WaitGroup
	done := make(chan struct{})
	reader.Go(func() {
		conn, err := pgx.Connect(context.Background(), onServer(t))
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close(context.Background()) //nolint:errcheck // it only read
		seen, last := map[int64]bool{}, int64(0)
		for ended := false; ; {
			select {
			case <-done:
				ended = true // what was written is seen by the look that follows
			default:
			}
			rows, err := conn.Query(context.Background(), `SELECT seq FROM toolkit_feed.entity_changes ORDER BY seq`)
			if err != nil {
				t.Error(err)
				return
			}
			found, err := pgx.CollectRows(rows, pgx.RowTo[int64])
			if err != nil {
				t.Error(err)
				return
			}
			newest := last
			for _, seq := range found {
				if seq <= last && !seen[seq] {
					t.Errorf("%d became visible after %d", seq, last)
				}
				seen[seq], newest = true, max(newest, seq)
			}
			last = newest
			if ended {
				if len(found) != handles*each {
					t.Errorf("%d rows in the feed", len(found))
				}
				return
			}
		}
	})
	for i, db := range dbs {
		writers.Go(func() {
			for n := range each {
				if err := add(t, db, fmt.Sprintf("%d of %d", n, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(done)
	reader.Wait()
}

// A space is a schema, and nothing of another one can be named from it.
func TestASpaceKnowsNothingOfAnother(t *testing.T) {
	anna, bob := space(t, "anna"), space(t, "bob")
	if err := add(t, anna, "Anna's"); err != nil {
		t.Fatal(err)
	}
	storetest.Read(t, bob, func(tx *store.Tx) error {
		if _, found, err := graph.In(tx).EntityID("Anna's"); found || err != nil {
			t.Errorf("found %v, %v", found, err)
		}
		return nil
	})
	if _, err := store.Open(t.Context(), store.Options{Path: onServer(t), Space: `bob", public; --`}); err == nil {
		t.Error("a name that is none was taken")
	}
}
