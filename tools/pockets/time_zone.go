package pockets

import "time"

// singaporeZone is Singapore time, in which days and hours of pockets are told.
var singaporeZone = time.FixedZone("SGT", 8*60*60)

// singaporeZoneMillis is its distance from UTC.
const singaporeZoneMillis = 8 * 60 * 60 * 1000

// timeFromMillis returns the time of unix milliseconds, in UTC.
func timeFromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
