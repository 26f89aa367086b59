// Package doctor checks a toolkit installation: the database and everything
// derived from it, files beside it, permissions, settings, and the services that
// are configured.
//
// A check is one function in the table in checks.go. It looks, and where repair
// is safe and was asked for, it repairs and looks again. Nothing is repaired
// that could lose what is remembered.
package doctor
