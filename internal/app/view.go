package app

import "toolkit/internal/view"

// ViewOptions are what the page of toolkit view shows, and changes where the app is
// not open read-only.
func (a *App) ViewOptions() (view.Options, error) {
	reader, err := a.Server.Pipeline.ReadOnly()
	o := view.Options{Store: a.Store, Pipeline: reader, Version: Version, Files: a.files}
	if a.Server.Pipeline.Writes() {
		o.Writer = a.Server.Pipeline
	}
	return o, err
}
