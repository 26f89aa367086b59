// Package plugins holds what assistants are given beside the server: a plugin for
// Claude Code and Codex (toolkit), an extension for Gemini CLI (gemini), and rules
// for clients that only read text (rules). The folders can be used from the
// repository as they are; install writes them from here, with the program's path in
// the place of its name.
package plugins

import "embed"

// Files are the folders, with names from here, such as "rules/toolkit.md".
//
//go:embed all:toolkit all:gemini rules
var Files embed.FS
