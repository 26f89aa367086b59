// Package fileserver hands out stored files over HTTP to programs on the same
// machine, by URLs that are signed and end.
//
// A URL names a file by its hash and carries the moment it ends and an
// HMAC-SHA256 over method, path and that moment. The key lies in the data folder,
// readable by its owner only. The listener is on the loopback interface, takes a
// free port when the first URL is made, and closes with the server: a URL lives
// as long as the process that made it, and no longer than it says.
//
// Files come from strangers: they are sent with a media type that was found in
// their bytes, never to be guessed again, and under a policy that keeps a
// browser from running anything in them.
package fileserver
