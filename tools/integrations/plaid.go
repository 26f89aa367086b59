package integrations

import "toolkit/tools"

// plaidTools are the tools of bank connections.
func (f *family) plaidTools() []*tools.Definition { return nil }
