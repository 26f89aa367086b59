package integrations

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"toolkit/fixtures"
	"toolkit/store"
	"toolkit/tools"
)

const (
	catalogName = "list_provider_catalog"
	syncName    = "sync_provider_imports"
	// retrieveName is the tool of the payload store that finds what came in.
	retrieveName = "retrieve_records"
)

// Permissions of imports.
const (
	mayReadProviders tools.Permission = "providers:read"
	mayImport        tools.Permission = "imports:create"
)

type catalogInput struct{}

type catalogOutput struct {
	Providers []provider `json:"providers"`
}

type provider struct {
	fixtures.ProviderListing
	ImportPath string `json:"import_path,omitempty" jsonschema_description:"Folder for its export archive, in the data folder"`
}

func (f *family) catalogTool() tools.Tool[catalogInput, catalogOutput] {
	return tools.Tool[catalogInput, catalogOutput]{
		Name:  catalogName,
		Title: "List the provider catalog",
		Description: "List the services whose data can be brought in, or will be. Use it before an import. " +
			"Returns each with its capabilities, status and, where an importer exists, the folder for its export archive. Example: can my Gmail be imported?",
		Permissions: []tools.Permission{mayReadProviders}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"providers", "import"},
		Examples: []tools.Example[catalogInput, catalogOutput]{{
			Description: "The whole catalog",
			Result:      catalogOutput{Providers: []provider{toCatalogProvider(fixtures.Providers()[0])}},
			Varies:      []string{"providers"}, // the first of many stands for all
		}},
		Handle: f.listCatalog,
	}
}

func toCatalogProvider(p fixtures.Provider) provider {
	shown := provider{ProviderListing: p.ProviderListing}
	if p.Importer != "" {
		shown.ImportPath = importPath(p.ID)
	}
	return shown
}

// importPath is where the archives of a provider lie, for people: relative to
// the data folder.
func importPath(id string) string { return store.ImportsFolder + "/" + id + "/" }

func (f *family) listCatalog(context.Context, catalogInput) (tools.Result[catalogOutput], error) {
	out := catalogOutput{Providers: []provider{}}
	available := 0
	h := tools.NewHints(tools.NewReadEvidence(len(fixtures.Providers())))
	for _, p := range fixtures.Providers() {
		out.Providers = append(out.Providers, toCatalogProvider(p))
		if p.Importer != "" {
			available++
			h.AddRelatedResource("provider", p.ID, p.Name, float64(p.PopularityScore)/100)
		}
	}
	h.Because("the services with status available are imported from an export archive; no account is entered")
	h.SuggestCall(syncName, tools.PriorityMedium, nil, "once the archive lies in the folder that import_path names, import it")
	h.Needs("which service the user keeps data with, and whether an export archive is at hand")
	return tools.Result[catalogOutput]{Data: out, Hints: h}, nil
}

// connectorID names the one connector of a provider: its folder of archives.
func connectorID(id string) string {
	return uuid.NewSHA1(integrationSpace, []byte("connector:"+id)).String()
}

// integrationSpace is the UUID namespace of what comes in.
var integrationSpace = uuid.NewSHA1(uuid.NameSpaceURL, []byte("toolkit:integrations"))

// recordID follows from what a provider calls an item, so that the same item is
// the same record from every export.
func recordID(provider, external string) string {
	return uuid.NewSHA1(integrationSpace, []byte(provider+"\x00"+external)).String()
}

type syncInput struct {
	Provider    string `json:"provider" jsonschema:"required,minLength=1,maxLength=100" jsonschema_description:"Provider id from list_provider_catalog, such as gmail"`
	ConnectorID string `json:"connector_id,omitempty" jsonschema_description:"Connector UUID; each provider has one, and leaving it out means that"`
	SyncType    string `json:"sync_type,omitempty" jsonschema:"enum=initial,enum=incremental" jsonschema_description:"incremental (default) goes on where the last sync ended; initial reads every archive again"`
	Limit       int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_description:"Records a page, each page is committed by itself; default 500"`
	MaxPages    int    `json:"max_pages,omitempty" jsonschema:"minimum=1" jsonschema_description:"Stop after this many pages; default: as many as the time allows"`
}

type syncOutput struct {
	SyncRunID   string    `json:"sync_run_id"`
	Provider    string    `json:"provider"`
	Status      string    `json:"status" jsonschema:"enum=pending,enum=running,enum=completed,enum=failed" jsonschema_description:"pending: more is to be read; call again"`
	Stats       syncStats `json:"stats"`
	StartedAt   string    `json:"started_at"`
	CompletedAt string    `json:"completed_at,omitempty"`
	HasMore     bool      `json:"has_more"`
	ConnectorID string    `json:"connector_id"`
	Warnings    []string  `json:"warnings,omitempty"`
}

type syncStats struct {
	RecordsAdded     int `json:"records_added"`
	RecordsUpdated   int `json:"records_updated"`
	Errors           int `json:"errors" jsonschema_description:"Items and files that could not be read"`
	RecordsUnchanged int `json:"records_unchanged" jsonschema_description:"Items that were known already"`
}

func (f *family) syncTool() tools.Tool[syncInput, syncOutput] {
	return tools.Tool[syncInput, syncOutput]{
		Name:  syncName,
		Title: "Import a provider's archive",
		Description: "Import the export archive of a service (mail, calendar, chats, posts) from its folder in the data folder; repeat it at will, nothing is stored twice. " +
			"Returns what was added and updated; has_more says to call again. Example: after the user has put a Gmail export into imports/gmail/.",
		Permissions: []tools.Permission{mayImport}, Category: tools.Mutation, ResponseTime: tools.Slow, Idempotent: true, Version: version,
		Tags: []string{"providers", "import"}, RateLimit: &tools.RateLimit{MaxCalls: 5, Window: time.Minute},
		Examples: []tools.Example[syncInput, syncOutput]{{
			Description: "A calendar file lies in imports/google_calendar/",
			Params:      syncInput{Provider: exampleProvider},
			Result: syncOutput{
				Provider: exampleProvider, Status: "completed", Stats: syncStats{RecordsAdded: 1}, StartedAt: "2026-01-01T12:00:00Z", CompletedAt: "2026-01-01T12:00:00Z",
				SyncRunID: "550e8400-e29b-41d4-a716-446655440000", ConnectorID: connectorID(exampleProvider),
			},
			Varies: []string{"sync_run_id", "started_at", "completed_at"},
		}},
		Handle: f.syncProvider,
	}
}

// exampleProvider is the provider of the example.
const exampleProvider = "google_calendar"

// findProvider looks a provider up and makes the reader of its archives.
func findProvider(in syncInput) (p fixtures.Provider, format ArchiveFormat, err error) {
	at := slices.IndexFunc(fixtures.Providers(), func(p fixtures.Provider) bool { return p.ID == in.Provider })
	if at < 0 {
		return p, format, tools.Refused("PROVIDER_NOT_FOUND", "provider", "known provider", "provider is not in the catalog; available are %s", strings.Join(listAvailableProviderIDs(), ", ")).
			WithDetail("available", listAvailableProviderIDs()).
			WithHints(tools.NewRefusalHints().Because("ids of providers come from the catalog").SuggestCall(catalogName, tools.PriorityHigh, nil, "find the provider's id"))
	}
	p = fixtures.Providers()[at]
	if p.Importer == "" {
		return p, format, connectorNotFoundError("provider", "available provider", "%s is in the catalog, but its archives are not understood yet; available are %s", p.Name, strings.Join(listAvailableProviderIDs(), ", "))
	}
	if in.ConnectorID != "" && !strings.EqualFold(in.ConnectorID, connectorID(p.ID)) {
		return p, format, connectorNotFoundError("connector_id", "existing connector", "connector_id names no connector of this provider; leave it out: each provider has one, its folder of archives")
	}
	return p, ArchiveFormats[p.Importer], nil
}

func connectorNotFoundError(field, rule, format string, args ...any) *tools.Error {
	return tools.Refused("CONNECTOR_NOT_FOUND", field, rule, format, args...).
		WithHints(tools.NewRefusalHints().Because("archives are imported from a folder for each provider").SuggestCall(catalogName, tools.PriorityMedium, nil, "see which services can be imported, and from where"))
}

func listAvailableProviderIDs() []string {
	var ids []string
	for _, p := range fixtures.Providers() {
		if p.Importer != "" {
			ids = append(ids, p.ID)
		}
	}
	return ids
}
