package language

import (
	"slices"
	"strings"
)

// Distance counts the bytes to insert, delete or replace to make b of a.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

const (
	// longest is how much of a wrong name is compared.
	longest = 100
	// telling is from which length a part of a name is enough to find it.
	telling = 4
)

// Nearest returns up to most of the known names that may have been meant, the
// nearest first. Case and the kind of dash do not count.
func Nearest(name string, known []string, most int) []string {
	type candidate struct {
		name  string
		apart int
	}
	wanted := plain(name)
	if len(wanted) > longest {
		return nil
	}
	tolerated := max(2, len(wanted)/3)
	var near []candidate
	for _, k := range known {
		form := plain(k)
		apart := Distance(wanted, form)
		switch {
		case apart <= tolerated:
			near = append(near, candidate{k, apart})
		case len(wanted) >= telling && strings.Contains(form, wanted):
			near = append(near, candidate{k, longest + apart})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.apart - b.apart })
	var names []string
	for _, c := range near[:min(most, len(near))] {
		names = append(names, c.name)
	}
	return names
}

func plain(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_")
}
