package query

import (
	"encoding/json"
	"strconv"
)

// Numbers and Texts are lists as arguments, JSON arrays that json_each takes apart.
// Their types tell an engine what the values are.
type (
	Numbers string
	Texts   string
)

// List is the argument through which a list travels.
func List[T int64 | string](list []T) any {
	if rows, ok := any(list).([]int64); ok {
		return Numbers(numbers(rows))
	}
	if len(list) == 0 {
		return Texts("[]")
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic("store: " + err.Error()) // strings always encode
	}
	return Texts(b)
}

func numbers(rows []int64) string {
	b := make([]byte, 0, 8*len(rows)+2)
	b = append(b, '[')
	for i, r := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, r, 10)
	}
	return string(append(b, ']'))
}

// JSON is an argument that is NULL without contents.
func JSON(raw json.RawMessage) any {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return string(raw)
}

// Number is an argument that is NULL when it is 0.
func Number(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}
