package tools

import "strings"

// ParseSwitch reads how a setting says yes or no; known is false for anything else.
func ParseSwitch(text string) (on, known bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "1", "true", "yes", "on":
		return true, true
	case "0", "false", "no", "off":
		return false, true
	}
	return false, false
}

// SplitList reads a setting that is a list, with commas between its parts.
func SplitList(text string) (list []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}
