// Package admin is what a person sets up and looks after.
//
// # Configuration
//
// [LoadConfig] reads config.toml, the file behind flags and environment variables. Every
// setting has an environment variable; a key of the file stands for that variable where
// it is not set. So a flag beats the environment, and the environment beats the file,
// without any command knowing of the file.
//
// # Installation
//
// [PlanInstall] puts the toolkit into the configuration of an MCP client, and
// [PlanRemoval] takes it out again. A client is a row in a table: where its configuration
// lies on each system, and what an entry looks like. A [ClientEdit] is planned first, so
// that it can be shown, and applied afterwards: with a backup, in one step, and without
// disturbing anything else in the file, comments included.
//
// # Examination
//
// [ExamineDatabase] checks an installation: the database and everything derived from it,
// files beside it, permissions, settings, and the services that are configured. A check is
// one function in the table in doctor.go. It looks, and where repair is safe and was
// asked for, it repairs and looks again. Nothing is repaired that could lose what is
// remembered.
package admin
