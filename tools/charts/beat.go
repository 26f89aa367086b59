package charts

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"

	"toolkit/internal/language"
	"toolkit/internal/orientation"
	"toolkit/store/graph"
	"toolkit/store/plainjson"
)

// beatEntity is a narrative beat as a node of the graph.
type beatEntity struct {
	Name         string       `json:"name"`
	EntityType   string       `json:"entityType"`
	Observations []string     `json:"observations"`
	Metadata     beatMetadata `json:"metadata"`
}

type beatMetadata struct {
	ChartID             string              `json:"chartId"`
	Act                 float64             `json:"act"`
	TypeDramatic        string              `json:"type_dramatic"`
	Universes           []string            `json:"universes"`
	Timestamp           string              `json:"timestamp"`
	Narrative           narrative           `json:"narrative"`
	RelationalAlignment relationalAlignment `json:"relationalAlignment"`
	FourDirections      fourDirections      `json:"fourDirections"`
	Title               string              `json:"title"`
	ParentBeat          *string             `json:"parentBeat" jsonschema:"oneof_type=string;null"`
}

type narrative struct {
	Description string   `json:"description"`
	Prose       string   `json:"prose"`
	Lessons     []string `json:"lessons"`
}

type relationalAlignment struct {
	Assessed   bool     `json:"assessed"`
	Score      *float64 `json:"score" jsonschema:"oneof_type=number;null"`
	Principles []string `json:"principles"`
}

type fourDirections struct {
	NorthVision       *string `json:"north_vision" jsonschema:"oneof_type=string;null"`
	EastIntention     *string `json:"east_intention" jsonschema:"oneof_type=string;null"`
	SouthEmotion      *string `json:"south_emotion" jsonschema:"oneof_type=string;null"`
	WestIntrospection *string `json:"west_introspection" jsonschema:"oneof_type=string;null"`
}

// assessAlignment scores the narrative when asked to; unassessed it has no score and no
// principles.
func assessAlignment(n narrative, assess bool) relationalAlignment {
	if !assess {
		return relationalAlignment{Principles: []string{}}
	}
	score, principles := orientation.ScoreAlignment(n.Description, n.Prose, n.Lessons)
	points := float64(score)
	return relationalAlignment{Assessed: true, Score: &points, Principles: principles}
}

// insertBeat stores a beat of now with its narrative, alignment and directions.
func (f *family) insertBeat(tx graph.Rows, b graph.Beat, n narrative, assess bool) (beatEntity, error) {
	n.Lessons = append([]string{}, n.Lessons...)
	var err error
	encode := func(v any) json.RawMessage {
		raw, failed := plainjson.Encode(v)
		err = errors.Join(err, failed)
		return raw
	}
	texts := append([]string{n.Description, n.Prose}, n.Lessons...)
	var d fourDirections
	d.NorthVision, d.EastIntention, d.SouthEmotion, d.WestIntrospection = orientation.FindFourDirections(texts...)
	b.Narrative, b.Alignment, b.Directions = encode(n), encode(assessAlignment(n, assess)), encode(d)
	if err != nil {
		return beatEntity{}, err
	}
	b.OccurredAt = formatTimestamp(f.Store.Now())
	b.Body = strings.Join(slices.Concat([]string{b.Type}, b.Universes, texts), "\n")
	stored, err := tx.InsertBeat(b)
	if err != nil {
		return beatEntity{}, err
	}
	return describeBeat(stored, nil), nil
}

// describeBeat shows a stored beat. What an imported one leaves out is empty;
// what of it has another shape is left out here and stays in the graph.
func describeBeat(b *graph.Beat, further []string) beatEntity {
	m := beatMetadata{
		ChartID: b.ChartID, Act: b.Act, TypeDramatic: b.Type, Universes: b.Universes, Timestamp: b.OccurredAt, Title: b.Title,
	}
	_ = json.Unmarshal(b.Narrative, &m.Narrative)
	_ = json.Unmarshal(b.Alignment, &m.RelationalAlignment)
	_ = json.Unmarshal(b.Directions, &m.FourDirections)
	m.Narrative.Lessons = append([]string{}, m.Narrative.Lessons...)
	m.RelationalAlignment.Principles = append([]string{}, m.RelationalAlignment.Principles...)
	if b.ParentBeat != "" {
		m.ParentBeat = &b.ParentBeat
	}
	return beatEntity{Name: b.Name, EntityType: graph.TypeBeat, Observations: b.Observations(further), Metadata: m}
}

// foldUniverse returns the form in which universes are compared: letters and digits
// in lower case, so that "engineer-world" is "Engineer World".
func foldUniverse(name string) string {
	return strings.ToLower(language.KeepRunes(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }))
}
