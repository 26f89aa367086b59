-- +goose Up

-- A lexical vector is a function of its text: it is made when it is asked for. The
-- table is made anew with the vectors of models, which takes as long as these are
-- many; the pages of the others become free.
CREATE TABLE memory_vectors_kept (
    seq       INTEGER PRIMARY KEY AUTOINCREMENT,
    space     INTEGER NOT NULL REFERENCES memory_spaces (id),
    memory_id INTEGER NOT NULL REFERENCES memory_rows (id) ON DELETE CASCADE,
    source    TEXT    NOT NULL,
    vector    BLOB, -- NULL: the text has no content to embed
    UNIQUE (memory_id, space)
);
INSERT INTO memory_vectors_kept(seq, space, memory_id, source, vector)
    SELECT v.seq, v.space, v.memory_id, v.source, v.vector FROM memory_spaces s JOIN memory_vectors v ON v.space = s.id
    WHERE s.model <> 'local-hash-v1' ORDER BY v.seq;
-- Places in the change feed go on where they were.
DELETE FROM sqlite_sequence WHERE name = 'memory_vectors_kept';
INSERT INTO sqlite_sequence(name, seq) SELECT 'memory_vectors_kept', seq FROM sqlite_sequence WHERE name = 'memory_vectors';
DROP TABLE memory_vectors;
ALTER TABLE memory_vectors_kept RENAME TO memory_vectors;
CREATE INDEX memory_vectors_feed ON memory_vectors (space, source, seq);
DELETE FROM memory_spaces WHERE model = 'local-hash-v1';

-- +goose Down
-- What is gone is made again by the version before, when it searches.
SELECT 1;
