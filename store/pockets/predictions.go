package pockets

import (
	"encoding/json"

	"toolkit/store/internal/query"
)

// Prediction is a sealed forecast. Seal is a hash of all that was sealed; the
// database refuses to change or delete it, and to reveal it twice.
type Prediction struct {
	Seq         int64           `json:"-"`
	ID          string          `json:"prediction_id,omitempty" jsonschema:"format=uuid"`
	Dataset     int64           `json:"-"`
	Pocket      string          `json:"pocket_id" jsonschema:"required,minLength=1,maxLength=200"`
	Generator   string          `json:"generator,omitempty" jsonschema:"maxLength=80,pattern=^[a-z0-9]+([_-][a-z0-9]+)*$" jsonschema_description:"lowercase words joined by hyphens"`
	Key         string          `json:"prediction_key,omitempty" jsonschema:"maxLength=120,pattern=^[a-z0-9][a-z0-9:_.-]*$" jsonschema_description:"lowercase letters, digits, colons and hyphens"` // unique with the generator
	SealedAt    int64           `json:"-"`
	RevealAt    int64           `json:"-"`
	Payload     json.RawMessage `json:"prediction_payload" jsonschema:"required"` // object
	Seal        string          `json:"seal,omitempty" jsonschema:"maxLength=64"`
	RevealedAt  int64           `json:"-"`                            // 0: not yet
	Observation json.RawMessage `json:"actual_observation,omitempty"` // object, once revealed
	Accuracy    *float64        `json:"-"`                            // nil: nothing to compare
}

// InsertSealedPrediction adds a prediction unless one of its generator and key is
// sealed; it returns the one that stands, and whether it is the new one.
func (tx Rows) InsertSealedPrediction(p Prediction) (Prediction, bool, error) {
	var revealed, observation any
	if p.RevealedAt != 0 {
		revealed, observation = p.RevealedAt, string(p.Observation)
	}
	isNew, err := tx.execAndTouch(`INSERT INTO pocket_predictions(id, dataset, pocket, generator, prediction_key, sealed_at, reveal_at, payload, seal, revealed_at, observation, accuracy)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12
		WHERE NOT EXISTS (SELECT 1 FROM pocket_predictions WHERE generator = ?4 AND prediction_key = ?5)`,
		p.ID, p.Dataset, p.Pocket, p.Generator, p.Key, p.SealedAt, p.RevealAt, string(p.Payload), p.Seal, revealed, observation, p.Accuracy)
	if err != nil || isNew {
		return p, isNew, err
	}
	p, err = query.Read(tx.sql, (*Prediction).fields, `SELECT `+predictionColumns+` FROM pocket_predictions p WHERE p.generator = ? AND p.prediction_key = ?`, p.Generator, p.Key)
	return p, false, err
}

// RevealPrediction writes what came of a prediction.
func (tx Rows) RevealPrediction(seq, at int64, observation json.RawMessage, accuracy *float64) error {
	_, err := tx.execAndTouch(`UPDATE pocket_predictions SET revealed_at = ?, observation = ?, accuracy = ? WHERE seq = ?`, at, string(observation), accuracy, seq)
	return err
}

const predictionColumns = `p.seq, p.id, p.dataset, p.pocket, p.generator, p.prediction_key, p.sealed_at, p.reveal_at, p.payload, p.seal, coalesce(p.revealed_at, 0), p.observation, p.accuracy`

func (p *Prediction) fields() []any {
	return []any{&p.Seq, &p.ID, &p.Dataset, &p.Pocket, &p.Generator, &p.Key, &p.SealedAt, &p.RevealAt, query.FromJSON(&p.Payload), &p.Seal, &p.RevealedAt, query.FromJSON(&p.Observation), &p.Accuracy}
}

// DuePredictions returns predictions that are not revealed, whose time has come
// and that have a reading within so far of it, the longest due first.
func (tx Rows) DuePredictions(pockets []string, now, within int64, limit int) ([]Prediction, error) {
	return query.Select(tx.sql, (*Prediction).fields, `SELECT `+predictionColumns+` FROM pocket_predictions p WHERE p.revealed_at IS NULL AND p.reveal_at <= ?2
		AND p.pocket IN (SELECT value FROM json_each(?1))
		AND EXISTS (SELECT 1 FROM pocket_readings r WHERE r.pocket = p.pocket AND r.captured_at BETWEEN p.reveal_at - ?3 AND min(p.reveal_at + ?3, ?2))
		ORDER BY p.reveal_at, p.seq LIMIT ?4`, query.List(pockets), now, within, limit)
}

// PredictionFilter narrows predictions down; empty fields do not.
type PredictionFilter struct {
	Pocket       string
	Generator    string
	From, To     int64 // when sealed, both included
	RevealedOnly bool
}

// conditions returns the condition of a filter. With a pocket it has an index of
// its own, so there are two texts.
func (f PredictionFilter) conditions() (where string, args []any) {
	where = ` FROM pocket_predictions p WHERE p.sealed_at BETWEEN ?1 AND ?2 AND (?3 = '' OR p.generator = ?3) AND (?4 = 0 OR p.revealed_at IS NOT NULL) AND ?5 = ''`
	if f.Pocket != "" {
		where = ` FROM pocket_predictions p WHERE p.pocket = ?5 AND p.sealed_at BETWEEN ?1 AND ?2 AND (?3 = '' OR p.generator = ?3) AND (?4 = 0 OR p.revealed_at IS NOT NULL)`
	}
	return where, []any{f.From, f.To, f.Generator, f.RevealedOnly, f.Pocket}
}

// FindPredictions returns the predictions that pass a filter, the last sealed
// first.
func (tx Rows) FindPredictions(f PredictionFilter, limit int) ([]Prediction, error) {
	where, args := f.conditions()
	return query.Select(tx.sql, (*Prediction).fields, `SELECT `+predictionColumns+where+` ORDER BY p.sealed_at DESC, p.seq DESC LIMIT ?6`, append(args, limit)...)
}

// GeneratorAccuracy is how well a generator's predictions came true.
type GeneratorAccuracy struct {
	Generator string
	Matching  int      // predictions that pass the filter
	Revealed  int      // of them with a score
	Accuracy  *float64 // mean score; nil: none
}

// PredictionAccuracy sums up all predictions that pass a filter by generator, at
// most a hundred.
func (tx Rows) PredictionAccuracy(f PredictionFilter) ([]GeneratorAccuracy, error) {
	where, args := f.conditions()
	return query.Select(tx.sql, func(g *GeneratorAccuracy) []any { return []any{&g.Generator, &g.Matching, &g.Revealed, &g.Accuracy} }, `SELECT p.generator, count(*), count(p.accuracy), avg(p.accuracy)`+where+` GROUP BY p.generator ORDER BY p.generator LIMIT 100`, args...)
}

// OpenPredictions counts the predictions that are not revealed.
func (tx Rows) OpenPredictions() (int, error) {
	return query.Value[int](tx.sql, `SELECT count(*) FROM pocket_predictions WHERE revealed_at IS NULL`)
}
