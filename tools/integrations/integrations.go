// Package integrations is the family of what comes from, and looks at, the
// world around the store: export archives of providers, bank transactions
// through Plaid, and measurements of the toolkit itself.
//
// providers.go and plaid.go bring records in; measure.go answers from the local
// log of calls, or from Prometheus and PostHog where they are configured.
package integrations

import (
	"toolkit/store"
	"toolkit/tools"
)

// Name is the family's name.
const Name = "integrations"

// Deps are what the family works with. The clock is the store's.
type Deps struct {
	Store *store.DB
	// Measure is what the tools of metrics and analytics work with.
	Measure Measure
}

// version of all tools of the family.
const version = "1.0.0"

// family is the receiver of the handlers.
type family struct {
	store   *store.DB
	measure Measure
}

// New returns the family with its tools. It does not touch the store, and
// nothing outside, before the first call.
func New(d Deps) tools.Family {
	f := &family{store: d.Store, measure: d.Measure}
	var list []*tools.Definition
	list = append(list, f.providerTools()...)
	list = append(list, f.plaidTools()...)
	list = append(list, f.measureTools()...)
	return tools.Family{
		Name:    Name,
		Subject: "records from other services, and measurements of this one",
		Dialect: tools.PayloadDialect,
		Tools:   list,
	}
}
