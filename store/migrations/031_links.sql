-- +goose Up

-- A relationship that documents say goes with the last of them, unless a caller said it
-- as well, as every one that was there before. Mostly it is one document.
ALTER TABLE typed_relationships ADD COLUMN said INTEGER NOT NULL DEFAULT 1; -- by a caller
ALTER TABLE typed_relationships ADD COLUMN record INTEGER;                  -- first document that says it
CREATE TABLE relationship_sources (                                         -- further ones
    relationship TEXT    NOT NULL REFERENCES typed_relationships (id) ON DELETE CASCADE,
    record       INTEGER NOT NULL,
    PRIMARY KEY (relationship, record)
) WITHOUT ROWID;

-- Every document writes relationships now, so each index counts. What leads on from an
-- entity by a type is few, and found by the entity.
DROP INDEX typed_relationships_walk;

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

-- Documents that were there before are linked at the next start.
INSERT OR IGNORE INTO outdated_snapshots SELECT entity FROM snapshots WHERE type IN ('invoice', 'credit_note', 'receipt', 'contract', 'transaction', 'contact', 'person');

-- +goose Down
DROP TABLE entity_parts;
DROP TABLE invoice_status;
CREATE INDEX typed_relationships_walk ON typed_relationships (type, source_root, target_root);
ALTER TABLE typed_relationships DROP COLUMN record;
ALTER TABLE typed_relationships DROP COLUMN said;
DROP TABLE relationship_sources;
