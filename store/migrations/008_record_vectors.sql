-- +goose Up

-- Vector spaces of records by the name of their model. A record may have a
-- vector in several: two processes may be configured differently.
CREATE TABLE record_spaces (
    id    INTEGER PRIMARY KEY,
    model TEXT    NOT NULL UNIQUE,
    -- 1: a model's, so that every record gets a vector; 0: of vectors that come with records
    embeds INTEGER NOT NULL
);

-- seq is the change feed that the index of each process follows: a row gets a new
-- one whenever it changes. The row of a deleted record stays, without its vector,
-- to tell the others.
CREATE TABLE record_vectors (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    space   INTEGER NOT NULL REFERENCES record_spaces (id),
    record  INTEGER NOT NULL,           -- records.seq, which is never used again
    vector  BLOB,                       -- NULL: nothing to embed, deleted, or not embedded yet
    pending INTEGER NOT NULL DEFAULT 0, -- 1: the record changed and is to be embedded again
    UNIQUE (record, space)
);
CREATE INDEX record_vectors_feed ON record_vectors (space, seq);
CREATE INDEX record_vectors_pending ON record_vectors (space, record) WHERE pending = 1;

-- +goose Down
DROP TABLE record_vectors;
DROP TABLE record_spaces;
