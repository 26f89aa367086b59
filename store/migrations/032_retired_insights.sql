-- +goose Up

-- How many insights no longer count is asked for whenever the page is shown.
CREATE INDEX l2_insights_retired ON l2_insights (id) WHERE superseded_by IS NOT NULL OR deleted_at IS NOT NULL;

-- +goose Down
DROP INDEX l2_insights_retired;
