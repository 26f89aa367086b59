-- +goose Up

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

-- +goose Down
DROP TABLE hook_sweeps;
DROP TABLE hook_shown;
DROP TABLE hook_runs;
