package embed

// LocalModel names the vector space of Local. Any change to the arithmetic of
// localVector needs a new name, because stored vectors would no longer fit.
const LocalModel = "local-hash-v1"

// Local returns the embedder that needs no model and no network: deterministic
// feature hashing into LocalDimension components, independent of process and
// platform. It is lexical: texts are close when they share words, word pairs
// or parts of words, never because they mean the same.
func Local() Embedder { return immediate{LocalModel, LocalDimension, localVector} }
