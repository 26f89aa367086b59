package testenv

import "os"

// A test asks how much it does. 'make test' runs every test with as many inputs, rows and
// repetitions as find a mistake that is made; 'make test-full', which sets
// TOOLKIT_TEST_FULL=1, with as many as find one that hides. What is asserted is the same.

// Full is whether tests run at their full size.
func Full() bool { return os.Getenv("TOOLKIT_TEST_FULL") == "1" }

// Choose returns the size for the run at hand.
func Choose[Size any](usual, full Size) Size {
	if Full() {
		return full
	}
	return usual
}

// Sample returns all of a list at full size; else every step-th of it, beginning with the first.
func Sample[Element any](list []Element, step int) []Element {
	if Full() {
		return list
	}
	var sample []Element
	for i := 0; i < len(list); i += step {
		sample = append(sample, list[i])
	}
	return sample
}
