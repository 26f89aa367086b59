package store

// What the tests of package store_test need to see.
const StaleAfter = staleAfter

// Path is where the copy lies.
func (b *StagedBlob) Path() string { return b.path }
