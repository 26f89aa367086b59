// Package view serves a page on this machine that shows what is in memory:
// captured sessions and what was learned from them, insights and episodes, the
// knowledge graph, charts, what documents say with its provenance, and one search
// over all of it.
//
// New builds a Server and Serve runs it on a loopback listener:
//
//	server := view.New(view.Options{Store: db, Pipeline: readOnlyPipeline})
//	listener, err := net.Listen("tcp", "127.0.0.1:0")
//	fmt.Fprintln(os.Stderr, server.Address(listener))
//	err = server.Serve(ctx, listener)
//
// The page is for one person: the address carries a token that works once and
// is exchanged for a session cookie. Every request passes guard.go, which
// refuses other hosts and other origins and, unless the person started the page
// with --write, every method but GET. What changes goes through a tool
// (forms.go). The page loads nothing from elsewhere.
//
// Endpoints under /api answer JSON. Where a tool says the same, the endpoint
// calls it through the pipeline (tool.go); the rest are bounded queries of the
// store. The page itself is in assets: plain modules and style sheets, embedded.
package view
