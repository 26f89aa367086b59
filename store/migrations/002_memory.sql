-- +goose Up

-- L0: dialogue as it was said, never changed.
CREATE TABLE l0_raw (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id  TEXT    NOT NULL,
    speaker     TEXT    NOT NULL,
    content     TEXT    NOT NULL,
    metadata    TEXT,             -- JSON object as given, or NULL
    occurred_at INTEGER NOT NULL, -- unix milliseconds: metadata.date, else when it was stored
    created_at  INTEGER NOT NULL  -- unix milliseconds: when it was stored
);
CREATE INDEX l0_raw_session ON l0_raw (session_id, occurred_at, id);
CREATE INDEX l0_raw_speaker ON l0_raw (speaker, occurred_at, id);
CREATE INDEX l0_raw_time ON l0_raw (occurred_at, id);

-- The tags in the metadata of a dialogue row.
CREATE TABLE l0_tags (
    tag   TEXT    NOT NULL,
    l0_id INTEGER NOT NULL REFERENCES l0_raw (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, l0_id)
) WITHOUT ROWID;
CREATE INDEX l0_tags_row ON l0_tags (l0_id);

-- L2: insights. A changed insight is a new row; the old one is superseded and
-- stays for the history. The rows of one history share root_id.
CREATE TABLE l2_insights (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    root_id        INTEGER,          -- the first row of its history
    version        INTEGER NOT NULL, -- 1 for the first
    content        TEXT    NOT NULL,
    source_ids     TEXT    NOT NULL, -- JSON array of l0_raw ids as given
    fidelity_score REAL    NOT NULL,
    metadata       TEXT    NOT NULL, -- JSON object: fidelity_warning, warning_message
    created_at     INTEGER NOT NULL,
    superseded_by  INTEGER REFERENCES l2_insights (id),
    deleted_at     INTEGER,
    reason         TEXT    NOT NULL DEFAULT '' -- why it was superseded or deleted
);
CREATE INDEX l2_insights_time ON l2_insights (created_at, id);
CREATE INDEX l2_insights_history ON l2_insights (root_id, version);

-- The dialogue an insight came from, in the order given. Unknown ids are kept.
CREATE TABLE l2_sources (
    insight_id INTEGER NOT NULL REFERENCES l2_insights (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    l0_id      INTEGER NOT NULL,
    PRIMARY KEY (insight_id, position)
) WITHOUT ROWID;
CREATE INDEX l2_sources_l0 ON l2_sources (l0_id, insight_id);

-- Working memory: at most ten rows. access_seq grows with every use and decides
-- what was used least recently; clocks of several processes may disagree.
CREATE TABLE working_memory (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    content       TEXT    NOT NULL,
    importance    REAL    NOT NULL CHECK (importance BETWEEN 0 AND 1),
    last_accessed INTEGER NOT NULL,
    access_seq    INTEGER NOT NULL UNIQUE,
    created_at    INTEGER NOT NULL
);
CREATE TABLE stale_memory (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    working_memory_id INTEGER NOT NULL, -- its id while it was in working memory
    original_content  TEXT    NOT NULL,
    importance        REAL    NOT NULL,
    reason            TEXT    NOT NULL CHECK (reason IN ('LRU_EVICTION', 'MANUAL_ARCHIVE')),
    archived_at       INTEGER NOT NULL
);
CREATE INDEX stale_memory_time ON stale_memory (archived_at, id);
CREATE INDEX stale_memory_reason ON stale_memory (reason, archived_at, id);

CREATE TABLE episode_memory (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    query      TEXT    NOT NULL,
    reward     REAL    NOT NULL CHECK (reward BETWEEN -1 AND 1),
    reflection TEXT    NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE INDEX episode_memory_time ON episode_memory (created_at, id);

-- Queries whose documents two judges rate.
CREATE TABLE ground_truth (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    query         TEXT    NOT NULL UNIQUE,
    expected_docs TEXT,             -- JSON array of l2_insights ids; NULL: not labelled
    judge1_score  REAL,             -- mean of the latest evaluation, NULL: none
    judge2_score  REAL,
    judge1_model  TEXT,
    judge2_model  TEXT,
    judge_mode    TEXT,
    kappa         REAL,
    created_at    INTEGER NOT NULL,
    evaluated_at  INTEGER
);
CREATE TABLE judge_scores (
    query_id     INTEGER NOT NULL REFERENCES ground_truth (id) ON DELETE CASCADE,
    doc_id       INTEGER NOT NULL,
    judge1_score REAL,              -- NULL: this judgement failed
    judge2_score REAL,
    evaluated_at INTEGER NOT NULL,
    PRIMARY KEY (query_id, doc_id)
) WITHOUT ROWID;

-- Queries whose retrieval is tested every day.
CREATE TABLE golden_queries (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    query         TEXT    NOT NULL,
    session_id    TEXT    NOT NULL DEFAULT '', -- where it was asked, if known
    expected_docs TEXT,                        -- JSON array of l2_insights ids; NULL: not labelled
    word_count    INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    UNIQUE (query, session_id)
);
CREATE TABLE golden_results (
    day            TEXT PRIMARY KEY, -- YYYY-MM-DD, UTC
    precision_at_5 REAL    NOT NULL,
    metrics        TEXT    NOT NULL, -- JSON: the whole result of the day
    tested_at      INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE golden_query_results (
    query_id       INTEGER NOT NULL REFERENCES golden_queries (id) ON DELETE CASCADE,
    day            TEXT    NOT NULL,
    precision_at_5 REAL    NOT NULL,
    PRIMARY KEY (query_id, day)
) WITHOUT ROWID;

-- A label that could still change would make results of different days
-- incomparable: once a query has its expected documents, it is frozen.
-- +goose StatementBegin
CREATE TRIGGER ground_truth_frozen BEFORE UPDATE OF query, expected_docs, created_at ON ground_truth
WHEN old.expected_docs IS NOT NULL
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ground_truth_kept BEFORE DELETE ON ground_truth
WHEN old.expected_docs IS NOT NULL
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER golden_queries_frozen BEFORE UPDATE ON golden_queries
WHEN old.expected_docs IS NOT NULL
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER golden_queries_kept BEFORE DELETE ON golden_queries
WHEN old.expected_docs IS NOT NULL
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;
-- +goose StatementEnd

-- What search knows of each row of dialogue (l0), insights (l2) and episodes.
-- The terms are derived from the row when it is written; `toolkit reembed
-- --rebuild` derives them again.
CREATE TABLE memory_rows (
    id           INTEGER PRIMARY KEY,
    source       TEXT    NOT NULL,  -- l0, l2 or episode
    row_id       INTEGER NOT NULL,  -- id in l0_raw, l2_insights or episode_memory
    session      TEXT,              -- dialogue: its session; NULL stands alone
    position     INTEGER NOT NULL,  -- 1, 2, … within the session
    speaker      TEXT    NOT NULL,
    created      INTEGER NOT NULL,  -- unix milliseconds: when it happened
    retired      INTEGER NOT NULL,  -- 1: superseded or deleted
    terms        TEXT    NOT NULL,  -- index terms of the text
    day          TEXT    NOT NULL,  -- index terms of the day
    source_terms TEXT    NOT NULL,  -- insight: index terms of the dialogue it came from
    UNIQUE (source, row_id),
    UNIQUE (source, session, position)
);
CREATE INDEX memory_rows_time ON memory_rows (source, created);
CREATE INDEX memory_rows_speaker ON memory_rows (source, speaker);

CREATE TABLE memory_statistics (
    source TEXT PRIMARY KEY,
    rows   INTEGER NOT NULL,
    words  INTEGER NOT NULL -- terms of all rows
) WITHOUT ROWID;
INSERT INTO memory_statistics VALUES ('l0', 0, 0), ('l2', 0, 0), ('episode', 0, 0);

-- One full-text index a source, so that rarity is rarity within the source. The
-- rowid is memory_rows.id. Terms come ready, of ASCII letters and digits and
-- anything beyond ASCII, which is what this tokenizer leaves alone.
CREATE VIRTUAL TABLE memory_words_l0 USING fts5(body, day, sources, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE memory_words_l2 USING fts5(body, day, sources, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE memory_words_episode USING fts5(body, day, sources, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE memory_vocabulary_l0 USING fts5vocab(memory_words_l0, 'col');
CREATE VIRTUAL TABLE memory_vocabulary_l2 USING fts5vocab(memory_words_l2, 'col');
CREATE VIRTUAL TABLE memory_vocabulary_episode USING fts5vocab(memory_words_episode, 'col');

-- Vector spaces by the name of their model. A row may have a vector in several:
-- two processes may be configured differently.
CREATE TABLE memory_spaces (
    id    INTEGER PRIMARY KEY,
    model TEXT NOT NULL UNIQUE
);
-- seq is the change feed that the index of each process follows.
CREATE TABLE memory_vectors (
    seq       INTEGER PRIMARY KEY AUTOINCREMENT,
    space     INTEGER NOT NULL REFERENCES memory_spaces (id),
    memory_id INTEGER NOT NULL REFERENCES memory_rows (id) ON DELETE CASCADE,
    source    TEXT    NOT NULL,
    vector    BLOB, -- NULL: the text has no content to embed
    UNIQUE (memory_id, space)
);
CREATE INDEX memory_vectors_feed ON memory_vectors (space, source, seq);

-- +goose Down
DROP TABLE memory_vectors;
DROP TABLE memory_spaces;
DROP TABLE memory_vocabulary_episode;
DROP TABLE memory_vocabulary_l2;
DROP TABLE memory_vocabulary_l0;
DROP TABLE memory_words_episode;
DROP TABLE memory_words_l2;
DROP TABLE memory_words_l0;
DROP TABLE memory_statistics;
DROP TABLE memory_rows;
DROP TABLE golden_query_results;
DROP TABLE golden_results;
DROP TRIGGER golden_queries_kept;
DROP TRIGGER ground_truth_kept;
DROP TABLE golden_queries;
DROP TABLE judge_scores;
DROP TABLE ground_truth;
DROP TABLE episode_memory;
DROP TABLE stale_memory;
DROP TABLE working_memory;
DROP TABLE l2_sources;
DROP TABLE l2_insights;
DROP TABLE l0_tags;
DROP TABLE l0_raw;
