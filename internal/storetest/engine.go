package storetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"toolkit/store/localfile"
)

// Postgres is the variable with the address of a database of PostgreSQL in which tests
// keep what else they keep in files: each file becomes a space there.
const Postgres = "TOOLKIT_TEST_POSTGRES"

func init() {
	address := os.Getenv(Postgres)
	if address == "" {
		return
	}
	all := &spaces{address: address, of: map[string]string{}}
	localfile.Redirect = func(path string) (string, string) { return address, all.assignSpace(path) }
}

// spaces are those of the tests of one package. Making a schema takes longer than most
// tests, so that one whose test is over, with its folder, is emptied for another.
type spaces struct {
	address string
	mu      sync.Mutex
	of      map[string]string // by the path of the file that it stands for
	made    int
}

func (s *spaces) assignSpace(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if space, known := s.of[path]; known {
		return space
	}
	for old, space := range s.of {
		if _, err := os.Stat(filepath.Dir(old)); err == nil {
			continue
		}
		delete(s.of, old)
		if s.emptySpace(space) == nil {
			s.of[path] = space
			return space
		}
	}
	s.made++
	s.of[path] = fmt.Sprintf("t%d_%d", os.Getpid(), s.made)
	return s.of[path]
}

// emptying takes all rows out of the tables of a schema, begins their numbers anew and
// keeps what a new one begins with: all but the key that no two have in common.
const emptying = `DO $$ DECLARE t RECORD; filled BOOLEAN; BEGIN
	SET LOCAL session_replication_role = replica; -- no trigger keeps what is frozen
	FOR t IN SELECT relname, relkind FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'S') AND relname NOT IN ('goose_db_version', 'goose_db_version_id_seq', 'merge_policies', 'capture_key', 'memory_statistics') LOOP
		IF t.relkind = 'S' THEN
			PERFORM setval(t.relname::regclass, 1, FALSE);
			CONTINUE;
		END IF;
		EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', t.relname) INTO filled;
		IF filled THEN
			EXECUTE format('DELETE FROM %I', t.relname);
		END IF;
	END LOOP;
	DELETE FROM memory_statistics WHERE source NOT IN ('l0', 'l2', 'episode');
	UPDATE memory_statistics SET rows = 0, words = 0;
	DELETE FROM merge_policies;
	INSERT INTO merge_policies (entity_type, field, strategy)
		SELECT e, f, 'merge_array' FROM unnest(ARRAY['company', 'person', 'contact']) e, unnest(ARRAY['aliases', 'tags', 'emails']) f
		UNION ALL SELECT 'note', 'tags', 'merge_array';
END $$`

func (s *spaces) emptySpace(space string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // it goes with the test
	if _, err := conn.Exec(ctx, `SET search_path = toolkit_`+space); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, emptying)
	return err
}

// SkipUnlessSQLite skips a test of what only a file of SQLite has.
func SkipUnlessSQLite(t testing.TB, what string) {
	t.Helper()
	if localfile.Redirect != nil {
		t.Skip("of SQLite: " + what)
	}
}
