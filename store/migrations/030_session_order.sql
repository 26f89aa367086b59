-- +goose Up

-- The turns of a session in the order in which they were said: what is imported late,
-- or in another order, stands where it belongs. Equal times go by arrival.
CREATE INDEX memory_rows_order ON memory_rows (session, created) WHERE session IS NOT NULL;

-- +goose Down
DROP INDEX memory_rows_order;
