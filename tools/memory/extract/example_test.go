package extract_test

import (
	"fmt"
	"time"

	"toolkit/tools/memory/extract"
)

func Example() {
	monday := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var seen []extract.Sighting
	for i, text := range []string{
		"We decided to use MySQL for billing. Should we test it?",
		"I prefer short answers. Now run the tests.",
		"We decided to use Postgres for billing, and I'll migrate the data by Friday.",
	} {
		at := monday.AddDate(0, 0, i)
		for _, c := range extract.From(extract.Turn{Speaker: extract.User, Text: text, At: at}, nil) {
			seen = append(seen, extract.Sighting{Candidate: c, Session: fmt.Sprint("session ", i), At: at})
		}
	}
	for i, s := range extract.Settle(seen) {
		fmt.Println(i, s.Kind, s.Stored, s.SupersededBy, s.Text)
	}
	// Output:
	// 0 decision true 2 We decided to use MySQL for billing
	// 1 preference false -1 I prefer short answers
	// 2 decision true -1 We decided to use Postgres for billing
	// 3 promise true -1 I'll migrate the data by Friday
}
