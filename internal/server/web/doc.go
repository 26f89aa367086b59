// Package web serves the toolkit over HTTP: the streamable HTTP transport of the
// Model Context Protocol at /api/mcp, its discovery manifest, and the legitimacy
// endpoint of the pockets.
//
// The protocol itself, with its versions and header rules, is the work of
// mcp-go's streamable HTTP server, which answers each message as a whole and has
// no sessions of its own. It lacks what durable memory and a network port need:
// resource subscriptions over HTTP, progress without loss (its forwarder drops
// what it holds when the answer is ready), an answer to a call that was ended, a
// bound and an owner for sessions. That is done here.
//
// Before it stand the guards, one in a file: check_origin, authorize, limit_rate,
// limit_size and drain.
package web
