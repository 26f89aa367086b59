package pockets

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"toolkit/store/pockets"
)

// defaultReveal is how long after its sealing a prediction is revealed when
// nothing else is said.
const defaultReveal = 60 * 60 * 1000

// maxPredictionPayload bounds the text of a prediction.
const maxPredictionPayload = 4000

// predictedMeasures are what a reading can be compared with; a prediction made here
// speaks of at least one.
var predictedMeasures = []string{"calm_probability", "calm", "stress", "social_energy", "productive", "signal_saturation", "movement_friction"}

func (c rowChecker) checkAndSealPrediction(p *predictionRow) (err error) {
	if err := resolvePocket(&p.Pocket); err != nil {
		return err
	}
	seal := p.Seal
	p.Payload, p.Observation = compactObject(p.Payload), compactObject(p.Observation)
	if len(p.Payload) > maxPredictionPayload {
		return fmt.Errorf("prediction_payload is longer than %d characters", maxPredictionPayload)
	}
	if c.Here {
		err = c.prepareNewPrediction(p)
	} else {
		err = c.acceptImportedPrediction(p)
	}
	p.Key = cmp.Or(p.Key, revealKey(p.Pocket, p.Prediction.RevealAt))
	p.Seal = sealOf(p.Prediction)
	if err == nil && seal != "" && seal != p.Seal {
		err = errors.New("the prediction does not match its seal: it was changed after it was sealed")
	}
	return err
}

// compactObject is an object in the one form in which it is sealed; nil for nil.
func compactObject(raw json.RawMessage) json.RawMessage {
	var object map[string]any
	if json.Unmarshal(raw, &object) != nil {
		return nil
	}
	compact, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return compact
}

// prepareNewPrediction seals at this moment: a prediction that says when it was sealed
// proves nothing.
func (c rowChecker) prepareNewPrediction(p *predictionRow) error {
	if p.SealedAt != 0 || p.ID != "" || p.RevealedAt != 0 || p.Observation != nil || p.Seal != "" {
		return errors.New("sealed_at, prediction_id, revealed_at, actual_observation and seal are set when the prediction is sealed or revealed; leave them out")
	}
	p.ID = uuid.NewString()
	p.Generator = cmp.Or(p.Generator, "manual")
	p.Prediction.SealedAt, p.Prediction.RevealAt = c.Now, cmp.Or(int64(p.RevealAt), c.Now+defaultReveal)
	if p.Prediction.RevealAt <= c.Now {
		return errors.New("reveal_at is not in the future; what has happened is no prediction")
	}
	predicted := payloadNumbers(p.Payload)
	if !slices.ContainsFunc(predictedMeasures, func(m string) bool { _, ok := predicted[m]; return ok }) {
		return fmt.Errorf("prediction_payload gives no number that a reading can be compared with; name at least one of %s", strings.Join(predictedMeasures, ", "))
	}
	return nil
}

// acceptImportedPrediction takes over what another ledger says.
func (c rowChecker) acceptImportedPrediction(p *predictionRow) error {
	sealed, reveal, revealed := int64(p.SealedAt), int64(p.RevealAt), int64(p.RevealedAt)
	switch {
	case p.Generator == "" || sealed == 0 || reveal == 0:
		return errors.New("generator, sealed_at or reveal_at is missing")
	case sealed > c.Now+clockSkew:
		return errors.New("sealed_at lies in the future; check the clock of the source")
	case reveal <= sealed:
		return errors.New("reveal_at is not after sealed_at")
	case p.Observation == nil && revealed != 0:
		return errors.New("revealed_at needs an actual_observation")
	}
	p.Prediction.SealedAt, p.Prediction.RevealAt = sealed, reveal
	if p.ID == "" { // the same one at every import
		p.ID = uuid.NewSHA1(uuid.NameSpaceURL, []byte(p.Generator+"\n"+p.Key+"\n"+revealKey(p.Pocket, reveal))).String()
	}
	p.ID = uuid.MustParse(p.ID).String()
	if p.Observation == nil {
		return nil
	}
	revealed = cmp.Or(revealed, reveal)
	if revealed > c.Now+clockSkew || revealed < reveal {
		return errors.New("an actual_observation can only be known between reveal_at and now")
	}
	p.Prediction.RevealedAt, p.Accuracy = revealed, predictionAccuracy(p.Payload, p.Observation)
	return nil
}

// revealKey names a prediction by its pocket and the moment of its reveal in
// Singapore.
func revealKey(pocket string, revealAt int64) string {
	return pocket + ":" + timeFromMillis(revealAt).In(singaporeZone).Format("2006-01-02:15:04")
}

// sealOf is the SHA-256 of everything that is sealed, in hexadecimal. Each part
// is preceded by its length, so that no two predictions share a text.
func sealOf(p pockets.Prediction) string {
	var b strings.Builder
	for _, part := range []string{p.ID, p.Pocket, p.Generator, p.Key, strconv.FormatInt(p.SealedAt, 10), strconv.FormatInt(p.RevealAt, 10), string(p.Payload)} {
		b.WriteString(strconv.Itoa(len(part)))
		b.WriteByte(':')
		b.WriteString(part)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

// predictionAccuracy is max(0, 1 − 2 · the mean absolute error) over the keys that hold a
// number in both objects; nil when there is none.
func predictionAccuracy(payload, observation json.RawMessage) *float64 {
	predicted, seen := payloadNumbers(payload), payloadNumbers(observation)
	sum, n := 0.0, 0
	for key, value := range predicted {
		if actual, ok := seen[key]; ok {
			sum += math.Abs(value - actual)
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return new(math.Max(0, 1-2*sum/float64(n)))
}

// payloadNumbers are the keys of a JSON object that hold a number.
func payloadNumbers(object json.RawMessage) map[string]float64 {
	var all map[string]any
	if json.Unmarshal(bytes.TrimSpace(object), &all) != nil {
		return nil
	}
	found := map[string]float64{}
	for key, value := range all {
		if n, ok := value.(float64); ok {
			found[key] = n
		}
	}
	return found
}
