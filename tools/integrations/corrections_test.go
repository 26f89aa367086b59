package integrations_test

import (
	"strings"
	"testing"

	"toolkit/internal/plaidtest"
	"toolkit/internal/toolstest"
)

func TestABankDoesNotUndoWhatTheUserSetRight(t *testing.T) {
	b := newBankBench(t)
	b.connect()
	b.bank.Change("added", plaidtest.Purchase("tx-1", "2025-01-01", "Otter Books", 12.5))
	b.syncBanks(args{})
	record := b.find(args{"properties": args{"transaction_id": "tx-1"}})[0]["id"]
	id := b.Call("find_entities", args{"type": "transaction"})["entities"].([]any)[0].(args)["entity_id"]
	b.Call("update_record", args{"id": record, "properties": args{"category": "BOOKS"}})
	b.Call("correct_field", args{"entity_id": id, "field": "amount", "value": 11})
	b.bank.Change("modified", plaidtest.Purchase("tx-1", "2025-01-02", "Otter Books", 13))
	r := b.CallAllowingRefusal("plaid_sync", args{"sync_all": true})
	for where, message := range map[string]string{"the answer": r.Text, "its hints": toolstest.EncodeJSON(r.Hints.Warnings)} {
		contains(t, where, message, "amount of the transaction")
		contains(t, where, message, "stands as the user corrected it")
		contains(t, where, message, "category of the transaction")
	}
	s := b.Call("get_entity_snapshot", args{"entity_id": id})
	same(t, "the amount", s["snapshot"].(args)["amount"], 11.0)
	same(t, "the day, which nobody set", s["snapshot"].(args)["date"], "2025-01-02")
	same(t, "conflicts", len(s["conflicts"].([]any)), 2)
	p := b.find(args{"properties": args{"transaction_id": "tx-1"}})[0]["properties"].(args)
	same(t, "the record", []any{p["category"], p["amount"], p["date"]}, []any{"BOOKS", 13.0, "2025-01-02"})
}

func TestAnArchiveDoesNotUndoAnUpdate(t *testing.T) {
	b := newBench(t)
	event := func(summary string) string {
		return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:e1\r\nDTSTART:20250102T100000Z\r\nSUMMARY:" + summary + "\r\nLOCATION:Pier\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	}
	b.put("google_calendar/a.ics", event("Rowing"))
	b.sync(args{"provider": "google_calendar"})
	record := b.find(args{})[0]
	const title = "title"
	b.Call("update_record", args{"id": record["id"], "properties": args{title: "Rowing with Ida"}})
	b.put("google_calendar/a.ics", strings.Replace(event("Sculling"), "Pier", "Lake", 1))
	_, out := b.sync(args{"provider": "google_calendar"})
	contains(t, "the answer", toolstest.EncodeJSON(out["warnings"]), title+" of the event")
	now := b.find(args{})
	same(t, "records", len(now), 1)
	same(t, "the record", []any{now[0]["properties"].(args)[title], now[0]["properties"].(args)["location"]}, []any{"Rowing with Ida", "Lake"})
}
