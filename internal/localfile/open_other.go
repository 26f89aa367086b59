//go:build !unix

package localfile

// doNotWait: names of pipes are outside of every folder here.
const doNotWait = 0

func isNotFolder(error) bool { return false }
