-- +goose Up

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
-- +goose StatementBegin
CREATE TRIGGER records_kept AFTER UPDATE OF type, properties, file_urls, embedding ON records
WHEN (old.type, old.properties, old.file_urls, old.embedding) IS NOT (new.type, new.properties, new.file_urls, new.embedding)
BEGIN
    INSERT INTO record_history(record, replaced_at, type, properties, file_urls, embedding)
    VALUES(old.seq, new.updated_at, old.type, old.properties, old.file_urls, CASE WHEN old.embedding IS NOT new.embedding THEN old.embedding END);
END;
-- +goose StatementEnd

-- Corrections and updates, of which there are few among many documents.
CREATE INDEX truth_observations_weighty ON truth_observations (entity) WHERE source_priority > 0;

-- Snapshots made when priority did not decide first, to be reduced again.
CREATE TABLE outdated_snapshots (entity INTEGER PRIMARY KEY REFERENCES truth_entities (seq) ON DELETE CASCADE);
INSERT INTO outdated_snapshots SELECT DISTINCT entity FROM truth_observations WHERE source_priority > 0;

-- +goose Down
DROP TABLE outdated_snapshots;
DROP INDEX truth_observations_weighty;
DROP TRIGGER records_kept;
DROP TABLE record_history;
