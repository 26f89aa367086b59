-- +goose Up

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

-- +goose Down
DROP TABLE capture_key;
DROP TABLE capture_unsaid;
DROP TABLE capture_ended;
