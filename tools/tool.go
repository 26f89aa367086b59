package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
)

// Category decides caching, ordering and the read-only annotation of a tool.
type Category string

// Categories of the contract. Query and analysis tools never write.
const (
	Query      Category = "query"
	Mutation   Category = "mutation"
	Analysis   Category = "analysis"
	Generation Category = "generation"
)

// ResponseTime is the class of duration a caller should expect; it also sets
// the timeout of a call.
type ResponseTime string

// Response times of the contract: under 100 ms, up to a second, longer.
const (
	Fast   ResponseTime = "fast"
	Medium ResponseTime = "medium"
	Slow   ResponseTime = "slow"
)

// Timeout is how long a call of this class may run before it is abandoned.
func (r ResponseTime) Timeout() time.Duration {
	switch r {
	case Fast:
		return 2 * time.Second
	case Medium:
		return 10 * time.Second
	default:
		return 60 * time.Second
	}
}

// Permission is a right a caller needs, written resource:action.
type Permission string

// RateLimit bounds valid calls in a sliding window.
type RateLimit struct {
	MaxCalls int           // calls allowed in any Window
	Window   time.Duration // length of the sliding window
	// Shared names a group of tools that share one window; empty: the tool has
	// its own.
	Shared string
}

// Deprecation announces the end of a tool that still works.
type Deprecation struct {
	Since       string    // version of the tool that deprecated it
	Replacement string    // name of the tool to use instead
	RemovalDate time.Time // at least 90 days after Announced
	Announced   time.Time // day the deprecation was published
}

// Example is one call with its expected result. A test runs every example
// against a fresh database: Setup calls first, then Params, and compares what
// Result states.
type Example[In, Out any] struct {
	Description string      `json:"description"`
	Setup       []SetupCall `json:"-"` // calls that prepare the data, in order
	Params      In          `json:"params"`
	Result      Out         `json:"expectedResult"` // compared by its JSON; see Varies
	// Varies names fields (JSON names, anywhere in the result) whose values
	// depend on the moment, such as ids and times; they are compared for
	// presence only.
	Varies []string `json:"varies,omitempty"`
}

// SetupCall is a call an example needs made before it.
type SetupCall struct {
	Tool   string
	Params any
}

// Result is what a handler returns on success.
type Result[Out any] struct {
	Data  Out
	Hints *Hints
	// Voice replaces the JSON text of the result by a sentence, for families
	// whose documented text is one.
	Voice string
	// Meta adds keys to the result's _meta, such as attribution.
	Meta map[string]any

	checked json.RawMessage // Data, or the part of it that the output schema is to fit
}

// Tool describes one tool. Every field but the optional ones named below is
// required; Registry.Register refuses a definition that breaks a rule.
type Tool[In, Out any] struct {
	Name         string // published name, snake_case or kebab-case; never changes
	Title        string // for people
	Description  string // at least 50 characters: what, when, what it returns, an example use
	Permissions  []Permission
	Category     Category
	ResponseTime ResponseTime
	CacheTTL     time.Duration // optional; zero: not cacheable. Only query and analysis may cache
	Reads        []string      // topics whose writes make a cached result stale; required with CacheTTL
	Idempotent   bool          // repeating a call with the same input changes nothing further
	Destructive  bool          // optional: removes or replaces what is stored
	OpenWorld    bool          // optional: talks to systems outside this machine
	Version      string        // semantic version of the tool
	Examples     []Example[In, Out]
	Tags         []string
	RateLimit    *RateLimit   // optional
	Deprecated   *Deprecation // optional
	// Core tools are listed in the small toolset too. Optional.
	Core bool
	// Doors lead to tools that are not listed: they are listed in the small toolset
	// alone. Optional.
	Door bool
	// Forward makes a call of this tool the call of another one, which its arguments
	// name. A tool that has it needs no Handle. Optional.
	Forward func(In) (tool string, arguments json.RawMessage)
	// Unlisted tools can be called and stand in no list: names that clients of
	// other servers know. Optional.
	Unlisted bool
	// Strict tools refuse arguments that they do not have, which others ignore:
	// one that was to narrow what goes must not be passed over. What clients add
	// to every call is ignored all the same. Optional.
	Strict bool
	// LongNames lets texts without a bound of their own be as long as any text, as another
	// server takes them. Optional.
	LongNames bool
	// BareList names the one list of Out whose plain JSON array is the
	// documented text of the result. Optional.
	BareList string
	Handle   func(context.Context, In) (Result[Out], error)
}

// Definition is a Tool without its Go types, as the registry keeps it: its input
// and output are JSON.
type Definition struct {
	Tool[json.RawMessage, json.RawMessage]
	Family, System string // set by NewRegistry

	// InputSchema is the published JSON Schema of the arguments, and OutputSchema that of the
	// documented result, without agentHints.
	InputSchema, OutputSchema func() (json.RawMessage, error)

	// Examples are those of the tool. Encoding them takes time that start-up does not have.
	Examples func() []Example[json.RawMessage, json.RawMessage]

	// coreSchema is InputSchema as the small toolset lists it.
	coreSchema func() (json.RawMessage, error)
	// outputWithHints is the output schema as listed when hints travel in structuredContent.
	outputWithHints   func() (json.RawMessage, error)
	described         []string                // the descriptions of the examples
	arguments, result func() (*schema, error) // what both are held to
	required          func() []string         // arguments
	dialect           Dialect
}

// outcome is what one run of a handler produced, encoded.
type outcome = Result[json.RawMessage]

// Cacheable reports whether results may be served from the cache.
func (d *Definition) Cacheable() bool { return d.CacheTTL > 0 }

// Writes reports whether calls may change what is stored.
func (d *Definition) Writes() bool { return d.Category == Mutation || d.Category == Generation }

// Define erases the types of a tool. It does not check the rules; the registry
// does, so that every broken rule is reported with the tool's name.
func Define[In, Out any](t Tool[In, Out]) *Definition {
	d := &Definition{Tool: Tool[json.RawMessage, json.RawMessage]{
		Name: t.Name, Title: t.Title, Description: t.Description,
		Permissions: t.Permissions, Category: t.Category, ResponseTime: t.ResponseTime,
		CacheTTL: t.CacheTTL, Reads: t.Reads, Idempotent: t.Idempotent,
		Destructive: t.Destructive, OpenWorld: t.OpenWorld, Version: t.Version,
		Tags: t.Tags, RateLimit: t.RateLimit, Deprecated: t.Deprecated, Unlisted: t.Unlisted, Strict: t.Strict, LongNames: t.LongNames, BareList: t.BareList,
		Core: t.Core, Door: t.Door,
	}}
	input := reflect.TypeFor[In]()
	d.reflectSchemas(input, reflect.TypeFor[Out]())
	d.required = sync.OnceValue(func() []string { return requiredArguments(input) })
	described := make([]string, len(t.Examples))
	for i, e := range t.Examples {
		described[i] = e.Description
	}
	d.described = described
	d.Examples = sync.OnceValue(func() (encoded []Example[json.RawMessage, json.RawMessage]) {
		for _, e := range t.Examples {
			encoded = append(encoded, Example[json.RawMessage, json.RawMessage]{
				Description: e.Description, Setup: e.Setup, Varies: e.Varies,
				Params: mustEncodeJSON(e.Params), Result: mustEncodeJSON(e.Result),
			})
		}
		return encoded
	})
	if t.Forward != nil {
		d.Forward = func(arguments json.RawMessage) (string, json.RawMessage) {
			var in In
			json.Unmarshal(arguments, &in) //nolint:errcheck // they passed the schema; without a name no tool is found
			return t.Forward(in)
		}
	}
	if t.Handle == nil {
		return d
	}
	d.Handle = func(ctx context.Context, arguments json.RawMessage) (outcome, error) {
		var in In
		if err := json.Unmarshal(arguments, &in); err != nil {
			if unfit, is := errors.AsType[*json.UnmarshalTypeError](err); is && strings.HasPrefix(unfit.Value, "number") {
				return outcome{}, numberTooLargeError(d.jsonPath(unfit.Field))
			}
			return outcome{}, fmt.Errorf("arguments that passed the schema do not fit %s: %w", input, err)
		}
		result, err := t.Handle(ctx, in)
		if err != nil {
			return outcome{}, err
		}
		data, err := encodeJSON(result.Data)
		if err != nil {
			return outcome{}, fmt.Errorf("encoding the result: %w", err)
		}
		checked, err := shortenDataToCheck(data, result.Data)
		return outcome{Data: data, Hints: result.Hints, Voice: result.Voice, Meta: result.Meta, checked: checked}, err
	}
	return d
}

// jsonPath is the path of an argument without the embedded Go structs that
// encoding/json names in it.
func (d *Definition) jsonPath(goPath string) string {
	held, err := d.arguments()
	parts := strings.Split(goPath, ".")
	for i, part := range parts {
		if err == nil && held.Properties[part] != nil {
			return strings.Join(parts[i:], ".")
		}
	}
	return goPath
}
