package pocketdata

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"toolkit/store/pockets"
)

var (
	generatorForm = regexp.MustCompile(`^[a-z0-9]+([_-][a-z0-9]+)*$`)
	keyForm       = regexp.MustCompile(`^[a-z0-9][a-z0-9:_.-]*$`)
)

// DefaultReveal is how long after its sealing a prediction is revealed when
// nothing else is said.
const DefaultReveal = 60 * 60 * 1000

// maxPayload bounds the text of a prediction.
const maxPayload = 4000

// Measures are what a reading can be compared with; a prediction made here
// speaks of at least one.
var Measures = []string{"calm_probability", "calm", "stress", "social_energy", "productive", "signal_saturation", "movement_friction"}

func (c Checker) prediction(f *fields) pockets.Prediction {
	p := pockets.Prediction{
		Pocket: c.pocket(f), Generator: f.text("generator", 80), Key: f.text("prediction_key", 120), ID: uuid.NewString(),
		RevealAt: f.instant("reveal_at"), Payload: f.object("prediction_payload"),
	}
	if c.Here {
		c.sealHere(f, &p)
	} else {
		c.sealedElsewhere(f, &p)
	}
	if p.Key == "" && len(f.wrong) == 0 {
		p.Key = RevealKey(p.Pocket, p.RevealAt)
	}
	f.require("prediction_payload")
	if p.Generator != "" && !generatorForm.MatchString(p.Generator) {
		f.fail("generator is not lowercase words joined by hyphens")
	}
	if p.Key != "" && !keyForm.MatchString(p.Key) {
		f.fail("prediction_key is not lowercase letters, digits, colons and hyphens")
	}
	if len(p.Payload) > maxPayload {
		f.fail("prediction_payload is longer than %d characters", maxPayload)
	}
	p.Seal = Seal(p)
	if given := f.text("seal", 64); given != "" && given != p.Seal && len(f.wrong) == 0 {
		f.fail("the prediction does not match its seal: it was changed after it was sealed")
	}
	return p
}

// sealHere seals at this moment: a prediction that says when it was sealed
// proves nothing.
func (c Checker) sealHere(f *fields, p *pockets.Prediction) {
	for _, name := range []string{"sealed_at", "prediction_id", "revealed_at", "actual_observation", "seal"} {
		if _, there := f.value(name); there {
			f.fail("%s is set when the prediction is sealed or revealed; leave it out", name)
		}
	}
	p.SealedAt = c.Now
	p.Generator = cmp.Or(p.Generator, "manual")
	p.RevealAt = cmp.Or(p.RevealAt, c.Now+DefaultReveal)
	if p.RevealAt <= c.Now && len(f.wrong) == 0 {
		f.fail("reveal_at is not in the future; what has happened is no prediction")
	}
	if p.Payload == nil {
		return
	}
	said := Numbers(p.Payload)
	for _, m := range Measures {
		if _, ok := said[m]; ok {
			return
		}
	}
	f.fail("prediction_payload gives no number that a reading can be compared with; name at least one of %s", quoted(Measures))
}

// sealedElsewhere takes over what another ledger says.
func (c Checker) sealedElsewhere(f *fields, p *pockets.Prediction) {
	f.require("generator", "sealed_at", "reveal_at")
	if p.SealedAt = f.instant("sealed_at"); p.SealedAt > c.Now+clockSkew {
		f.fail("sealed_at lies in the future; check the clock of the source")
	}
	if p.RevealAt != 0 && p.RevealAt <= p.SealedAt {
		f.fail("reveal_at is not after sealed_at")
	}
	// Without an id of its own a prediction gets the same one at every import.
	known := uuid.NewSHA1(uuid.NameSpaceURL, []byte(p.Generator+"\n"+p.Key+"\n"+RevealKey(p.Pocket, p.RevealAt)))
	if id := f.text("prediction_id", 64); id != "" {
		var err error
		if known, err = uuid.Parse(id); err != nil {
			f.fail("prediction_id is not a UUID")
		}
	}
	p.ID = known.String()
	p.Observation, p.RevealedAt = f.object("actual_observation"), f.instant("revealed_at")
	if p.Observation == nil {
		if p.RevealedAt != 0 {
			f.fail("revealed_at needs an actual_observation")
		}
		return
	}
	p.RevealedAt = cmp.Or(p.RevealedAt, p.RevealAt)
	if p.RevealedAt > c.Now+clockSkew || p.RevealedAt < p.RevealAt {
		f.fail("an actual_observation can only be known between reveal_at and now")
	}
	p.Accuracy = Accuracy(p.Payload, p.Observation)
}

// RevealKey names a prediction by its pocket and the moment of its reveal in
// Singapore.
func RevealKey(pocket string, revealAt int64) string {
	return pocket + ":" + Instant(revealAt).In(Zone).Format("2006-01-02:15:04")
}

// Seal is the SHA-256 of everything that is sealed, in hexadecimal. Each part
// is preceded by its length, so that no two predictions share a text.
func Seal(p pockets.Prediction) string {
	var b strings.Builder
	for _, part := range []string{p.ID, p.Pocket, p.Generator, p.Key, strconv.FormatInt(p.SealedAt, 10), strconv.FormatInt(p.RevealAt, 10), string(p.Payload)} {
		b.WriteString(strconv.Itoa(len(part)))
		b.WriteByte(':')
		b.WriteString(part)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

// Accuracy is max(0, 1 − 2 · the mean absolute error) over the keys that hold a
// number in both objects; nil when there is none.
func Accuracy(payload, observation json.RawMessage) *float64 {
	said, seen := Numbers(payload), Numbers(observation)
	sum, n := 0.0, 0
	for key, value := range said {
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

// Numbers are the keys of a JSON object that hold a number.
func Numbers(object json.RawMessage) map[string]float64 {
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
