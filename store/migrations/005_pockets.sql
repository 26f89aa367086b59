-- +goose Up

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
-- +goose StatementBegin
CREATE TRIGGER pocket_datasets_fixed BEFORE UPDATE ON pocket_datasets
BEGIN SELECT raise(ABORT, 'the provenance of a data set is fixed'); END;
-- +goose StatementEnd

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
-- +goose StatementBegin
CREATE TRIGGER pocket_predictions_sealed_once
BEFORE UPDATE OF seq, id, dataset, pocket, generator, prediction_key, sealed_at, reveal_at, payload, seal ON pocket_predictions
BEGIN SELECT raise(ABORT, 'a sealed prediction cannot be changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER pocket_predictions_revealed_once
BEFORE UPDATE OF revealed_at, observation, accuracy ON pocket_predictions
WHEN old.revealed_at IS NOT NULL
BEGIN SELECT raise(ABORT, 'a revealed prediction cannot be changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER pocket_predictions_kept BEFORE DELETE ON pocket_predictions
BEGIN SELECT raise(ABORT, 'a sealed prediction cannot be deleted'); END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER pocket_predictions_kept;
DROP TABLE pocket_predictions;
DROP TABLE pocket_quality;
DROP TABLE pocket_attention;
DROP TABLE pocket_ledger;
DROP TABLE pocket_outlets;
DROP TABLE pocket_readings;
DROP TABLE pocket_datasets;
