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
//
// archive_*.go read the export archives that online services hand to their users: a
// folder of files, of ZIP archives, or of both. OpenArchiveFolder lists the documents of a
// folder without following links or trusting names. Each service has an ArchiveFormat,
// which says how a document of a given name is read: as a stream of entries, from any
// position that an earlier entry named, so that reading can be broken off and taken up
// again. What services write as JSON is read by tables of paths. These files know no store
// and no network.
//
// Archives count as hostile: sizes of elements, members and packing ratios are bounded, and
// what cannot be read is an entry with an error, or ends its document, never the process.
package integrations

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
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
	Measure MeasurementSources
}

// version of all tools of the family.
const version = "1.0.0"

// family is the receiver of the handlers.
type family struct {
	Deps
	plaid *plaidService
}

// New returns the family with its tools. It does not touch the store, and
// nothing outside, before the first call.
func New(d Deps) tools.Family {
	f := &family{d, configurePlaid(d)}
	return tools.Family{
		Name:    Name,
		System:  "documents",
		Subject: "records from other services, and measurements of this one",
		Dialect: tools.FormatPayloadError,
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

// itemCounts are what became of items that came in.
type itemCounts struct {
	added, changed, unchanged int
	stands                    []string // what they say otherwise than the user, or not plainly
}

// storeItems stores the items of a source that are new or say something new, as
// records, and with entities like submitted ones.
func (f *family) storeItems(tx *store.Tx, source string, items []ArchiveItem, entities bool) (n itemCounts, err error) {
	ids := make([]string, len(items))
	for i, item := range items {
		ids[i] = recordID(source, item.ID)
	}
	known, err := records.In(tx).ImportedDigests(ids)
	if err != nil {
		return n, err
	}
	now := f.Store.Now().UnixMilli()
	for i, item := range items {
		item.Fields["provider"] = source
		properties, err := json.Marshal(item.Fields)
		if err != nil {
			return n, fmt.Errorf("encoding an item: %w", err)
		}
		digest := digestOf(item.Type, properties)
		was, imported := known[ids[i]]
		isKnown := imported && was == digest
		if imported && !isKnown {
			_, found, err := records.In(tx).ByID(ids[i])
			if err != nil {
				return n, err
			}
			isKnown = !found // it was deleted, and stays so
		}
		if isKnown {
			n.unchanged++
			continue
		}
		known[ids[i]] = digest
		created, changed, stands, err := f.Intake.Add(tx, records.Record{ID: ids[i], Type: item.Type, Properties: properties, CreatedAt: now, UpdatedAt: now}, now, entities)
		n.stands = append(n.stands, stands...)
		switch {
		case err != nil:
			return n, err
		case created:
			n.added++
		case changed:
			n.changed++
		default:
			n.unchanged++
		}
		if err := records.In(tx).SaveImportedDigest(ids[i], digest); err != nil {
			return n, err
		}
	}
	return n, nil
}

// digestOf stands for what a source says of an item. Keys of objects are in
// order, as encoding/json writes them.
func digestOf(kind string, properties []byte) int64 {
	sum := sha256.Sum256(append([]byte(kind+"\x00"), properties...))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}
