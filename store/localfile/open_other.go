//go:build !unix

package localfile

import "io/fs"

// doNotWait: names of pipes are outside of every folder here.
const doNotWait = 0

func isNotFolder(error) bool { return false }

// SecondName: how many names a file has is not told without opening it.
func SecondName(fs.FileInfo) bool { return false }

// hasOtherNames: how many names a file has is not told without opening it.
func hasOtherNames(fs.FileInfo) bool { return true }
