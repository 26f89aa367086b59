package language

import "fmt"

// FormatCount is a number with the thing that is counted, in the singular for one.
func FormatCount(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
