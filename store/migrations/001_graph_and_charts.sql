-- +goose Up

-- One row a topic; every committed write advances those it touched.
CREATE TABLE change_sequence (
    topic TEXT PRIMARY KEY,
    seq   INTEGER NOT NULL
) WITHOUT ROWID;

-- Every node of the one graph: ordinary entities, charts, action steps, beats.
CREATE TABLE entities (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    name         TEXT    NOT NULL UNIQUE,
    type         TEXT    NOT NULL,
    kind         TEXT    NOT NULL DEFAULT 'plain' CHECK (kind IN ('plain', 'chart', 'step', 'beat')),
    title        TEXT    NOT NULL DEFAULT '', -- desired outcome, step title or beat title
    folded_title TEXT    NOT NULL DEFAULT '', -- case and space folded, for look-up by title
    body         TEXT    NOT NULL DEFAULT '', -- further searchable text: a beat's narrative
    metadata     TEXT,                        -- JSON object as imported, or NULL
    extra        TEXT,                        -- JSON object of unknown keys as imported, or NULL
    origin       TEXT,                        -- JSON: what else an imported file said, for the way back
    created_at   INTEGER NOT NULL,            -- unix milliseconds
    updated_at   INTEGER NOT NULL
);
CREATE INDEX entities_type ON entities (type, id);
CREATE INDEX entities_title ON entities (kind, folded_title) WHERE kind <> 'plain';

-- What is known of an entity, in order. A chart's rows are the facts of its
-- current reality, a step's its progress observations.
CREATE TABLE observations (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    entity_id  INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    content    TEXT    NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE INDEX observations_entity ON observations (entity_id, id);
-- Finds an equal observation without indexing long texts whole.
CREATE INDEX observations_start ON observations (entity_id, substr(content, 1, 48));

CREATE TABLE relations (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    from_id    INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    to_id      INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    type       TEXT    NOT NULL,
    structural INTEGER NOT NULL DEFAULT 0,    -- 1: part of a chart, lives and dies with it
    stated     INTEGER NOT NULL DEFAULT 0,    -- 1: structural, and an imported file states it as well
    metadata   TEXT,
    extra      TEXT,
    created_at INTEGER NOT NULL,
    UNIQUE (from_id, to_id, type)
);
CREATE INDEX relations_to ON relations (to_id);

-- Entities in the order of their last change, deleted ones included, so that an
-- index in memory can catch up: seq grows, one row an entity.
CREATE TABLE entity_changes (
    seq       INTEGER PRIMARY KEY AUTOINCREMENT,
    entity_id INTEGER NOT NULL UNIQUE
);

-- Words of names, types, titles and bodies (rowid = entities.id) and of
-- observations (rowid = observations.id).
CREATE VIRTUAL TABLE entity_words USING fts5 (
    name, type, title, body,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE observation_words USING fts5 (
    content,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE charts (
    entity_id      INTEGER PRIMARY KEY REFERENCES entities (id) ON DELETE CASCADE,
    parent_step_id INTEGER REFERENCES steps (entity_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    level          INTEGER NOT NULL,           -- 0 for a master chart
    due_date       TEXT    NOT NULL,           -- as given
    next_step      INTEGER NOT NULL DEFAULT 1, -- numbers are never reused
    next_beat      INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX charts_parent ON charts (parent_step_id);

-- A step made by add_action_step has a row here and one in charts.
CREATE TABLE steps (
    entity_id    INTEGER PRIMARY KEY REFERENCES entities (id) ON DELETE CASCADE,
    chart_id     INTEGER NOT NULL REFERENCES charts (entity_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    number       INTEGER NOT NULL,
    folded_title TEXT    NOT NULL,
    due_date     TEXT    NOT NULL,
    completed_at TEXT                          -- RFC 3339, NULL while open
);
-- Not unique: imported charts may repeat a title, which tools then refuse to add to.
CREATE INDEX steps_title ON steps (chart_id, folded_title);
CREATE INDEX steps_order ON steps (chart_id, number);

CREATE TABLE beats (
    entity_id      INTEGER PRIMARY KEY REFERENCES entities (id) ON DELETE CASCADE,
    chart_id       INTEGER REFERENCES charts (entity_id) ON DELETE CASCADE, -- NULL: imported without its chart
    parent_beat_id INTEGER REFERENCES beats (entity_id) ON DELETE CASCADE,
    act            REAL    NOT NULL,           -- 1, 2 or 3; imported ones as they were
    type_dramatic  TEXT    NOT NULL,
    universes      TEXT    NOT NULL,           -- JSON array of strings
    occurred_at    TEXT    NOT NULL,           -- RFC 3339
    narrative      TEXT    NOT NULL,           -- JSON: description, prose, lessons
    alignment      TEXT    NOT NULL,           -- JSON: assessed, score, principles
    directions     TEXT    NOT NULL,           -- JSON: four directions
    next_sub       INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX beats_chart ON beats (chart_id, act, occurred_at);
CREATE INDEX beats_parent ON beats (parent_beat_id);

-- Lines of imported files that mean nothing to toolkit, kept for the way back.
CREATE TABLE foreign_lines (
    id  INTEGER PRIMARY KEY AUTOINCREMENT,
    raw TEXT NOT NULL
);

-- +goose Down
DROP TABLE foreign_lines;
DROP TABLE beats;
DROP TABLE steps;
DROP TABLE charts;
DROP TABLE observation_words;
DROP TABLE entity_words;
DROP TABLE entity_changes;
DROP TABLE relations;
DROP TABLE observations;
DROP TABLE entities;
DROP TABLE change_sequence;
