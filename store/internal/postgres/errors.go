package postgres

import "errors"

// Code is the five letters by which PostgreSQL names an error, or empty.
func Code(err error) string {
	var coded interface{ SQLState() string }
	if errors.As(err, &coded) {
		return coded.SQLState()
	}
	return ""
}
