-- +goose Up

-- Files that were taken in, named by their content. The bytes lie beside the
-- database, in files/sha256.
CREATE TABLE blobs (
    sha256     TEXT    PRIMARY KEY,             -- 64 hexadecimal digits
    size       INTEGER NOT NULL,                -- bytes
    mime       TEXT    NOT NULL,                -- media type, by its content
    name       TEXT    NOT NULL,                -- file name when it first came
    created_at INTEGER NOT NULL,                -- unix milliseconds
    text       TEXT    NOT NULL DEFAULT ''      -- what was read of it, for the records' full-text index
);

-- Which records hold which files: a blob without a row here is let go.
CREATE TABLE record_blobs (
    record INTEGER NOT NULL REFERENCES records (seq) ON DELETE CASCADE,
    sha256 TEXT    NOT NULL REFERENCES blobs (sha256),
    PRIMARY KEY (record, sha256)
) WITHOUT ROWID;
CREATE INDEX record_blobs_sha256 ON record_blobs (sha256);

-- The items of a file of items (rows, messages, contacts), which live and die
-- with the record of the file.
CREATE TABLE record_parts (
    part   INTEGER PRIMARY KEY REFERENCES records (seq) ON DELETE CASCADE,
    parent INTEGER NOT NULL REFERENCES records (seq) ON DELETE CASCADE,
    number INTEGER NOT NULL                     -- from 1, in the file's order
);
CREATE INDEX record_parts_parent ON record_parts (parent, number);

-- +goose Down
DROP TABLE record_parts;
DROP TABLE record_blobs;
DROP TABLE blobs;
