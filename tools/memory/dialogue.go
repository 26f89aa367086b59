package memory

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

const dialogueName = "store_raw_dialogue"

type dialogueInput struct {
	SessionID string          `json:"session_id" jsonschema:"required" jsonschema_description:"Unique identifier of the dialogue session"`
	Speaker   string          `json:"speaker" jsonschema:"required" jsonschema_description:"Who speaks: user, assistant, a name"`
	Content   string          `json:"content" jsonschema:"required,maxLength=1048576" jsonschema_description:"What was said"`
	Metadata  json.RawMessage `json:"metadata,omitempty" jsonschema_extras:"fields=date" jsonschema_description:"Further facts, kept as given; date (ISO 8601) is when it was said, tags a list of strings"`
}

type dialogueOutput struct {
	ID        int64  `json:"id"`
	Timestamp string `json:"timestamp" jsonschema_description:"When it was said: metadata.date, else now"`
	SessionID string `json:"session_id"`
	Status    string `json:"status"`
}

func (f *family) storeDialogueTool() tools.Tool[dialogueInput, dialogueOutput] {
	return tools.Tool[dialogueInput, dialogueOutput]{
		Name:  dialogueName,
		Title: "Store raw dialogue",
		Description: "Store one turn of dialogue word for word (L0), so that it can be found and compressed later. Use it for what was said; use compress_to_l2_insight for what it means. " +
			"Returns its id. Example: the user's question of this session.",
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: version,
		Tags: []string{"memory", "dialogue"},
		Examples: []tools.Example[dialogueInput, dialogueOutput]{{
			Description: "A question of the user",
			Params: dialogueInput{
				SessionID: "conversation-2025-01-15", Speaker: "user", Content: "What is consciousness and how does it relate to memory?",
				Metadata: json.RawMessage(`{"context":"philosophical discussion"}`),
			},
			Result: dialogueOutput{ID: 1, Timestamp: "2025-01-15T10:30:00Z", SessionID: "conversation-2025-01-15", Status: "success"},
			Varies: []string{"timestamp"},
		}},
		Handle: f.storeDialogue,
	}
}

func (f *family) storeDialogue(ctx context.Context, in dialogueInput) (none tools.Result[dialogueOutput], err error) {
	if err := cmp.Or(tools.RequireText("session_id", in.SessionID), tools.RequireText("speaker", in.Speaker)); err != nil {
		return none, err
	}
	facts := parseMetadataFacts(in.Metadata)
	facts.dropFutureDate(f.Store.Now())
	d := memory.Dialogue{SessionID: in.SessionID, Speaker: in.Speaker, Content: in.Content, Metadata: in.Metadata, At: facts.at, Tags: facts.tags}
	if d.At.IsZero() {
		d.At = f.Store.Now()
	}
	_, err = store.WriteValue(ctx, f.Store, func(tx *store.Tx) (status EmbeddingStatus, err error) {
		if d.ID, err = memory.In(tx).InsertDialogue(d); err != nil {
			return "", err
		}
		return f.Search.IndexRow(tx, d.Row())
	})
	if err != nil {
		return none, err
	}
	return tools.Result[dialogueOutput]{
		Data:  dialogueOutput{ID: d.ID, Timestamp: formatTimestamp(d.At), SessionID: d.SessionID, Status: "success"},
		Hints: dialogueHints(d, facts),
	}, nil
}

// facts are what metadata says in the keys that mean something here.
type facts struct {
	at      time.Time // metadata.date; zero when absent or not understood
	local   time.Time // the same, in the offset that is written
	tags    []string
	ignored []string // what a caller may think to have said
}

// otherDates are keys under which callers give the time of a turn that only date
// can give.
var otherDates = []string{"timestamp", "datetime", "time", "created_at", "occurred_at"}

// parseMetadataFacts looks into metadata. Keys of another form than expected stay as they
// are; those that look as if they should count are named.
func parseMetadataFacts(metadata json.RawMessage) facts {
	var f facts
	var given map[string]json.RawMessage
	if len(metadata) == 0 || json.Unmarshal(metadata, &given) != nil {
		return f
	}
	known := make(map[string]json.RawMessage, len(given))
	for _, key := range slices.Sorted(maps.Keys(given)) {
		known[strings.ToLower(key)] = given[key]
	}
	f.parseDate(known)
	f.parseTags(known["tags"])
	return f
}

func (f *facts) parseDate(known map[string]json.RawMessage) {
	date, ok := known["date"]
	if !ok || isNull(date) {
		for _, key := range otherDates {
			var text string
			if json.Unmarshal(known[key], &text) == nil {
				if _, dated := parseISO(text); dated {
					f.noteIgnored("metadata." + key + " does not say when it was said, metadata.date does; the turn counts as said now")
				}
			}
		}
		return
	}
	var text string
	if json.Unmarshal(date, &text) == nil && text == "" {
		return
	}
	f.local, ok = tools.ParseZonedTime(text)
	if f.at = f.local.UTC(); !ok {
		f.noteIgnored("metadata.date is not an ISO 8601 date; the turn counts as said now")
	}
}

// dropFutureDate takes no date that no clock can have been set to, a year or more ahead: the
// turn would stand before all that is said from now on.
func (f *facts) dropFutureDate(now time.Time) {
	if f.at.After(now.AddDate(1, 0, 0)) {
		f.at, f.local = time.Time{}, time.Time{}
		f.noteIgnored("metadata.date lies more than a year ahead; the turn counts as said now")
	}
}

func (f *facts) parseTags(tags json.RawMessage) {
	var one any
	if json.Unmarshal(tags, &one) != nil || one == nil {
		return
	}
	list, ok := one.([]any)
	if !ok {
		list = []any{one}
	}
	for _, tag := range list {
		text, ok := tag.(string)
		if text = strings.TrimSpace(text); text != "" {
			f.tags = append(f.tags, text)
		} else if !ok {
			f.noteIgnored("metadata.tags holds something that is no text; it is kept, but not found as a tag")
		}
	}
}

// noteIgnored says once what does not count.
func (f *facts) noteIgnored(what string) {
	if !slices.Contains(f.ignored, what) {
		f.ignored = append(f.ignored, what)
	}
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }

func dialogueHints(d memory.Dialogue, facts facts) *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence()).
		SuggestCall(compressName, tools.PriorityMedium, map[string]any{"source_ids": []int64{d.ID}}, "when the exchange is complete, keep what it means; add the ids of its other turns").
		Because("what the turn means is not stored yet")
	if strings.TrimSpace(d.Content) == "" {
		h.Warn("validation", tools.PriorityLow, "the content is empty, so no search will find this turn", "store what was said")
	}
	for _, ignored := range facts.ignored {
		h.Warn("validation", tools.PriorityMedium, ignored, "write date as YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, tags as a list of texts")
	}
	return h
}
