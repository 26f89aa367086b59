package integrations

import "toolkit/tools"

type bank struct{}

func newBank(Deps) *bank { return nil }

// plaidTools are the tools of bank connections.
func (f *family) plaidTools() []*tools.Definition { return nil }
