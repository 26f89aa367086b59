-- +goose Up

-- Whatever can be retrieved as a record: stored records, payloads, corrections.
CREATE TABLE records (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT    NOT NULL UNIQUE,         -- UUID
    type       TEXT    NOT NULL,                -- as written
    properties TEXT    NOT NULL,                -- JSON object, updates merged in
    file_urls  TEXT    NOT NULL DEFAULT '[]',   -- JSON array of strings
    embedding  TEXT,                            -- JSON array of numbers from the caller, or NULL
    entity     INTEGER REFERENCES truth_entities (seq) ON DELETE SET NULL, -- what the record itself is
    created_at INTEGER NOT NULL,                -- unix milliseconds
    updated_at INTEGER NOT NULL
);
CREATE INDEX records_newest ON records (created_at DESC, id);
CREATE INDEX records_entity ON records (entity);

-- Every type a record answers to: its own, its subtype, aliases' common name, family.
CREATE TABLE record_types (
    key        TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    record     INTEGER NOT NULL REFERENCES records (seq) ON DELETE CASCADE,
    PRIMARY KEY (key, created_at DESC, id)
) WITHOUT ROWID;
CREATE INDEX record_types_record ON record_types (record);

-- Hashes of path and value of everything in the properties, for equality filters.
CREATE TABLE record_values (
    key    INTEGER NOT NULL,
    record INTEGER NOT NULL,
    PRIMARY KEY (key, record)
) WITHOUT ROWID;

CREATE VIRTUAL TABLE record_words USING fts5 (
    type, words,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Envelopes as submitted; never changed. The record of the same id shows them.
CREATE TABLE payloads (
    id                TEXT    PRIMARY KEY,      -- UUID
    content_id        TEXT    NOT NULL UNIQUE,
    submission_id     TEXT    NOT NULL UNIQUE,  -- sub_ and a UUID of version 7
    capability        TEXT    NOT NULL,
    body              TEXT    NOT NULL,         -- JSON object
    source_refs       TEXT    NOT NULL,         -- JSON array of strings
    extracted_at      INTEGER NOT NULL,
    extractor_version TEXT    NOT NULL,
    agent_id          TEXT    NOT NULL DEFAULT '',
    client_request_id TEXT    NOT NULL DEFAULT '',
    created_at        INTEGER NOT NULL
);

-- Things that documents speak of. root is the entity whose snapshot holds the
-- observations: the row itself unless it was merged into another.
CREATE TABLE truth_entities (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT    NOT NULL UNIQUE,        -- ent_ and a hash of type and name
    type        TEXT    NOT NULL,
    name        TEXT    NOT NULL,               -- for people; empty while nothing is observed
    name_key    TEXT    NOT NULL,               -- folded, for look-up
    root        INTEGER NOT NULL DEFAULT 0,
    merged_into INTEGER REFERENCES truth_entities (seq),
    merged_at   INTEGER,
    created_at  INTEGER NOT NULL
);
CREATE INDEX truth_entities_name ON truth_entities (name_key);
CREATE INDEX truth_entities_root ON truth_entities (root);
CREATE INDEX truth_entities_merged ON truth_entities (merged_into) WHERE merged_into IS NOT NULL;

-- What one source said about an entity at a time. entity follows merges, origin
-- does not.
CREATE TABLE truth_observations (
    seq               INTEGER PRIMARY KEY AUTOINCREMENT, -- ingest order
    id                TEXT    NOT NULL UNIQUE,
    entity            INTEGER NOT NULL REFERENCES truth_entities (seq),
    origin            INTEGER NOT NULL REFERENCES truth_entities (seq),
    record            INTEGER NOT NULL REFERENCES records (seq),
    source            TEXT    NOT NULL CHECK (source IN ('payload', 'record', 'update', 'correction')),
    observed_at       INTEGER NOT NULL,
    created_at        INTEGER NOT NULL,
    specificity_score REAL    NOT NULL,
    source_priority   INTEGER NOT NULL,
    digest            TEXT    NOT NULL,          -- of the normalised fields
    request           TEXT    NOT NULL DEFAULT '', -- client_request_id
    fields            TEXT    NOT NULL           -- JSON object
);
CREATE INDEX truth_observations_entity ON truth_observations (entity, observed_at, seq, created_at);
CREATE INDEX truth_observations_record ON truth_observations (record, origin);

-- What the observations of an entity amount to, kept up with every write.
CREATE TABLE snapshots (
    entity            INTEGER PRIMARY KEY REFERENCES truth_entities (seq) ON DELETE CASCADE,
    type              TEXT    NOT NULL,
    state             TEXT    NOT NULL,          -- JSON: value and winning observation by field
    observation_count INTEGER NOT NULL,
    last_observed_at  INTEGER NOT NULL,
    first_created_at  INTEGER NOT NULL,
    last_created_at   INTEGER NOT NULL
);
CREATE INDEX snapshots_newest ON snapshots (last_observed_at, entity);
CREATE INDEX snapshots_type ON snapshots (type, last_observed_at, entity);

CREATE TABLE snapshot_values (
    key    INTEGER NOT NULL,
    entity INTEGER NOT NULL,
    PRIMARY KEY (key, entity)
) WITHOUT ROWID;

CREATE VIRTUAL TABLE snapshot_words USING fts5 (
    name, words,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Dated fields of snapshots.
CREATE TABLE timeline_events (
    entity INTEGER NOT NULL REFERENCES truth_entities (seq) ON DELETE CASCADE,
    field  TEXT    NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (entity, field)
) WITHOUT ROWID;
CREATE INDEX timeline_events_at ON timeline_events (at, entity, field);

-- How a field is reduced; a field without a row takes the last write.
CREATE TABLE merge_policies (
    entity_type TEXT NOT NULL,
    field       TEXT NOT NULL,
    strategy    TEXT NOT NULL CHECK (strategy IN ('last_write', 'highest_priority', 'most_specific', 'merge_array')),
    PRIMARY KEY (entity_type, field)
) WITHOUT ROWID;
INSERT INTO merge_policies (entity_type, field, strategy) VALUES
    ('company', 'aliases', 'merge_array'), ('company', 'tags', 'merge_array'), ('company', 'emails', 'merge_array'),
    ('person', 'aliases', 'merge_array'), ('person', 'tags', 'merge_array'), ('person', 'emails', 'merge_array'),
    ('contact', 'aliases', 'merge_array'), ('contact', 'tags', 'merge_array'), ('contact', 'emails', 'merge_array'),
    ('note', 'tags', 'merge_array');

CREATE TABLE typed_relationships (
    id          TEXT    PRIMARY KEY,             -- UUID of version 5
    type        TEXT    NOT NULL,
    source      INTEGER NOT NULL REFERENCES truth_entities (seq),
    target      INTEGER NOT NULL REFERENCES truth_entities (seq),
    source_root INTEGER NOT NULL,                -- follow merges, like observations
    target_root INTEGER NOT NULL,
    metadata    TEXT,                            -- JSON object or NULL
    created_at  INTEGER NOT NULL
);
CREATE INDEX typed_relationships_out ON typed_relationships (source_root, created_at DESC, id);
CREATE INDEX typed_relationships_in ON typed_relationships (target_root, created_at DESC, id);
CREATE INDEX typed_relationships_walk ON typed_relationships (type, source_root, target_root);

-- +goose Down
DROP TABLE typed_relationships;
DROP TABLE merge_policies;
DROP TABLE timeline_events;
DROP TABLE snapshot_words;
DROP TABLE snapshot_values;
DROP TABLE snapshots;
DROP TABLE truth_observations;
DROP TABLE record_types;
DROP TABLE record_values;
DROP TABLE record_words;
DROP TABLE records;
DROP TABLE payloads;
DROP TABLE truth_entities;
