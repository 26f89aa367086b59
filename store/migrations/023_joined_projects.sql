-- +goose Up

-- Projects that a person joined. A session belongs to the project at the top and
-- keeps its own, the one its folder says, so that a join can be taken back.
ALTER TABLE capture_projects ADD COLUMN joined INTEGER REFERENCES capture_projects (id) ON DELETE SET NULL;
ALTER TABLE capture_sessions ADD COLUMN own_project INTEGER REFERENCES capture_projects (id) ON DELETE SET NULL;
UPDATE capture_sessions SET own_project = project;
CREATE INDEX capture_sessions_own_project ON capture_sessions (own_project) WHERE own_project IS NOT NULL;
CREATE INDEX capture_projects_joined ON capture_projects (joined) WHERE joined IS NOT NULL;

-- +goose Down
DROP INDEX capture_projects_joined;
DROP INDEX capture_sessions_own_project;
UPDATE capture_sessions SET project = own_project;
ALTER TABLE capture_sessions DROP COLUMN own_project;
ALTER TABLE capture_projects DROP COLUMN joined;
