// Package tools is the contract every tool obeys: its definition, its result,
// its errors, and the one road a call takes.
//
// A family (a package below this one) describes each tool as a Tool literal: a
// struct for its input, one for its output, a plain handler. Define turns it
// into a Definition with schemas reflected from the structs, a Registry holds
// the definitions, and Pipeline.Call takes each call its way: resolve, permit,
// validate, limit, cache, run, check, record. Handlers see typed input that is
// already valid and know nothing of MCP, JSON, logging, metrics, permissions
// or caching.
//
// Start reading at tool.go, then pipeline.go; server.go is the adapter to MCP.
package tools
