package postgres

import (
	"database/sql"
	"reflect"
	"strings"
)

// PostgreSQL keeps no NUL in a text. A mark that is no character stands for it there.
const mark = "\U0010FFFF"

var (
	withMarks    = strings.NewReplacer("\x00", mark+"0", mark, mark+"1")
	withoutMarks = strings.NewReplacer(mark+"0", "\x00", mark+"1", mark)
)

// EncodeText is a text as PostgreSQL keeps it. What is no UTF-8 becomes what JSON makes of it.
// A NUL that is written as \u0000 within JSON stays so, for the text is read as JSON again;
// the functions that take JSON apart in the database put the mark for it.
func EncodeText(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if !strings.ContainsAny(text, "\x00"+mark) {
		return text
	}
	return withMarks.Replace(text)
}

// DecodeText is a text as it was given.
func (d *Dialect) DecodeText(kept string) string {
	if !strings.Contains(kept, mark) {
		return kept
	}
	return withoutMarks.Replace(kept)
}

// Decode turns what was scanned into texts as they were given.
func (d *Dialect) Decode(into []any) {
	for _, target := range into {
		switch v := target.(type) {
		case *string:
			*v = d.DecodeText(*v)
		case *sql.NullString:
			v.String = d.DecodeText(v.String)
		case *any:
			if text, ok := (*v).(string); ok {
				*v = d.DecodeText(text)
			}
		case *int64, *int, *bool, *float64, *[]byte:
		default:
			if e := reflect.ValueOf(target).Elem(); e.Kind() == reflect.String {
				e.SetString(d.DecodeText(e.String()))
			}
		}
	}
}
