// Package disk tells how much room is left on a disk.
package disk
