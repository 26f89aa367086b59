package testenv_test

import (
	"slices"
	"testing"

	"toolkit/internal/testenv"
)

func TestSizesFollowTheEnvironment(t *testing.T) {
	list := []int{1, 2, 3, 4, 5}
	for _, tc := range []struct {
		value  string
		size   int
		sample []int
	}{
		{"", 10, []int{1, 3, 5}},
		{"0", 10, []int{1, 3, 5}},
		{"1", 100, list},
	} {
		t.Setenv("TOOLKIT_TEST_FULL", tc.value)
		if size, sample := testenv.Choose(10, 100), testenv.Sample(list, 2); size != tc.size || !slices.Equal(sample, tc.sample) {
			t.Errorf("with %q: %d and %v, want %d and %v", tc.value, size, sample, tc.size, tc.sample)
		}
	}
}
