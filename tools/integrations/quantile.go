package integrations

// digit is how many bits one pass of nearestRank sorts by.
const digit = 12

// nearestRank is the exact quantile of values by the nearest rank: the smallest
// value that at least the given per cent of all values do not exceed. It sorts by
// leading digits only as far as it must, in place; values must not be negative,
// nor empty.
func nearestRank(values []int64, percent int) int64 {
	rank := (len(values)*percent+99)/100 - 1
	rank = min(max(rank, 0), len(values)-1)
	highest := int64(0)
	for _, v := range values {
		highest = max(highest, v)
	}
	shift := 0
	for highest>>shift >= 1<<digit {
		shift += digit
	}
	for {
		var counts [1 << digit]int
		for _, v := range values {
			counts[v>>shift&(1<<digit-1)]++
		}
		chosen := 0
		for rank >= counts[chosen] {
			rank -= counts[chosen]
			chosen++
		}
		kept := values[:0]
		for _, v := range values {
			if int(v>>shift&(1<<digit-1)) == chosen {
				kept = append(kept, v)
			}
		}
		values = kept
		if shift == 0 || len(values) == 1 {
			return values[0]
		}
		shift -= digit
	}
}
