package admin

// CheckNames lists the checks in their order.
func CheckNames() []string {
	names := make([]string, len(databaseChecks))
	for i, c := range databaseChecks {
		names[i] = c.name
	}
	return names
}
