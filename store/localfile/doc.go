// Package localfile opens files that a caller names, and nothing else on the machine:
// regular files inside the folders that were allowed, reached without leaving them through
// a link, and not hidden ones. It also replaces files, and tells how much room is left on
// a disk and why it refused something.
package localfile
