-- +goose Up
-- Nothing: PostgreSQL alone counts its words in another way from here on.
SELECT 1;

-- +goose Down
SELECT 1;
