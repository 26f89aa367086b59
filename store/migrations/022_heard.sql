-- +goose Up

-- Turns that a hook heard before, or besides, the file of their session. A file
-- that holds the same turn claims the row; so it is never stored twice. Like
-- messages, they stay known when their row was forgotten.
CREATE TABLE capture_heard (
    id       INTEGER PRIMARY KEY,
    said     BLOB    NOT NULL,          -- hash of session, speaker and text
    heard_at INTEGER NOT NULL,          -- unix milliseconds
    l0_id    INTEGER REFERENCES l0_raw (id) ON DELETE SET NULL,
    in_file  INTEGER NOT NULL           -- 1: its message was read in a file too
);
CREATE INDEX capture_heard_said ON capture_heard (said, heard_at);
CREATE INDEX capture_heard_row ON capture_heard (l0_id) WHERE l0_id IS NOT NULL;

-- +goose Down
DROP TABLE capture_heard;
