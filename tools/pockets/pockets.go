// Package pockets is the family of neighbourhood pockets: what the atmosphere of
// a small place is like right now, and whether this is a moment to speak or to
// stay silent.
//
// Readings come in by import or record_pocket_signal; eleven tools read them and
// write nothing. Every number either was stored or follows from stored rows by a
// formula in formulas_*.go; where evidence is missing the answer says so. The
// composition is our own.
//
// evidence.go gathers what is known of pockets at a moment, attribution.go says
// whose data it is, voice.go keeps sentences short. Each tool has its file;
// loop.go is what run_pocket_loop and the command line run.
//
// Data comes in and goes out by files of readings, outlets, ledger entries, attention
// events, factors and predictions: read_file.go reads them, check_row.go and
// sealed_prediction.go check one row, import_data.go stores all of them or none,
// export_data.go writes them out again, provenance.go says where they come from.
// demo.go makes the synthetic data of the demonstration.
package pockets

import (
	"strings"
	"time"

	"toolkit/fixtures"
	"toolkit/store"
	"toolkit/tools"
)

// Name is the family's name.
const Name = "pockets"

// Deps are what the family works with. The clock is the store's.
type Deps struct {
	Store *store.DB
	// RateLimit makes all tools of the family share 30 calls a minute.
	RateLimit bool
}

// Permissions of the family.
const (
	mayRead   tools.Permission = "pockets:read"
	mayCreate tools.Permission = "pockets:create"
	mayUpdate tools.Permission = "pockets:update"
)

// version of the tools of the family.
const version = "1.0.0"

// shorterVersion is that of tools that leave empty lists out of their results.
const shorterVersion = "1.1.0"

// sharedLimit is what the source allows an address, over HTTP.
var sharedLimit = tools.RateLimit{MaxCalls: 30, Window: time.Minute, Shared: Name}

// family is the receiver of the handlers.
type family struct{ store *store.DB }

// New returns the family with its tools. It does not touch the store before the
// first call.
func New(d Deps) tools.Family {
	f := &family{store: d.Store}
	all := tools.Family{
		Name:    Name,
		Subject: "the atmosphere of neighbourhood pockets, and whether to speak or stay silent",
		Dialect: formatError,
		Tools: []*tools.Definition{
			tools.Define(f.listTool()),
			tools.Define(f.momentTool()),
			tools.Define(f.outletTool()),
			tools.Define(f.sustainabilityTool()),
			tools.Define(f.qualityTool()),
			tools.Define(f.lookupTool()),
			tools.Define(f.atmosphereTool()),
			tools.Define(f.predictionsTool()),
			tools.Define(f.silenceTool()),
			tools.Define(f.intentTool()),
			tools.Define(f.legitimacyTool()),
			tools.Define(f.recordTool()),
			tools.Define(f.loopTool()),
		},
	}
	if d.RateLimit {
		for _, t := range all.Tools {
			t.RateLimit = &sharedLimit
		}
	}
	return all
}

// now is the moment of the store's clock in unix milliseconds.
func (f *family) now() int64 { return f.store.Now().UnixMilli() }

// place is a pocket as a caller named it.
type place struct {
	ID         string // canonical, or as it was given when it is not registered
	Name       string // for people
	Registered bool
}

// resolvePlace resolves what a caller gave as pocket_id; aliases are fine.
func resolvePlace(name string) (place, error) {
	if err := tools.RequireText("pocket_id", name); err != nil {
		return place{}, err
	}
	if p, ok := fixtures.PocketByName(name); ok {
		return place{ID: p.ID, Name: p.Name, Registered: true}, nil
	}
	id := strings.TrimSpace(name)
	return place{ID: id, Name: id}, nil
}

// insufficientData is what an answer carries instead of numbers when too little is known.
type insufficientData struct {
	Status  string `json:"status,omitempty" jsonschema_description:"insufficient_data when too little is known; else absent"`
	Message string `json:"message,omitempty" jsonschema_description:"What is missing; goes with status"`
}

func reportInsufficientData(message string) insufficientData {
	return insufficientData{Status: "insufficient_data", Message: message}
}

// isoSeconds writes a time as the source does, in UTC.
func isoSeconds(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.RFC3339) }

// isoMillis writes a time with its milliseconds, in UTC.
func isoMillis(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }
