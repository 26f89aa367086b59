package postgres

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"strings"
)

//go:embed schema.sql
var schema string

// steps are the changes of the schema since schema.sql, those of SQLite in the words of
// PostgreSQL.
var steps = []string{
	`DROP TABLE staged_words`,
}

// Migrate brings the schema of the search path from a version, 0 for an empty one, to
// the newest, all of it or nothing. oldest is the version of schema.sql.
func Migrate(ctx context.Context, db *sql.DB, version, oldest int64) error {
	var all strings.Builder
	apply := func(step string, reached int64) {
		fmt.Fprintf(&all, "%s;\nINSERT INTO goose_db_version(version_id, is_applied) VALUES(%d, TRUE);\n", step, reached)
	}
	if version == 0 {
		apply(schema, oldest)
		version = oldest
	}
	for i, step := range steps[version-oldest:] {
		apply(step, version+int64(i)+1)
	}
	_, err := db.ExecContext(ctx, all.String()) // sent as one, statements are one transaction
	return err
}

// References are the statements that make every table refer to others, as the schema
// has them.
func References() []string {
	var statements []string
	for line := range strings.Lines(schema) {
		if strings.HasPrefix(line, "ALTER TABLE ") && strings.Contains(line, " ADD FOREIGN KEY ") {
			statements = append(statements, strings.TrimSpace(line))
		}
	}
	return statements
}
