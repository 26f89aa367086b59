-- +goose Up

-- What a forgetting still has to do after its commit, and the sign that it is
-- going on. Empty but for that.
CREATE TABLE forgetting (
    id     INTEGER PRIMARY KEY,
    stage  INTEGER NOT NULL, -- 0: rows are going; 1: the file is to be rewritten; 2: the log is to be emptied
    sha256 TEXT              -- a file to be removed from the disk, or NULL
);

-- Vectors that are gone, as part of the change feed of memory_vectors: seq is
-- from its sequence.
CREATE TABLE memory_forgotten (
    seq       INTEGER PRIMARY KEY,
    memory_id INTEGER NOT NULL,
    source    TEXT    NOT NULL
);
CREATE INDEX memory_forgotten_feed ON memory_forgotten (source, seq);

-- A labelled query is frozen, but it may be forgotten.
DROP TRIGGER ground_truth_kept;
DROP TRIGGER golden_queries_kept;
-- +goose StatementBegin
CREATE TRIGGER ground_truth_kept BEFORE DELETE ON ground_truth
WHEN old.expected_docs IS NOT NULL AND NOT EXISTS (SELECT 1 FROM forgetting WHERE stage = 0)
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER golden_queries_kept BEFORE DELETE ON golden_queries
WHEN old.expected_docs IS NOT NULL AND NOT EXISTS (SELECT 1 FROM forgetting WHERE stage = 0)
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER golden_queries_kept;
DROP TRIGGER ground_truth_kept;
-- +goose StatementBegin
CREATE TRIGGER ground_truth_kept BEFORE DELETE ON ground_truth
WHEN old.expected_docs IS NOT NULL
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER golden_queries_kept BEFORE DELETE ON golden_queries
WHEN old.expected_docs IS NOT NULL
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;
-- +goose StatementEnd
DROP TABLE memory_forgotten;
DROP TABLE forgetting;
