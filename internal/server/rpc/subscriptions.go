package rpc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// ErrTooManySubscriptions reports that a client watches as many resources as it may.
var ErrTooManySubscriptions = errors.New("too many subscriptions")

// Subscriptions are the resources that somebody watches. The zero value is empty and takes any number.
type Subscriptions struct {
	// Max bounds the number of resources; 0 means any number.
	Max int

	mu   sync.Mutex
	uris map[string]struct{}
}

// SubscribeToResource notes that the client watches a resource, if it may watch one more.
func (s *Subscriptions) SubscribeToResource(uri string) {
	s.SubscribeToResourceErr(uri) //nolint:errcheck // the library asks for the error where a client can be told
}

// SubscribeToResourceErr notes that the client watches a resource, or returns [ErrTooManySubscriptions].
func (s *Subscriptions) SubscribeToResourceErr(uri string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.uris[uri]
	if !known && s.Max > 0 && len(s.uris) >= s.Max {
		return fmt.Errorf("%w: at most %d resources can be watched; unsubscribe from one first", ErrTooManySubscriptions, s.Max)
	}
	if s.uris == nil {
		s.uris = map[string]struct{}{}
	}
	s.uris[uri] = struct{}{}
	return nil
}

// UnsubscribeFromResource notes that the client no longer watches a resource.
func (s *Subscriptions) UnsubscribeFromResource(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.uris, uri)
}

// SubscribedResources returns the resources the client watches, sorted.
func (s *Subscriptions) SubscribedResources() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.uris))
}

// IsSubscribedToResource tells whether the client watches a resource.
func (s *Subscriptions) IsSubscribedToResource(uri string) bool {
	return slices.Contains(s.SubscribedResources(), uri)
}

// AddressesOf returns the addresses under which the client watches a resource, sorted: its own, and those that ask for a
// part of it with a query. Any change of the resource may be a change of the part.
func (s *Subscriptions) AddressesOf(resource string) []string {
	return slices.DeleteFunc(s.SubscribedResources(), func(uri string) bool {
		base, _, _ := strings.Cut(uri, "?")
		return base != resource
	})
}
