package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// checkDuplicateKeys refuses JSON in which an object has a key twice: which of the values was
// meant cannot be known, and the other would be lost without a word. The text is valid JSON.
func checkDuplicateKeys(raw json.RawMessage) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // which takes any number
	path, found := findDuplicateKey(d)
	if !found {
		return nil
	}
	name := cleanArgumentPath(path)
	return Invalid(CodeInvalid, name, "unique keys", "%s is given more than once; call again with one of its values", name)
}

// findDuplicateKey reads one value and returns the path in it of the first key that its object
// has already.
func findDuplicateKey(d *json.Decoder) (path string, found bool) {
	opening, err := d.Token()
	if err != nil || opening != json.Delim('{') && opening != json.Delim('[') {
		return "", false
	}
	var seen map[string]bool
	if opening == json.Delim('{') {
		seen = map[string]bool{}
	}
	for i := 0; d.More(); i++ {
		key := ""
		if seen != nil {
			name, err := d.Token()
			if err != nil {
				return "", false
			}
			if key = name.(string); seen[key] {
				return key, true
			}
			seen[key] = true
		}
		switch inner, found := findDuplicateKey(d); {
		case found && seen == nil:
			return fmt.Sprintf("[%d]", i) + prefixDot(inner), true
		case found:
			return key + prefixDot(inner), true
		}
	}
	d.Token() //nolint:errcheck // the end of the object or list, in JSON that is valid
	return "", false
}

// prefixDot is a path to be written behind another.
func prefixDot(path string) string {
	if strings.HasPrefix(path, "[") {
		return path
	}
	return "." + path
}
