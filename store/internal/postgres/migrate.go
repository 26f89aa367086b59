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
	`DROP TABLE IF EXISTS capture_sightings`, // which a new database has not
	`CREATE TABLE capture_turns (
		l0_id BIGINT PRIMARY KEY,
		project BIGINT,
		own_project BIGINT
	);
	CREATE INDEX capture_turns_project ON capture_turns (project);
	CREATE INDEX capture_turns_own_project ON capture_turns (own_project) WHERE own_project IS NOT NULL;
	ALTER TABLE capture_turns ADD FOREIGN KEY (l0_id) REFERENCES l0_raw (id) ON DELETE CASCADE;
	ALTER TABLE capture_turns ADD FOREIGN KEY (project) REFERENCES capture_projects (id) ON DELETE SET NULL;
	ALTER TABLE capture_turns ADD FOREIGN KEY (own_project) REFERENCES capture_projects (id) ON DELETE SET NULL;`,
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
	for line := range strings.Lines(schema + strings.Join(steps, "\n")) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "ALTER TABLE ") && strings.Contains(line, " ADD FOREIGN KEY ") {
			statements = append(statements, line)
		}
	}
	return statements
}
