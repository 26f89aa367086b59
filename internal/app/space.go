package app

import "slices"

// sharedVariables are the services that are told of the calls in every space, so that none may ask them.
var sharedVariables = []string{"PROMETHEUS_URL", "POSTHOG_URL", "POSTHOG_HOST", "POSTHOG_API_KEY", "POSTHOG_PROJECT_ID", "POSTHOG_EVENTS"}

// ForSpace are the settings for a space of the same database. Who uses it has no business with the files of this machine,
// nor with what is known of the calls of others.
func (s Settings) ForSpace(name string) Settings {
	s.Space, s.MetricsSpace, s.FileRoots, s.Folder = name, name, []string{}, ""
	if getenv := s.Getenv; getenv != nil {
		s.Getenv = func(key string) string {
			if slices.Contains(sharedVariables, key) {
				return ""
			}
			return getenv(key)
		}
	}
	if s.Logger != nil {
		s.Logger = s.Logger.With("space", name)
	}
	return s
}
