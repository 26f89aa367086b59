-- +goose Up

-- Turns that a hook heard before, or besides, the file of their session. A file
-- that holds the same turn claims the row; so it is never stored twice. Like
-- messages, they stay known when their row was forgotten.
CREATE TABLE capture_heard (
    id       INTEGER PRIMARY KEY,
    said     BLOB    NOT NULL,          -- hash of session, speaker and text
    heard_at INTEGER NOT NULL,          -- unix milliseconds
    l0_id    INTEGER REFERENCES l0_raw (id) ON DELETE SET NULL,
    in_file  INTEGER NOT NULL           -- 1: its message was read in a file too
);
CREATE INDEX capture_heard_said ON capture_heard (said, heard_at);
CREATE INDEX capture_heard_row ON capture_heard (l0_id) WHERE l0_id IS NOT NULL;

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

-- +goose Down
DROP TABLE capture_things;
DROP TABLE capture_sightings;
DROP TABLE capture_heard;
