-- +goose Up

-- Words that were indexed ahead of their rows, which come with the last
-- transaction of a staged write. No row is given these ids meanwhile, or ever
-- when that transaction does not come: the words are then removed.
CREATE TABLE staged_words (
    id                INTEGER PRIMARY KEY,
    first_entity      INTEGER NOT NULL,
    last_entity       INTEGER NOT NULL,
    first_observation INTEGER NOT NULL,
    last_observation  INTEGER NOT NULL,
    held_until        INTEGER NOT NULL -- unix milliseconds; renewed while the write is under way
);

-- +goose Down
DROP TABLE staged_words;
