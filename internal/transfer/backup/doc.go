// Package backup copies everything that toolkit remembers into one archive file
// and brings it back.
//
// An archive is a zip file: manifest.json, toolkit.db (the database as of one
// moment, compact), the files that records hold (files/sha256/ab/<hash>) and,
// when asked for, key files (keys/<name>). The manifest names every member with
// its size and SHA-256. Nothing of an archive is used before all of it has been
// compared with the manifest, so a truncated, altered or hostile one changes
// nothing.
package backup
