-- +goose Up

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

-- +goose Down
DROP TABLE analytics_days;
DROP TABLE analytics_activity;
DROP TABLE analytics_actors;
DROP TABLE call_events;
DROP TABLE metric_chunks;
DROP TABLE metric_series;
DROP TABLE telemetry_state;
DROP TABLE telemetry_names;
