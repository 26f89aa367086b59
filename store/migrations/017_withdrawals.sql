-- +goose Up

-- The correction that an observation takes back. One that takes a correction back and
-- names none takes back all before it, as withdrawals did until this version.
ALTER TABLE truth_observations ADD COLUMN withdraws TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE truth_observations DROP COLUMN withdraws;
