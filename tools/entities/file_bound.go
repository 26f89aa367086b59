package entities

import (
	"fmt"
	"maps"
	"slices"
)

// maxFileValues bounds how many values of a file become fields that are searched:
// storing them holds the write lock for about a second. The file keeps the others.
const maxFileValues = 40_000

// cutOff stands for a number of values left after some were left out.
const cutOff = -1

// limitValues leaves out what a file has beyond maxFileValues: whole rows or items, and
// of a single one that has too many its last fields.
func (r *reading) limitValues() {
	left := maxFileValues
	limitValue(r.properties, &left)
	for i, p := range r.parts {
		if limitValue(p.properties, &left); left == cutOff {
			r.parts = r.parts[:max(i, 1)] // half a row would be a wrong one
			break
		}
	}
	if len(r.parts) > 0 && len(r.parts) < r.total {
		r.warn(fmt.Sprintf("%d of %d %ss became records; the others are in the file only", len(r.parts), r.total, r.parts[0].recordType))
	}
	if left == cutOff {
		r.cut = true
		r.warn(fmt.Sprintf("the file holds more than %d values; those beyond are in the file only", maxFileValues))
	}
}

// limitValue takes out of a value what lies beyond the number left.
func limitValue(value any, left *int) any {
	switch v := value.(type) {
	case object:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if *left <= 0 {
				delete(v, name)
				*left = cutOff
				continue
			}
			v[name] = limitValue(v[name], left)
		}
		return v
	case []any:
		for i := range v {
			if *left <= 0 {
				*left = cutOff
				return v[:i]
			}
			v[i] = limitValue(v[i], left)
		}
		return v
	}
	*left--
	return value
}
