-- +goose Up

-- A chart stays active until its creator closes it; the outcome is more than its steps.
ALTER TABLE charts ADD COLUMN status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'abandoned'));
ALTER TABLE charts ADD COLUMN closed_at TEXT; -- RFC 3339, NULL while active

-- +goose Down
ALTER TABLE charts DROP COLUMN closed_at;
ALTER TABLE charts DROP COLUMN status;
