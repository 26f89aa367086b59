// Package stdio carries MCP over standard input and output: one JSON-RPC message a line, in both directions.
//
// It drives [server.MCPServer.HandleMessage] itself instead of using the library's own stdio server, because durable
// memory needs promises that one does not make:
//
//   - Whatever was read is answered: at the end of input and at the first SIGTERM the calls under way are finished first.
//   - Calls take effect in the order in which they arrived. A call that writes runs alone; calls that read run side by
//     side, but never overtake a write. See [Options.Exclusive].
//   - A cancelled call that still waits never starts, and a cancelled call is never answered.
//   - An answer carries the id exactly as the client wrote it, also beyond 2^53.
//   - What a call reports with [rpc.Notify] stands before its answer, in order, without loss.
//   - Bad input is answered with an error and costs bounded memory; a panic in a call costs that call only.
//
// The parts, in the order in which a message meets them: lines cuts the input, package rpc reads the envelope, connection
// decides where a message goes, package rpc orders the calls, the handler answers, output writes.
package stdio
