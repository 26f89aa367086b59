-- +goose Up
-- Tokens by which people and programs may use a server over HTTP. Only a hash of each
-- is kept, which opens nothing.
CREATE TABLE access_tokens (
    name       TEXT    PRIMARY KEY,
    hash       TEXT    NOT NULL UNIQUE, -- SHA-256, hexadecimal
    space      TEXT    NOT NULL,        -- whose data it opens; empty: the database's own
    rights     TEXT    NOT NULL,        -- read,write,forget
    created_at INTEGER NOT NULL,        -- unix milliseconds
    expires_at INTEGER NOT NULL         -- likewise; 0: never
);

-- +goose Down
DROP TABLE access_tokens;
