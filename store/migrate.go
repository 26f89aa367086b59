package store

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"

	"toolkit/store/internal/query"
)

// schema makes all tables of a new SQLite database, at version oldestSchema.
//
//go:embed schema.sql
var schema string

// oldestSchema is the oldest version that this program opens.
const oldestSchema = 35

// schemaSteps are the changes of the schema since oldestSchema: each is the SQL that
// leads to the next version and keeps every row. store/internal/postgres has as many.
var schemaSteps = []string{
	// Rows and their words are written together again; words of an import that was killed
	// before its rows came are removed.
	`DELETE FROM entity_words WHERE rowid IN (SELECT d.id FROM entity_words_docsize d JOIN staged_words ON d.id BETWEEN first_entity AND last_entity) AND rowid NOT IN (SELECT id FROM entities);
	DELETE FROM observation_words WHERE rowid IN (SELECT d.id FROM observation_words_docsize d JOIN staged_words ON d.id BETWEEN first_observation AND last_observation) AND rowid NOT IN (SELECT id FROM observations);
	DROP TABLE staged_words`,
	// What is noticed in dialogue is an insight at once.
	`DROP TABLE capture_sightings`,
	// A session may move from one repository to another.
	`CREATE TABLE capture_turns (
		l0_id       INTEGER PRIMARY KEY REFERENCES l0_raw (id) ON DELETE CASCADE,
		project     INTEGER REFERENCES capture_projects (id) ON DELETE SET NULL,
		own_project INTEGER REFERENCES capture_projects (id) ON DELETE SET NULL
	);
	CREATE INDEX capture_turns_project ON capture_turns (project);
	CREATE INDEX capture_turns_own_project ON capture_turns (own_project) WHERE own_project IS NOT NULL`,
	// Nodes of the graph are found by meaning. seq is the feed that the index of each
	// process follows; version is entity_changes.seq of the text that was read. The row of a
	// deleted node stays, without its vector, to tell the others.
	`CREATE TABLE node_vectors (
		seq     INTEGER PRIMARY KEY AUTOINCREMENT,
		space   INTEGER NOT NULL REFERENCES memory_spaces (id),
		node    INTEGER NOT NULL,
		version INTEGER NOT NULL,
		vector  BLOB,
		UNIQUE (node, space)
	);
	CREATE INDEX node_vectors_feed ON node_vectors (space, seq);
	INSERT OR IGNORE INTO entity_changes(entity_id) SELECT id FROM entities`,
	// What a subagent is asked comes from the assistant, not from the user.
	`UPDATE l0_raw SET speaker = 'assistant' WHERE speaker = 'user' AND session_id IN (SELECT session_id FROM capture_sessions WHERE side_chain <> 0);
	UPDATE memory_rows SET speaker = 'assistant' WHERE source = 'l0' AND speaker = 'user' AND session IN (SELECT session_id FROM capture_sessions WHERE side_chain <> 0)`,
	// The last sessions are asked for at each prompt and note.
	`CREATE INDEX capture_sessions_ended ON capture_sessions (ended_at)`,
}

// NewestSchema is the schema version that this program brings databases to.
func NewestSchema() int64 { return oldestSchema + int64(len(schemaSteps)) }

// CheckSchema refuses a schema version that this program cannot bring to the newest,
// with an *OpenError that says what to do. Version 0 is a database without tables yet.
func CheckSchema(version int64) error {
	switch newest := NewestSchema(); {
	case version > newest:
		return &OpenError{Message: fmt.Sprintf("the database was written by a newer toolkit (schema %d; this program knows %d); update toolkit, or choose another database with --db", version, newest)}
	case version != 0 && version < oldestSchema:
		return &OpenError{Message: fmt.Sprintf("the database was written by a toolkit that is too old (schema %d; this program opens schema %d and later); "+
			"bring it to schema %[2]d with the last build that could, of commit 663ee7c: run its 'toolkit doctor --fix' on the database once", version, oldestSchema)}
	}
	return nil
}

// migrate makes the schema of a new database, or brings that of an earlier program to
// the newest version.
func migrate(ctx context.Context, db *sql.DB) error { return migrateTo(ctx, db, NewestSchema()) }

// migrateTo does all of it in one transaction, so that another process which opens the
// same new file finds either nothing or a whole schema.
func migrateTo(ctx context.Context, db *sql.DB, newest int64) error {
	version, err := schemaVersion(ctx, db)
	if err != nil {
		return err
	}
	if err := CheckSchema(version); err != nil || version >= newest {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit this is a no-op
	if version, err = schemaVersion(ctx, tx); err != nil {
		return err
	}
	for version < newest {
		step, reached := schema, int64(oldestSchema)
		if version > 0 {
			step, reached = schemaSteps[version-oldestSchema], version+1
		}
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return fmt.Errorf("preparing the database: %w", err)
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO goose_db_version(version_id, is_applied) VALUES(?, 1)`, reached); err != nil {
			return err
		}
		version = reached
	}
	return tx.Commit()
}

// schemaVersion returns the newest version that a database has reached, 0 for a new file.
func schemaVersion(ctx context.Context, db query.Connection) (version int64, err error) {
	var exists bool
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'goose_db_version'`).Scan(&exists); err != nil || !exists {
		return 0, err
	}
	return reachedVersion(ctx, db)
}

func reachedVersion(ctx context.Context, db query.Connection) (version int64, err error) {
	err = db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	return version, err
}
