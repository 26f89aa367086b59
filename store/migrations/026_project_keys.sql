-- +goose Up

-- All by which a folder finds its project: the remote of its repository, git's
-- directory, the folders of the repository and of its worktrees. So a project stays
-- one when a remote is added or changed. The key in capture_projects is the first.
CREATE TABLE capture_project_keys (
    key     TEXT    PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES capture_projects (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX capture_project_keys_project ON capture_project_keys (project);
INSERT INTO capture_project_keys(key, project) SELECT key, id FROM capture_projects;
INSERT OR IGNORE INTO capture_project_keys(key, project) SELECT 'folder:' || root, id FROM capture_projects ORDER BY id;

-- +goose Down
DROP TABLE capture_project_keys;
