package toolstest

import (
	"os"
	"strconv"
)

// RoundCount is how often a test with random inputs runs: usual times what the environment
// variable TOOLKIT_TEST_ROUNDS says, by default once. Every round has a seed of its own.
func RoundCount(usual uint64) uint64 {
	if times, err := strconv.ParseUint(os.Getenv("TOOLKIT_TEST_ROUNDS"), 10, 16); err == nil && times > 0 {
		return usual * times
	}
	return usual
}
