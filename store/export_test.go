package store

// What the tests of package store_test need to see.
const MaxStagingAge = maxStagingAge

// Path is where the copy lies.
func (b *StagedBlob) Path() string { return b.path }
