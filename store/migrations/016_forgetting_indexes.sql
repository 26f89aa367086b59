-- +goose Up

-- What refers to rows that may be forgotten. Without these, each row that goes
-- costs a walk through the whole table that might refer to it.
CREATE INDEX truth_observations_origin ON truth_observations (origin);
CREATE INDEX typed_relationships_source ON typed_relationships (source);
CREATE INDEX typed_relationships_target ON typed_relationships (target);
CREATE INDEX l2_insights_superseded ON l2_insights (superseded_by) WHERE superseded_by IS NOT NULL;

-- +goose Down
DROP INDEX l2_insights_superseded;
DROP INDEX typed_relationships_target;
DROP INDEX typed_relationships_source;
DROP INDEX truth_observations_origin;
