-- +goose Up

-- What a message said when it was taken in, as a hash: a client may write it again
-- with more in it.
ALTER TABLE capture_messages ADD COLUMN said BLOB;

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

-- A file may hold in several messages what a hook heard as one.
ALTER TABLE capture_heard ADD COLUMN session BLOB;  -- hash; NULL: heard before this was kept
ALTER TABLE capture_heard ADD COLUMN claimed INTEGER NOT NULL DEFAULT 0; -- bytes of it that messages hold; 0: none or all
CREATE INDEX capture_heard_session ON capture_heard (session, heard_at) WHERE session IS NOT NULL;

-- +goose Down
DROP INDEX capture_heard_session;
ALTER TABLE capture_heard DROP COLUMN claimed;
ALTER TABLE capture_heard DROP COLUMN session;
DROP TABLE capture_chains;
DROP TABLE capture_places;
ALTER TABLE capture_messages DROP COLUMN said;
