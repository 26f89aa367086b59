// Package sentence turns sentences of sixteen languages into vectors with
// universal-sentence-encoder-multilingual v3, without cgo and without a network.
//
//	model, err := sentence.Open()
//	a, err := model.Embed(ctx, "we moved to Postgres")
//	b, err := model.Embed(ctx, "Welche Datenbank nehmen wir?")
//
// Vectors have Dimension numbers and length 1; the likeness of two texts is the
// product of their vectors. Likenesses of ordinary sentences do not centre on
// zero: subtract Mean from both vectors, and scale them to length 1 again, before
// a likeness is compared with a threshold.
//
// The model reads one sentence well and forgets the details of a page. Sentences
// and Windows cut longer texts; a text is found by its best window.
//
// # The file
//
// The weights are in model/use-multilingual-3.bin, which scripts/model makes. It
// is part of the program and read where it lies: opening the model costs next to
// nothing, and a text needs the rows of its own pieces only. The network is
// unpacked while a text is computed: with AVX2 in registers (multiply_amd64.s), else
// a tile at a time.
//
// Nothing is lost against the source, whose rows are 6 bits a number and whose
// network is 8 bits a weight. Rows are stored as a prefix code (2.7 bits a number
// on average): one of 32 code tables is chosen for each row.
//
// # The encoder
//
// A text is cut into pieces by a SentencePiece unigram model. Three branches read
// the 512 numbers of each piece as n-grams of 2, 3 and 5 pieces. Their results
// and the row itself are normalised, summed over the pieces and passed through a
// small residual network. See network.go.
package sentence
