// Package soaktest puts several server processes on one database file under a mixed
// load of the families, kills some of them again and again, and checks at the
// end that nothing acknowledged was lost.
//
// Every write carries a token that occurs nowhere else. What the servers have
// acknowledged is noted in a journal, and at the end the tokens are sought in
// the rows of the file itself, so neither a cache nor a search can hide a loss.
//
// The load of a family is one value in Loads.
package soaktest
