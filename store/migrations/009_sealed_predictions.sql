-- +goose Up

-- REPLACE removes the row in its way without asking the trigger against deletion,
-- unless its connection has recursive_triggers on. Other programs have it off.
-- +goose StatementBegin
CREATE TRIGGER pocket_predictions_not_replaced BEFORE INSERT ON pocket_predictions
WHEN EXISTS (SELECT 1 FROM pocket_predictions p WHERE p.seq = new.seq OR p.id = new.id)
    OR EXISTS (SELECT 1 FROM pocket_predictions p WHERE p.generator = new.generator AND p.prediction_key = new.prediction_key)
BEGIN SELECT raise(ABORT, 'a sealed prediction cannot be replaced'); END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER pocket_predictions_not_replaced;
