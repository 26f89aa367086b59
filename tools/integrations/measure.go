package integrations

import "toolkit/tools"

// measureTools are the tools of metrics and product analytics.
func (f *family) measureTools() []*tools.Definition { return nil }
