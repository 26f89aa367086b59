// Package integrations is the family of what comes from, and looks at, the
// world around the store: export archives of providers, bank transactions
// through Plaid, and measurements of the toolkit itself.
//
// providers.go, sync*.go and plaid*.go bring records in; measure.go answers from
// the local log of calls, or from Prometheus and PostHog where they are
// configured.
//
// What comes in becomes records by the rules of the payload store, through
// Intake. A sync is the one kind of call that is more than one transaction: each
// batch commits its records together with the place where reading goes on, so
// that a sync which is broken off, even by a power cut, is taken up where it
// ended, and nothing is lost or stored twice.
package integrations

import (
	"encoding/json"
	"net/http"

	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/store/records"
	"toolkit/tools"
)

// Name is the family's name.
const Name = "integrations"

// Intake puts records into the payload store by its rules.
type Intake interface {
	// Add stores a record or brings it up to date, with entities as a document
	// of the payload store has them. stands says what holds on to the user's word.
	Add(tx *store.Tx, r records.Record, observedAt int64, entities bool) (created, changed bool, stands []string, err error)
	// Amend sets properties of a record that is there.
	Amend(tx *store.Tx, id string, properties json.RawMessage, observedAt int64) (changed bool, stands []string, err error)
}

// Deps are what the family works with. The clock is the store's.
type Deps struct {
	Store  *store.DB
	Intake Intake
	// Getenv configures what leaves the machine; nil, and a variable that is not
	// set: nothing does.
	Getenv func(string) string
	// Private is what no archive may lead to, by links beside its own files.
	Private localfile.Private
	// HTTP reaches configured services; nil: a client of the family's own.
	HTTP *http.Client
	// Measure is what the tools of metrics and analytics work with.
	Measure Measure
}

// version of all tools of the family.
const version = "1.0.0"

// family is the receiver of the handlers.
type family struct {
	store   *store.DB
	intake  Intake
	private localfile.Private
	plaid   *bank
	measure Measure
}

// New returns the family with its tools. It does not touch the store, and
// nothing outside, before the first call.
func New(d Deps) tools.Family {
	f := &family{store: d.Store, intake: d.Intake, private: d.Private, plaid: newBank(d), measure: d.Measure}
	return tools.Family{
		Name:    Name,
		Subject: "records from other services, and measurements of this one",
		Dialect: tools.PayloadDialect,
		Tools: []*tools.Definition{
			tools.Define(f.catalogTool()), tools.Define(f.syncTool()),
			tools.Define(f.linkTool()), tools.Define(f.exchangeTool()), tools.Define(f.bankSyncTool()), tools.Define(f.itemsTool()),
			tools.Define(f.metricsTool()), tools.Define(f.analyticsTool()),
		},
	}
}

// Error codes that providers and Plaid share. Messages name fields and places in
// the data folder, never values or paths of the machine.
const (
	codeSyncFailed   = "SYNC_FAILED"
	codeInsertFailed = "DB_INSERT_FAILED"
	codeQueryFailed  = "DB_QUERY_FAILED"
)
