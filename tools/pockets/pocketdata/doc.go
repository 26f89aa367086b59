// Package pocketdata brings data about pockets in and out: it reads files of
// readings, outlets, ledger entries, attention events, factors and predictions,
// checks every row, stores all of them or none, and writes them out again. It
// also makes the synthetic data of the demonstration.
//
// provenance.go says where data comes from, record.go and prediction.go check one
// row, read.go reads files, import.go stores, export.go writes, demo.go invents.
package pocketdata

import "time"

// Zone is Singapore time, in which days and hours of pockets are told.
var Zone = time.FixedZone("SGT", 8*60*60)

// ZoneMillis is Zone's distance from UTC.
const ZoneMillis = 8 * 60 * 60 * 1000

// Instant is the time of unix milliseconds, in UTC.
func Instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
