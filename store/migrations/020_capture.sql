-- +goose Up

-- What is captured of the sessions that assistants write down. What was said in
-- them stands in l0_raw like any other dialogue.

-- A project is what the sessions of one repository, or of one folder, belong to.
CREATE TABLE capture_projects (
    id         INTEGER PRIMARY KEY,
    key        TEXT    NOT NULL UNIQUE, -- by which a folder finds its project
    name       TEXT    NOT NULL,
    root       TEXT    NOT NULL,        -- folder
    remote     TEXT    NOT NULL,        -- of its repository, host/owner/name; empty: none
    created_at INTEGER NOT NULL
);

CREATE TABLE capture_sessions (
    session_id TEXT    PRIMARY KEY,     -- as in l0_raw
    client     TEXT    NOT NULL,
    project    INTEGER REFERENCES capture_projects (id) ON DELETE SET NULL,
    branch     TEXT    NOT NULL,
    side_chain INTEGER NOT NULL,        -- of a subagent
    title      TEXT    NOT NULL,
    started_at INTEGER NOT NULL,        -- unix milliseconds
    ended_at   INTEGER NOT NULL
);
CREATE INDEX capture_sessions_project ON capture_sessions (project, ended_at);

-- Which messages were taken in. A message whose row was forgotten stays known, so
-- that it does not come back; its key says nothing of it.
CREATE TABLE capture_messages (
    key   BLOB PRIMARY KEY,             -- hash of the client and the id it gave the message
    l0_id INTEGER REFERENCES l0_raw (id) ON DELETE SET NULL
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

-- +goose Down
DROP TABLE capture_sources;
DROP TABLE capture_messages;
DROP TABLE capture_sessions;
DROP TABLE capture_projects;
