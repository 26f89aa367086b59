// Package set asks lists what the standard library leaves to a loop: what stands in one,
// what of it is left without repetitions, and what a function makes of each element.
package set

import "strings"

// Of are the elements of a list.
func Of[T comparable](list []T) map[T]bool {
	return By(list, func(one T) T { return one })
}

// By are the elements of a list as a function sees them.
func By[E any, T comparable](list []E, as func(E) T) map[T]bool {
	set := make(map[T]bool, len(list))
	for _, one := range list {
		set[as(one)] = true
	}
	return set
}

// Words are the words of a text that spaces part.
func Words(text string) map[string]bool { return Of(strings.Fields(text)) }

// Distinct is a list with the first of equal elements only.
func Distinct[T comparable](list []T) []T { return Without(list, nil) }

// Without are the elements of a list that do not stand in another, each once. It is never
// nil.
func Without[T comparable](list, other []T) []T {
	seen, kept := Of(other), []T{}
	for _, one := range list {
		if !seen[one] {
			seen[one] = true
			kept = append(kept, one)
		}
	}
	return kept
}

// Each is what a function makes of each element of a list. It is never nil.
func Each[E, T any](list []E, as func(E) T) []T {
	made := make([]T, len(list))
	for i, one := range list {
		made[i] = as(one)
	}
	return made
}
