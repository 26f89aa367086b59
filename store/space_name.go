package store

// ValidSpace reports whether a space can have a name.
func ValidSpace(name string) bool { return spaceNames.MatchString(name) }
