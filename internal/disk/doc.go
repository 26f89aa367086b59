// Package disk tells how much room is left on a disk, and why it refused something, and
// replaces files.
package disk
