package postgres

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"
	"strings"

	"github.com/pressly/goose/v3"
)

// Migrations have the numbers of those of SQLite; the first makes all up to its own.
//
//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the schema of the search path to a version.
func Migrate(ctx context.Context, db *sql.DB, version int64) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	_, err = provider.UpTo(ctx, version)
	return err
}

// References are the statements that make every table refer to others, as the
// migrations have them.
func References() []string {
	var statements []string
	entries, err := migrations.ReadDir("migrations")
	if err != nil {
		panic("postgres: " + err.Error()) // they are part of the program
	}
	for _, entry := range entries {
		text, err := migrations.ReadFile("migrations/" + entry.Name())
		if err != nil {
			panic("postgres: " + err.Error())
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "ALTER TABLE ") && strings.Contains(line, " ADD FOREIGN KEY ") {
				statements = append(statements, strings.TrimSpace(line))
			}
		}
	}
	return statements
}
