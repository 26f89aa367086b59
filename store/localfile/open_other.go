//go:build !unix

package localfile

import "io/fs"

// openFlags: names of pipes are outside of every folder here.
const openFlags = 0

func isNotFolder(error) bool { return false }

// HasSecondName: how many names a file has is not told without opening it.
func HasSecondName(fs.FileInfo) bool { return false }

// hasOtherNames: how many names a file has is not told without opening it.
func hasOtherNames(fs.FileInfo) bool { return true }
