// Package web serves the toolkit over HTTP: the streamable HTTP transport of the
// Model Context Protocol at /api/mcp, its discovery manifest, and the legitimacy
// endpoint of the pockets.
//
// The protocol itself, with its versions and header rules, is the work of
// mcp-go's streamable HTTP server, which [Server] uses without sessions of its
// own. What surrounds it is done here, because a server on a network port has to
// bound everything a stranger can make it hold: sessions with an idle limit,
// resource subscriptions and their streams, progress in order and without loss,
// cancellation, writes one after the other, ids as the client wrote them, and the
// contract's JSON-RPC errors. Before any of that stand the guards: Host and
// Origin, the rate limit, the bearer token, the size and pace of a request.
package web
