package entities

import "testing"

// TestTheTargetOfAMergeKeepsItsName merges Zonkers into Acme; what is known of Zonkers is
// newer in every row.
func TestTheTargetOfAMergeKeepsItsName(t *testing.T) {
	invoice := func(date, number, vendor string) args {
		return submit("invoice", date, args{"invoice_number": number, "vendor_name": vendor})
	}
	acme, zonkers, third := company("Acme"), company("Zonkers"), company("Third")
	correct := func(b *bench, entity, field, value string) {
		b.Call(correctName, args{"entity_id": entity, "field": field, "value": value})
	}
	merge := func(b *bench, source, target string) {
		b.Call(mergeName, args{"source_entity_id": source, "target_entity_id": target})
	}
	for name, c := range map[string]struct {
		before, after func(b *bench)
		entity, want  string
	}{
		"a later document of the source": {nil, nil, acme, "Acme"},
		"a source whose name was corrected": {
			func(b *bench) { correct(b, zonkers, "name", "Zonkers International") }, nil, acme, "Acme"},
		"a document of the source after the merge": {
			nil, func(b *bench) { b.Call(submitName, invoice("2025-03-01", "3", "ZONKERS")) }, acme, "Acme"},
		"a document of the target after the merge": {
			nil, func(b *bench) { b.Call(submitName, invoice("2025-03-01", "3", "ACME, Inc.")) }, acme, "ACME, Inc."},
		"a target whose name is corrected": {
			nil, func(b *bench) { correct(b, acme, "name", "Acme Group") }, acme, "Acme Group"},
		"a target that is merged in turn": {
			func(b *bench) { b.Call(submitName, invoice("2024-01-01", "3", "Third")) },
			func(b *bench) { merge(b, acme, third) }, third, "Third"},
		"a source that is parted again": {
			nil, func(b *bench) { b.Call(unmergeName, args{"entity_id": zonkers}) }, zonkers, "Zonkers"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.Call(submitName, invoice("2025-01-01", "1", "Acme"))
			b.Call(submitName, invoice("2025-02-01", "2", "Zonkers"))
			if c.before != nil {
				c.before(b)
			}
			merge(b, zonkers, acme)
			correct(b, acme, "phone", "555")
			if c.after != nil {
				c.after(b)
			}
			s := b.snapshot(c.entity)
			same(t, "its name", s["snapshot"].(args)["name"], any(c.want))
			same(t, "its conflicts", s["conflicts"], nil)
			contains(t, "the list", text(b.Call(findName, args{"type": companyType})), `"canonical_name":"`+c.want+`"`)
			b.rebuild()
		})
	}
}
