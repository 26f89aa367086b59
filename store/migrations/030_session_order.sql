-- +goose Up

-- The turns of a session in the order in which they were said: what is imported late,
-- or in another order, stands where it belongs. Equal times go by arrival.
CREATE INDEX memory_rows_order ON memory_rows (session, created) WHERE session IS NOT NULL;

-- An insight may name dialogue that does not exist. What is stored later under such
-- an id is no source of it.
DELETE FROM l2_sources WHERE l0_id NOT IN (SELECT id FROM l0_raw);

-- +goose Down
DROP INDEX memory_rows_order;
