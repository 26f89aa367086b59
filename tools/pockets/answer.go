package pockets

import (
	"encoding/json"
	"strings"

	reflector "github.com/invopop/jsonschema"

	"toolkit/tools"
)

// buildResult puts a result together.
func buildResult[T any](tool string, now int64, data T, voice string, o origin, h *tools.Hints) tools.Result[T] {
	if o.synthetic() {
		h.Warn("validation", tools.PriorityMedium, "the rows behind this are made up for demonstration", "import real readings into a database of its own")
	}
	if o.mustCite() {
		h.Constraints = append(h.Constraints, "cite the source named in _meta when you use this")
	}
	return tools.Result[T]{Data: data, Hints: h, Voice: voice, Meta: o.buildAttribution(tool, now)}
}

// askForReadings say what would give evidence about the moment of a pocket.
func askForReadings(p place, because string) *tools.Hints {
	return askForRecords(p, "atmosphere", "atmosphere readings of the last hour", because)
}

// askForRecords asks for records of a kind.
func askForRecords(p place, kind, needed, because string) *tools.Hints {
	h := tools.NewHints(tools.NewSearchEvidence(0)).Because(because)
	if !p.Registered {
		h.Warn("validation", tools.PriorityMedium, "pocket_id is not registered", "use a pocket_id that lookup_pocket_by_name or list_pockets returns")
		return h.SuggestCall(lookupName, tools.PriorityHigh, map[string]any{"query": truncateQuery(p.ID)}, "find the pocket by its name")
	}
	h.Needs(needed)
	return h.SuggestCall(recordName, tools.PriorityMedium, map[string]any{"kind": kind}, "record what is observed at "+p.ID+", or ask the user to import it").
		SuggestCall(listName, tools.PriorityLow, nil, "see which pockets are observed")
}

// truncateQuery returns a text that lookup_pocket_by_name takes.
func truncateQuery(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), maxQuery)])
}

// pocketRanges are the documented texts for arguments out of their range.
var pocketRanges = map[string]string{
	"since":       "since must be one of 1h, 1d, 7d, 30d, all",
	"limit":       "limit must be 1–500",
	"window_days": "window_days must be 1–365",
	"hours":       "hours must be 1–24",
}

// formatError prints the errors of pockets: error: <message>.
func formatError(e *tools.Error, _ tools.Call) tools.ErrorText {
	message := e.Message
	switch documented, ranged := pocketRanges[e.Field]; {
	case e.Code == tools.CodeMissing, e.Rule == "minLength 1", e.Rule == "not blank":
		message = e.Field + " is required"
	case e.Field == "query" && strings.HasPrefix(e.Rule, "maxLength"):
		message = "query too long (max 80 chars)"
	case ranged && e.Kind == tools.Validation:
		message = documented
	}
	return tools.ErrorText{Plain: "error: " + message}
}

// nullable is a value that may be absent from an answer, null, or there: a thin
// answer leaves it out, a full one shows null for what is not known.
type nullable[T float64 | string] struct {
	shown bool
	value *T
}

// toNullable shows a value, or null.
func toNullable[T float64 | string](value *T) nullable[T] {
	return nullable[T]{shown: true, value: value}
}

// IsZero tells the encoder to leave the value out.
func (n nullable[T]) IsZero() bool { return !n.shown }

// MarshalJSON writes the value or null.
func (n nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// JSONSchema admits null.
func (n nullable[T]) JSONSchema() *reflector.Schema {
	kind := "string"
	if _, ok := any(*new(T)).(float64); ok {
		kind = "number"
	}
	return &reflector.Schema{OneOf: []*reflector.Schema{{Type: kind}, {Type: "null"}}}
}
