-- +goose Up
-- Nothing: PostgreSQL alone has to be told how NUL is written within JSON.
SELECT 1;

-- +goose Down
SELECT 1;
