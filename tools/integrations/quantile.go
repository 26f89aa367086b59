package integrations

// digit is how many bits one pass of nearestRank sorts by.
const digit = 12

// nearestRank is the exact quantile of all values by the nearest rank: the smallest
// value that at least the given per cent of them do not exceed. It sorts by
// leading digits only as far as it must; values must not be negative, nor all
// of the parts empty.
func nearestRank(parts [][]int64, percent int) int64 {
	total, highest := 0, int64(0)
	for _, values := range parts {
		total += len(values)
		for _, v := range values {
			highest = max(highest, v)
		}
	}
	rank := min(max((total*percent+99)/100-1, 0), total-1)
	shift := 0
	for highest>>shift >= 1<<digit {
		shift += digit
	}
	for {
		var counts [1 << digit]int
		for _, values := range parts {
			for _, v := range values {
				counts[v>>shift&(1<<digit-1)]++
			}
		}
		chosen := 0
		for rank >= counts[chosen] {
			rank -= counts[chosen]
			chosen++
		}
		kept := make([]int64, 0, counts[chosen])
		for _, values := range parts {
			for _, v := range values {
				if int(v>>shift&(1<<digit-1)) == chosen {
					kept = append(kept, v)
				}
			}
		}
		if shift == 0 || len(kept) == 1 {
			return kept[0]
		}
		parts = [][]int64{kept}
		shift -= digit
	}
}
