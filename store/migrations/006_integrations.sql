-- +goose Up

-- Files of export archives and how far each was read. A fingerprint stands for
-- the contents, so a renamed or repeated archive is not read again.
CREATE TABLE import_documents (
    provider    TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    position    INTEGER NOT NULL,                -- where reading goes on
    finished    INTEGER NOT NULL DEFAULT 0,
    updated_at  INTEGER NOT NULL,                -- unix milliseconds
    PRIMARY KEY (provider, fingerprint)
) WITHOUT ROWID;

-- What archives said last of each record, so that an item that comes again
-- costs no write and a record that was deleted stays deleted.
CREATE TABLE imported_items (
    record TEXT    PRIMARY KEY,                  -- UUID of the record
    digest INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE import_runs (
    id           TEXT    PRIMARY KEY,            -- UUID
    provider     TEXT    NOT NULL,
    status       TEXT    NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed')),
    added        INTEGER NOT NULL DEFAULT 0,
    updated      INTEGER NOT NULL DEFAULT 0,
    unchanged    INTEGER NOT NULL DEFAULT 0,
    errors       INTEGER NOT NULL DEFAULT 0,
    started_at   INTEGER NOT NULL,
    completed_at INTEGER
) WITHOUT ROWID;
CREATE INDEX import_runs_newest ON import_runs (provider, started_at DESC, id);

-- Connections to banks. The access token is encrypted with a key that lies
-- beside the database, never in it.
CREATE TABLE plaid_items (
    id               TEXT    PRIMARY KEY,        -- UUID
    item_id          TEXT    NOT NULL UNIQUE,    -- Plaid's own id
    institution_id   TEXT    NOT NULL,
    institution_name TEXT    NOT NULL,
    products         TEXT    NOT NULL,           -- JSON array of strings
    accounts         TEXT    NOT NULL,           -- JSON array of objects
    access_token     BLOB    NOT NULL,           -- sealed
    public_token     TEXT    NOT NULL UNIQUE,    -- SHA-256 of the token it was made from
    cursor           TEXT    NOT NULL DEFAULT '',
    status           TEXT    NOT NULL CHECK (status IN ('active', 'error', 'revoked')),
    error_code       TEXT    NOT NULL DEFAULT '',
    synced_at        INTEGER,                    -- last successful sync
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX plaid_items_oldest ON plaid_items (created_at, id);

-- +goose Down
DROP TABLE plaid_items;
DROP TABLE import_runs;
DROP TABLE imported_items;
DROP TABLE import_documents;
