package integrations

import "toolkit/tools"

// providerTools are the tools of provider archives.
func (f *family) providerTools() []*tools.Definition { return nil }
