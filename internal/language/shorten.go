package language

// Shorten cuts a text to at most so many characters, with … behind what is left.
func Shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
