-- The schema of a SQLite database, version 35. A new database is made by this file and by
-- the steps in migrate.go that came after it; so a change of the schema is a step there.

PRAGMA application_id = 0x746c6b74; -- "tlkt"

-- The versions that the database has reached, a row each. Table and columns have the
-- names that earlier programs gave them.
CREATE TABLE goose_db_version (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    version_id INTEGER NOT NULL,
    is_applied INTEGER NOT NULL,
    tstamp     TIMESTAMP DEFAULT (datetime('now'))
);

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
    next_beat      INTEGER NOT NULL DEFAULT 1,
    -- A chart stays active until its creator closes it; the outcome is more than its steps.
    status         TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'abandoned')),
    closed_at      TEXT                        -- RFC 3339, NULL while active
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
CREATE INDEX l2_insights_superseded ON l2_insights (superseded_by) WHERE superseded_by IS NOT NULL;
-- How many insights no longer count is asked for whenever the page is shown.
CREATE INDEX l2_insights_retired ON l2_insights (id) WHERE superseded_by IS NOT NULL OR deleted_at IS NOT NULL;

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
-- A label that could still change would make results of different days
-- incomparable: once a query has its expected documents, it is frozen.
CREATE TRIGGER ground_truth_frozen BEFORE UPDATE OF query, expected_docs, created_at ON ground_truth
WHEN old.expected_docs IS NOT NULL
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;
CREATE TRIGGER ground_truth_kept BEFORE DELETE ON ground_truth
WHEN old.expected_docs IS NOT NULL AND NOT EXISTS (SELECT 1 FROM forgetting WHERE stage = 0)
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;

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
CREATE TRIGGER golden_queries_frozen BEFORE UPDATE ON golden_queries
WHEN old.expected_docs IS NOT NULL
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;
CREATE TRIGGER golden_queries_kept BEFORE DELETE ON golden_queries
WHEN old.expected_docs IS NOT NULL AND NOT EXISTS (SELECT 1 FROM forgetting WHERE stage = 0)
BEGIN SELECT raise(ABORT, 'a labelled query is frozen'); END;

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

-- What search knows of each row of dialogue (l0), insights (l2) and episodes.
-- The terms are derived from the row when it is written; `toolkit admin
-- reembed --rebuild` derives them again.
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
-- The turns of a session in the order in which they were said: what is imported late,
-- or in another order, stands where it belongs. Equal times go by arrival.
CREATE INDEX memory_rows_order ON memory_rows (session, created) WHERE session IS NOT NULL;

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
CREATE TRIGGER records_kept AFTER UPDATE OF type, properties, file_urls, embedding ON records
WHEN (old.type, old.properties, old.file_urls, old.embedding) IS NOT (new.type, new.properties, new.file_urls, new.embedding)
BEGIN
    INSERT INTO record_history(record, replaced_at, type, properties, file_urls, embedding)
    VALUES(old.seq, new.updated_at, old.type, old.properties, old.file_urls, CASE WHEN old.embedding IS NOT new.embedding THEN old.embedding END);
END;

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
    fields            TEXT    NOT NULL,          -- JSON object
    -- The correction that an observation takes back. One that takes a correction back and
    -- names none takes back all before it.
    withdraws         TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX truth_observations_entity ON truth_observations (entity, observed_at, seq, created_at);
CREATE INDEX truth_observations_record ON truth_observations (record, origin);
-- Corrections and updates, of which there are few among many documents.
CREATE INDEX truth_observations_weighty ON truth_observations (entity) WHERE source_priority > 0;
-- What refers to rows that may be forgotten. Without these, each row that goes
-- costs a walk through the whole table that might refer to it.
CREATE INDEX truth_observations_origin ON truth_observations (origin);

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
    created_at  INTEGER NOT NULL,
    -- A relationship that documents say goes with the last of them, unless a caller said it
    -- as well. Mostly it is one document.
    said        INTEGER NOT NULL DEFAULT 1,      -- by a caller
    record      INTEGER                          -- first document that says it
);
CREATE INDEX typed_relationships_out ON typed_relationships (source_root, created_at DESC, id);
CREATE INDEX typed_relationships_in ON typed_relationships (target_root, created_at DESC, id);
CREATE INDEX typed_relationships_source ON typed_relationships (source);
CREATE INDEX typed_relationships_target ON typed_relationships (target);

-- Further documents that say a relationship.
CREATE TABLE relationship_sources (
    relationship TEXT    NOT NULL REFERENCES typed_relationships (id) ON DELETE CASCADE,
    record       INTEGER NOT NULL,
    PRIMARY KEY (relationship, record)
) WITHOUT ROWID;

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

-- Where readings and everything else about pockets came from. Provenance never
-- changes: other terms are another data set.
CREATE TABLE pocket_datasets (
    seq                  INTEGER PRIMARY KEY AUTOINCREMENT,
    name                 TEXT    NOT NULL UNIQUE,
    source               TEXT    NOT NULL,
    source_url           TEXT    NOT NULL,
    license              TEXT    NOT NULL,
    license_url          TEXT    NOT NULL,
    attribution_required INTEGER NOT NULL,
    synthetic            INTEGER NOT NULL,       -- made up by a program
    created_at           INTEGER NOT NULL        -- unix milliseconds
);
CREATE TRIGGER pocket_datasets_fixed BEFORE UPDATE ON pocket_datasets
BEGIN SELECT raise(ABORT, 'the provenance of a data set is fixed'); END;

-- Atmosphere. The key is natural, so that an import can be repeated; the latest
-- reading of a pocket is one seek.
CREATE TABLE pocket_readings (
    pocket            TEXT    NOT NULL,
    captured_at       INTEGER NOT NULL,
    dataset           INTEGER NOT NULL REFERENCES pocket_datasets (seq),
    stress            REAL    NOT NULL,
    calm              REAL    NOT NULL,
    social_energy     REAL    NOT NULL,
    productive        REAL    NOT NULL,
    signal_saturation REAL,                      -- NULL: not recorded
    movement_friction REAL,
    primary_state     TEXT    NOT NULL,
    anomaly           INTEGER NOT NULL,
    PRIMARY KEY (pocket, captured_at)
) WITHOUT ROWID;

CREATE TABLE pocket_outlets (
    id               TEXT    PRIMARY KEY,        -- UUID
    dataset          INTEGER NOT NULL REFERENCES pocket_datasets (seq),
    pocket           TEXT    NOT NULL,
    name             TEXT    NOT NULL,
    unit             TEXT    NOT NULL,
    category         TEXT    NOT NULL,
    opens_at         TEXT    NOT NULL,           -- HH:MM in Singapore; both empty: not known
    closes_at        TEXT    NOT NULL,
    active           INTEGER NOT NULL,
    rain_sensitivity REAL,
    dna              TEXT    NOT NULL            -- JSON object: trait to 0..1
) WITHOUT ROWID;
CREATE INDEX pocket_outlets_pocket ON pocket_outlets (pocket, active, id);

-- Sustainability ledger; a measure that an entry does not state is NULL.
CREATE TABLE pocket_ledger (
    pocket                TEXT    NOT NULL,
    occurred_at           INTEGER NOT NULL,
    outlet                TEXT    NOT NULL,      -- empty: the pocket as a whole
    entry                 TEXT    NOT NULL,      -- tells entries of one moment apart
    dataset               INTEGER NOT NULL REFERENCES pocket_datasets (seq),
    waste_avoided_units   REAL,
    idle_reclaimed_hours  REAL,
    purposeful_trips      REAL,
    attention_saved_count REAL,
    dollar_value_sgd      REAL,
    PRIMARY KEY (pocket, occurred_at, outlet, entry)
) WITHOUT ROWID;

-- What was surfaced to somebody, and how that was taken.
CREATE TABLE pocket_attention (
    pocket      TEXT    NOT NULL,
    occurred_at INTEGER NOT NULL,
    kind        TEXT    NOT NULL CHECK (kind IN ('surfaced', 'dismissed', 'accepted')),
    user        TEXT    NOT NULL,                -- empty: nobody in particular
    outlet      TEXT    NOT NULL,
    event       TEXT    NOT NULL,                -- tells events of one moment apart
    dataset     INTEGER NOT NULL REFERENCES pocket_datasets (seq),
    PRIMARY KEY (pocket, occurred_at, kind, user, outlet, event)
) WITHOUT ROWID;
CREATE INDEX pocket_attention_user ON pocket_attention (user, occurred_at, kind) WHERE user <> '';

-- The five factors of moment quality; the score follows from them.
CREATE TABLE pocket_quality (
    pocket       TEXT    NOT NULL,
    computed_at  INTEGER NOT NULL,
    dataset      INTEGER NOT NULL REFERENCES pocket_datasets (seq),
    computed     INTEGER NOT NULL,               -- derived here, by the loop
    usefulness   REAL    NOT NULL,
    urgency      REAL    NOT NULL,
    calmness     REAL    NOT NULL,
    merchant_fit REAL    NOT NULL,
    user_need    REAL    NOT NULL,
    neutral      TEXT    NOT NULL,               -- JSON array: factors that had no evidence
    PRIMARY KEY (pocket, computed_at)
) WITHOUT ROWID;

-- Forecasts. What was sealed never changes, what was revealed neither.
CREATE TABLE pocket_predictions (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT    NOT NULL UNIQUE,      -- UUID
    dataset        INTEGER NOT NULL REFERENCES pocket_datasets (seq),
    pocket         TEXT    NOT NULL,
    generator      TEXT    NOT NULL,
    prediction_key TEXT    NOT NULL,
    sealed_at      INTEGER NOT NULL,
    reveal_at      INTEGER NOT NULL,
    payload        TEXT    NOT NULL,             -- JSON object
    seal           TEXT    NOT NULL,             -- SHA-256 of all that was sealed
    revealed_at    INTEGER,
    observation    TEXT,                         -- JSON object
    accuracy       REAL,
    UNIQUE (generator, prediction_key)
);
CREATE INDEX pocket_predictions_sealed ON pocket_predictions (sealed_at, seq, pocket, generator, revealed_at, accuracy);
CREATE INDEX pocket_predictions_pocket ON pocket_predictions (pocket, sealed_at, seq, generator, revealed_at, accuracy);
CREATE INDEX pocket_predictions_open ON pocket_predictions (reveal_at, seq) WHERE revealed_at IS NULL;
CREATE TRIGGER pocket_predictions_sealed_once
BEFORE UPDATE OF seq, id, dataset, pocket, generator, prediction_key, sealed_at, reveal_at, payload, seal ON pocket_predictions
BEGIN SELECT raise(ABORT, 'a sealed prediction cannot be changed'); END;
CREATE TRIGGER pocket_predictions_revealed_once
BEFORE UPDATE OF revealed_at, observation, accuracy ON pocket_predictions
WHEN old.revealed_at IS NOT NULL
BEGIN SELECT raise(ABORT, 'a revealed prediction cannot be changed'); END;
CREATE TRIGGER pocket_predictions_kept BEFORE DELETE ON pocket_predictions
BEGIN SELECT raise(ABORT, 'a sealed prediction cannot be deleted'); END;
-- REPLACE removes the row in its way without asking the trigger against deletion,
-- unless its connection has recursive_triggers on. Other programs have it off.
CREATE TRIGGER pocket_predictions_not_replaced BEFORE INSERT ON pocket_predictions
WHEN EXISTS (SELECT 1 FROM pocket_predictions p WHERE p.seq = new.seq OR p.id = new.id)
    OR EXISTS (SELECT 1 FROM pocket_predictions p WHERE p.generator = new.generator AND p.prediction_key = new.prediction_key)
BEGIN SELECT raise(ABORT, 'a sealed prediction cannot be replaced'); END;

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

-- Names that calls repeat: tools and agents.
CREATE TABLE telemetry_names (
    id   INTEGER PRIMARY KEY,
    name TEXT    NOT NULL UNIQUE
);

-- Moments and counts of the telemetry itself, such as when it was last pruned.
CREATE TABLE telemetry_state (
    key   TEXT    PRIMARY KEY,
    value INTEGER NOT NULL
);

-- What samples are of: the calls of a tool that ended in one way, or a gauge.
-- count, sum and buckets are totals that only grow, also after pruning.
CREATE TABLE metric_series (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL,             -- call, or the name of a gauge
    tool       TEXT    NOT NULL DEFAULT '',
    status     TEXT    NOT NULL DEFAULT '',  -- success or error; for a gauge its label
    error_code TEXT    NOT NULL DEFAULT '',
    cached     INTEGER NOT NULL DEFAULT 0,
    count      INTEGER NOT NULL DEFAULT 0,
    sum        INTEGER NOT NULL DEFAULT 0,   -- thousandths
    buckets    TEXT    NOT NULL DEFAULT '[]', -- JSON array: samples up to each bound
    UNIQUE (name, tool, status, error_code, cached)
);

-- Samples of a series, at most an hour of them.
CREATE TABLE metric_chunks (
    id      INTEGER PRIMARY KEY,
    series  INTEGER NOT NULL REFERENCES metric_series (id),
    started INTEGER NOT NULL, -- unix milliseconds of the earliest sample
    ended   INTEGER NOT NULL, -- and of the latest
    last    INTEGER NOT NULL, -- and of the last one appended
    count   INTEGER NOT NULL,
    sum     INTEGER NOT NULL, -- thousandths, like all values
    least   INTEGER NOT NULL,
    most    INTEGER NOT NULL,
    times   BLOB    NOT NULL, -- distances from one sample to the next
    samples BLOB    NOT NULL  -- their values
);
CREATE INDEX metric_chunks_time ON metric_chunks (series, started);

-- The log of calls, one row each, in the order of arrival; no content.
CREATE TABLE call_events (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL, -- unix milliseconds
    actor   INTEGER NOT NULL, -- hash of the user's id
    agent   INTEGER NOT NULL, -- telemetry_names
    session INTEGER NOT NULL, -- hash of the session's id
    tool    INTEGER NOT NULL, -- telemetry_names
    outcome INTEGER NOT NULL  -- 0 success, 1 validation, 2 business, 3 system
);

-- What each actor did first, in all and with each agent (0: all of them).
CREATE TABLE analytics_actors (
    agent             INTEGER NOT NULL,
    actor             INTEGER NOT NULL,
    first_at          INTEGER NOT NULL,
    last_at           INTEGER NOT NULL,
    session_end       INTEGER NOT NULL, -- last call of the first session so far
    first_upload      INTEGER,
    first_extraction  INTEGER,
    first_entity      INTEGER,
    first_event       INTEGER,
    first_search      INTEGER,
    first_query       INTEGER,
    funnel_upload     INTEGER,          -- first upload since signing up, and so on in order
    funnel_extraction INTEGER,
    funnel_entity     INTEGER,
    funnel_timeline   INTEGER,
    days              INTEGER NOT NULL, -- bit n: active n days after the first day
    PRIMARY KEY (agent, actor)
) WITHOUT ROWID;
CREATE INDEX analytics_actors_first ON analytics_actors (agent, first_at);

-- Days on which an actor was active, 60 to a row.
CREATE TABLE analytics_activity (
    agent INTEGER NOT NULL,
    block INTEGER NOT NULL, -- days since 1970 divided by 60
    actor INTEGER NOT NULL,
    days  INTEGER NOT NULL, -- bit n: active on day n of the block
    PRIMARY KEY (agent, block, actor)
) WITHOUT ROWID;

-- Sums of a day.
CREATE TABLE analytics_days (
    agent    INTEGER NOT NULL,
    day      INTEGER NOT NULL, -- since 1970, UTC
    actors   INTEGER NOT NULL,
    calls    INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    uploads  INTEGER NOT NULL,
    searches INTEGER NOT NULL,
    PRIMARY KEY (agent, day)
) WITHOUT ROWID;

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

-- What a record was before it was updated. Whoever updates it, the database
-- keeps it, until the record is deleted.
CREATE TABLE record_history (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    record      INTEGER NOT NULL REFERENCES records (seq) ON DELETE CASCADE,
    replaced_at INTEGER NOT NULL,               -- unix milliseconds
    type        TEXT    NOT NULL,
    properties  TEXT    NOT NULL,
    file_urls   TEXT    NOT NULL,
    embedding   TEXT                            -- NULL also when it was not replaced
);
CREATE INDEX record_history_record ON record_history (record, seq);

-- Snapshots to be reduced again.
CREATE TABLE outdated_snapshots (entity INTEGER PRIMARY KEY REFERENCES truth_entities (seq) ON DELETE CASCADE);

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

-- Words that were indexed ahead of their rows, which come with the last
-- transaction of a staged write. No row is given these ids meanwhile, or ever
-- when that transaction does not come: the words are then removed.
CREATE TABLE staged_words (
    id                INTEGER PRIMARY KEY,
    first_entity      INTEGER NOT NULL,
    last_entity       INTEGER NOT NULL,
    first_observation INTEGER NOT NULL,
    last_observation  INTEGER NOT NULL,
    held_until        INTEGER NOT NULL -- unix milliseconds; renewed while the write is under way
);

-- The tables capture_… hold what is captured of the sessions that assistants write
-- down. What was said in them stands in l0_raw like any other dialogue.

-- A project is what the sessions of one repository, or of one folder, belong to.
CREATE TABLE capture_projects (
    id         INTEGER PRIMARY KEY,
    key        TEXT    NOT NULL UNIQUE, -- by which a folder finds its project
    name       TEXT    NOT NULL,
    root       TEXT    NOT NULL,        -- folder
    remote     TEXT    NOT NULL,        -- of its repository, host/owner/name; empty: none
    created_at INTEGER NOT NULL,
    -- A project that a person joined to another one.
    joined     INTEGER REFERENCES capture_projects (id) ON DELETE SET NULL
);
CREATE INDEX capture_projects_joined ON capture_projects (joined) WHERE joined IS NOT NULL;

CREATE TABLE capture_sessions (
    session_id TEXT    PRIMARY KEY,     -- as in l0_raw
    client     TEXT    NOT NULL,
    project    INTEGER REFERENCES capture_projects (id) ON DELETE SET NULL,
    branch     TEXT    NOT NULL,
    side_chain INTEGER NOT NULL,        -- of a subagent
    title      TEXT    NOT NULL,
    started_at INTEGER NOT NULL,        -- unix milliseconds
    ended_at   INTEGER NOT NULL,
    -- The project that its folder says; project is the one at the top of what is joined.
    own_project INTEGER REFERENCES capture_projects (id) ON DELETE SET NULL
);
CREATE INDEX capture_sessions_project ON capture_sessions (project, ended_at);
CREATE INDEX capture_sessions_own_project ON capture_sessions (own_project) WHERE own_project IS NOT NULL;

-- Which messages were taken in. A message whose row was forgotten stays known, so
-- that it does not come back; its key says nothing of it.
CREATE TABLE capture_messages (
    key   BLOB PRIMARY KEY,             -- hash of the client and the id it gave the message
    l0_id INTEGER REFERENCES l0_raw (id) ON DELETE SET NULL,
    said  BLOB                          -- hash of what it said: a client may write it again with more in it
) WITHOUT ROWID;
CREATE INDEX capture_messages_row ON capture_messages (l0_id) WHERE l0_id IS NOT NULL;

-- How far each file was read.
CREATE TABLE capture_sources (
    id          INTEGER PRIMARY KEY,
    identity    TEXT    NOT NULL UNIQUE, -- device and inode, or path
    path        TEXT    NOT NULL,
    client      TEXT    NOT NULL,
    head        TEXT    NOT NULL,        -- hash of the first head_length bytes
    head_length INTEGER NOT NULL,
    position    INTEGER NOT NULL,        -- where to read on
    turns       INTEGER NOT NULL,        -- taken in, in all
    bad         INTEGER NOT NULL,        -- lines that could not be read, in all
    last_run    INTEGER NOT NULL,
    last_error  TEXT    NOT NULL         -- empty: it went well
);

-- What became of the runs of hooks, without a word of what was said: so that it
-- shows when capture keeps failing.
CREATE TABLE hook_runs (
    id     INTEGER PRIMARY KEY,
    at     INTEGER NOT NULL,            -- unix milliseconds
    client TEXT    NOT NULL,
    event  TEXT    NOT NULL,
    took   INTEGER NOT NULL,            -- milliseconds
    shown  INTEGER NOT NULL,            -- bytes put into the session
    takes  INTEGER NOT NULL,            -- whether it was to take something in
    error  TEXT    NOT NULL             -- empty: it went well
);

-- What a session was shown, so that it is not shown again.
CREATE TABLE hook_shown (
    session     BLOB    NOT NULL,       -- hash of its name
    fingerprint TEXT    NOT NULL,
    at          INTEGER NOT NULL,       -- unix milliseconds
    PRIMARY KEY (session, fingerprint)
) WITHOUT ROWID;
CREATE INDEX hook_shown_time ON hook_shown (at);

-- Up to when the sessions of a client were looked through. What is older than the
-- first look is taken in only when somebody asks for it.
CREATE TABLE hook_sweeps (
    client TEXT    PRIMARY KEY,
    at     INTEGER NOT NULL             -- unix milliseconds
);

-- Turns that a hook heard before, or besides, the file of their session. A file
-- that holds the same turn claims the row; so it is never stored twice. Like
-- messages, they stay known when their row was forgotten.
CREATE TABLE capture_heard (
    id       INTEGER PRIMARY KEY,
    said     BLOB    NOT NULL,          -- hash of session, speaker and text
    heard_at INTEGER NOT NULL,          -- unix milliseconds
    l0_id    INTEGER REFERENCES l0_raw (id) ON DELETE SET NULL,
    in_file  INTEGER NOT NULL,          -- 1: its message was read in a file too
    session  BLOB,                      -- hash; NULL: heard by an earlier program
    claimed  INTEGER NOT NULL DEFAULT 0 -- bytes of it that messages of a file hold; 0: none or all
);
CREATE INDEX capture_heard_said ON capture_heard (said, heard_at);
CREATE INDEX capture_heard_row ON capture_heard (l0_id) WHERE l0_id IS NOT NULL;
CREATE INDEX capture_heard_session ON capture_heard (session, heard_at) WHERE session IS NOT NULL;

-- What was found in captured dialogue by its wording: a clause of a turn that may
-- become an insight. A thing is one matter of which the same is said, a hash of
-- where it holds, its kind, its subject, what is said of it and whether it is said
-- in the negative; subject, value and replaces are hashes likewise, NULL: none.
CREATE TABLE capture_sightings (
    id        INTEGER PRIMARY KEY,
    l0_id     INTEGER NOT NULL REFERENCES l0_raw (id) ON DELETE CASCADE,
    thing     BLOB    NOT NULL,
    subject   BLOB    NOT NULL,
    value     BLOB,
    replaces  BLOB,
    explicit  INTEGER NOT NULL,
    session   TEXT    NOT NULL,
    said_at   INTEGER NOT NULL,         -- unix milliseconds
    candidate TEXT    NOT NULL          -- JSON object, with the words of the turn
);
CREATE INDEX capture_sightings_row ON capture_sightings (l0_id);
CREATE INDEX capture_sightings_strength ON capture_sightings (thing, explicit DESC, said_at, session, l0_id);
CREATE INDEX capture_sightings_time ON capture_sightings (thing, said_at, session, l0_id);
CREATE INDEX capture_sightings_session ON capture_sightings (thing, session);
CREATE INDEX capture_sightings_subject ON capture_sightings (subject, said_at);
CREATE INDEX capture_sightings_value ON capture_sightings (value, said_at) WHERE value IS NOT NULL;
CREATE INDEX capture_sightings_replaces ON capture_sightings (replaces, said_at) WHERE replaces IS NOT NULL;

-- The insight that a thing became last. A thing whose insight was forgotten stays
-- known, so that it does not come back; its hash says nothing of it.
CREATE TABLE capture_things (
    thing   BLOB PRIMARY KEY,
    insight INTEGER REFERENCES l2_insights (id) ON DELETE SET NULL
) WITHOUT ROWID;
CREATE INDEX capture_things_insight ON capture_things (insight) WHERE insight IS NOT NULL;

-- Where a reader is in a session: who reads on must know whether something private
-- is still open, and what was said so far. The key is a hash of the file, or of
-- the hooks, and of the session.
CREATE TABLE capture_places (
    place   BLOB    PRIMARY KEY,
    private INTEGER NOT NULL,           -- 1: what the user marked is not closed yet
    chain   BLOB                        -- hash of all that was said so far; NULL: nothing
) WITHOUT ROWID;

-- Sessions that are forks begin with what their parent said. What was said up to a
-- turn is one hash, so that the turns that both have are found, whichever of the
-- two is read first. Sessions are hashes; a row that was forgotten stays known.
CREATE TABLE capture_chains (
    chain   BLOB NOT NULL,              -- hash of all up to this turn
    session BLOB NOT NULL,
    fork    BLOB,                       -- the parent of that session; NULL: none
    l0_id   INTEGER REFERENCES l0_raw (id) ON DELETE SET NULL,
    PRIMARY KEY (chain, session)
) WITHOUT ROWID;
CREATE INDEX capture_chains_row ON capture_chains (l0_id) WHERE l0_id IS NOT NULL;

-- All by which a folder finds its project: the remote of its repository, git's
-- directory, the folders of the repository and of its worktrees. So a project stays
-- one when a remote is added or changed. The key in capture_projects is the first.
CREATE TABLE capture_project_keys (
    key     TEXT    PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES capture_projects (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX capture_project_keys_project ON capture_project_keys (project);

-- Sessions that were forgotten, of which nothing is captured any more, though they
-- may go on: hashes of their names.
CREATE TABLE capture_ended (
    session BLOB PRIMARY KEY
) WITHOUT ROWID;

-- What was said in forgotten turns, so that a copy under other message ids does not
-- bring it back: hashes with a key that no other database has.
CREATE TABLE capture_unsaid (
    said BLOB PRIMARY KEY               -- hash of time or session, speaker and text
) WITHOUT ROWID;

CREATE TABLE capture_key (
    key BLOB NOT NULL
);
INSERT INTO capture_key(key) VALUES(randomblob(32));

-- What is to be paid of invoices, by what documents and relationships say; derived.
CREATE TABLE invoice_status (
    entity INTEGER PRIMARY KEY REFERENCES truth_entities (seq) ON DELETE CASCADE,
    status TEXT    NOT NULL,                     -- open, part, paid; unknown: cannot be told
    unpaid TEXT    NOT NULL,                     -- what is left, a decimal number; '': cannot be told
    due    INTEGER                               -- unix milliseconds, NULL: no date is stated
);
CREATE INDEX invoice_status_due ON invoice_status (status, due, entity);

-- What was parted from an entity: documents, by "#" and the id of their record, and the
-- words that only these call it by, by "=" and a hash.
CREATE TABLE entity_parts (
    entity INTEGER NOT NULL REFERENCES truth_entities (seq) ON DELETE CASCADE,
    words  TEXT    NOT NULL,
    part   INTEGER NOT NULL REFERENCES truth_entities (seq) ON DELETE CASCADE,
    PRIMARY KEY (entity, words)
) WITHOUT ROWID;
CREATE INDEX entity_parts_part ON entity_parts (part);

-- Tokens by which people and programs may use a server over HTTP. Only a hash of each
-- is kept, which opens nothing.
CREATE TABLE access_tokens (
    name       TEXT    PRIMARY KEY,
    hash       TEXT    NOT NULL UNIQUE, -- SHA-256, hexadecimal
    space      TEXT    NOT NULL,        -- whose data it opens; empty: the database's own
    rights     TEXT    NOT NULL,        -- read,write,forget
    created_at INTEGER NOT NULL,        -- unix milliseconds
    expires_at INTEGER NOT NULL         -- likewise; 0: never
);
