package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"

	"toolkit/store/internal/query"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationAttempts bounds how often migrate starts again because another
// process was migrating the same new file at the same moment.
const migrationAttempts = 20

// migrate brings the schema to the newest version this program knows, and
// refuses a database that a newer program has already moved on.
func migrate(ctx context.Context, db *sql.DB) error {
	newest, err := NewestSchema()
	if err != nil {
		return err
	}
	return migrateTo(ctx, db, newest)
}

// NewestSchema is the schema version that this program brings databases to.
func NewestSchema() (int64, error) {
	entries, err := fs.ReadDir(migrations, "migrations")
	if err != nil {
		return 0, err
	}
	return goose.NumericComponent(entries[len(entries)-1].Name())
}

func migrateTo(ctx context.Context, db *sql.DB, newest int64) error {
	last := int64(-1)
	for range migrationAttempts {
		version, err := schemaVersion(ctx, db)
		if err != nil {
			return err
		}
		if version > newest {
			return &OpenError{Message: fmt.Sprintf("the database was written by a newer toolkit (schema %d; this program knows %d); update toolkit, or choose another file with --db", version, newest)}
		}
		skipped, err := skippedMigrations(ctx, db)
		if err != nil {
			return err
		}
		if len(skipped) > 0 {
			return &OpenError{Message: fmt.Sprintf("the database has schema %d without %s, which an unfinished build of toolkit can leave; open it with the program that made it and save it there with 'toolkit export --all', or bring back a backup with 'toolkit restore FILE --force'", version, stepNames(skipped))}
		}
		if version == newest {
			return nil
		}
		if err = untilFree(ctx, func() error { return applyMigrations(ctx, db, newest) }); err == nil {
			return nil
		}
		// Two processes may start on a new file at once: the loser's step fails
		// because the winner has already made it. Going on is right as long as
		// the schema advances.
		after, versionErr := schemaVersion(ctx, db)
		if versionErr != nil || (after == version && after == last) {
			return fmt.Errorf("preparing the database: %w", err)
		}
		last = version
	}
	return errors.New("preparing the database did not come to an end")
}

// applyMigrations goes through what is missing up to a version. A provider of
// goose looks for its table once, so each attempt has its own.
func applyMigrations(ctx context.Context, db *sql.DB, newest int64) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	_, err = provider.UpTo(ctx, newest)
	return err
}

// skippedMigrations are the migrations that a database lacks although it has
// later ones. They cannot be made up for: later ones built on them.
func skippedMigrations(ctx context.Context, db execer) ([]int64, error) {
	version, err := schemaVersion(ctx, db)
	if err != nil || version == 0 {
		return nil, err
	}
	applied, err := query.All(asIs{ctx, db}, query.Column[int64], `SELECT version_id FROM goose_db_version WHERE is_applied`)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	var skipped []int64
	for _, entry := range entries {
		step, err := goose.NumericComponent(entry.Name())
		if err != nil {
			return nil, err
		}
		if step < version && !slices.Contains(applied, step) {
			skipped = append(skipped, step)
		}
	}
	return skipped, nil
}

// stepNames names migrations in a sentence.
func stepNames(steps []int64) string {
	names := make([]string, len(steps))
	for i, step := range steps {
		names[i] = strconv.FormatInt(step, 10)
	}
	if len(names) == 1 {
		return "step " + names[0]
	}
	return "steps " + strings.Join(names, ", ")
}

// schemaVersion is the newest migration applied, 0 for a new file. It reads
// goose's table directly: asking goose would write to the file.
func schemaVersion(ctx context.Context, db execer) (int64, error) {
	var exists int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'goose_db_version'`).Scan(&exists); err != nil || exists == 0 {
		return 0, err
	}
	var version int64
	err := db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	return version, err
}
