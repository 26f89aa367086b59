package integrations

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"toolkit/store"
	"toolkit/store/records"
	"toolkit/store/sources"
	"toolkit/tools/integrations/archive"
)

// itemCounts are what became of items that came in.
type itemCounts struct {
	added, changed, unchanged int
	stands                    []string // what they say otherwise than the user, or not plainly
}

// storeItems stores the items of a source that are new or say something new, as
// records, and with entities like submitted ones.
func (f *family) storeItems(tx *store.Tx, source string, items []archive.Item, entities bool) (n itemCounts, err error) {
	ids := make([]string, len(items))
	for i, item := range items {
		ids[i] = recordID(source, item.ID)
	}
	known, err := sources.In(tx).ImportedDigests(ids)
	if err != nil {
		return n, err
	}
	now := f.store.Now().UnixMilli()
	for i, item := range items {
		item.Fields["provider"] = source
		properties, err := json.Marshal(item.Fields)
		if err != nil {
			return n, fmt.Errorf("encoding an item: %w", err)
		}
		digest := digestOf(item.Type, properties)
		if was, imported := known[ids[i]]; imported && was == digest {
			n.unchanged++
			continue
		}
		known[ids[i]] = digest
		created, changed, stands, err := f.intake.Add(tx, records.Record{ID: ids[i], Type: item.Type, Properties: properties, CreatedAt: now, UpdatedAt: now}, now, entities)
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
		if err := sources.In(tx).SaveImportedDigest(ids[i], digest); err != nil {
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
