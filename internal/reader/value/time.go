package value

import (
	"fmt"
	"strconv"
	"strings"

	"toolkit/internal/lazyregexp"
)

var clock = lazyregexp.New(`(?i)(?:^|[t,\s-])\s*(?:at\s+|um\s+|à\s+)?(\d{1,2})([:.h])(\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*(am|pm|a\.m\.|p\.m\.)?\s*(?:uhr)?\s*(z|utc|gmt|[ecmp][ds]t|cet|cest|bst|[+-]\d{2}:?\d{2})?\.?$`)

// TimeOf is the time of day at the end of a text, alone or behind a date, as HH:MM or
// HH:MM:SS with the zone as written; "" when there is none.
func TimeOf(text string) string {
	text = strings.TrimSpace(foldSpacesAndDigits(text))
	match := clock().FindStringSubmatch(text)
	if match == nil || (match[2] == "." && len(match[0]) == len(text)) { // 14.05 alone is a number
		return ""
	}
	hour, _ := strconv.Atoi(match[1])
	if half := strings.ToLower(match[5]); half != "" {
		if hour < 1 || hour > 12 {
			return ""
		}
		if hour %= 12; half[0] == 'p' {
			hour += 12
		}
	}
	if hour > 23 || match[3] > "59" || match[4] > "59" {
		return ""
	}
	moment := fmt.Sprintf("%02d:%s", hour, match[3])
	if match[4] != "" {
		moment += ":" + match[4]
	}
	switch zone := strings.ToUpper(match[6]); zone {
	case "UTC", "GMT", "Z":
		moment += "Z"
	default:
		moment += zone
	}
	return moment
}
