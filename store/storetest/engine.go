package storetest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"

	"toolkit/store/internal/elsewhere"
)

// Postgres is the variable with the address of a database of PostgreSQL in which tests
// keep what else they keep in files: each file becomes a space there.
const Postgres = "TOOLKIT_TEST_POSTGRES"

func init() {
	address := os.Getenv(Postgres)
	if address == "" {
		return
	}
	elsewhere.Of = func(path string) (string, string) {
		sum := sha256.Sum256([]byte(path))
		return address, "t" + hex.EncodeToString(sum[:10])
	}
}

// OnSQLite skips a test of what only a file of SQLite has.
func OnSQLite(t testing.TB, what string) {
	t.Helper()
	if elsewhere.Of != nil {
		t.Skip("of SQLite: " + what)
	}
}
