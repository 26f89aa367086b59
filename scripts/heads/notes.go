package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/viterin/vek/vek32"

	"toolkit/embed"
	"toolkit/internal/capture/notice"
)

// How the map from prompts to their notes learns. The figures were chosen on authors
// whose lines it had not seen.
const (
	mapEpochs    = 30
	mapBatchSize = 48
	mapRate      = 0.003 // at first; it sinks to nothing along a cosine
	// mapDecay holds the map near to that which moves nothing.
	mapDecay = 0.02
	// likenessScale is what a likeness is worth as the logarithm of odds, and noNoteLikeness
	// the likeness that stands for needing no note.
	likenessScale, noNoteLikeness = 10, 0.25
)

// noteSet is what one author wrote of notes, as vectors: prompts with the notes that they
// need, in the same order, and prompts that need none of them.
type noteSet struct {
	name                  string
	prompts, notes, plain [][]float32
}

// readNoteSets reads triples.jsonl of all sets that have some, and plain.jsonl of all.
func readNoteSets(ctx context.Context) (sets []noteSet, plain [][]float32, err error) {
	folders, err := filepath.Glob(filepath.Join(setsFolder, "*"))
	if err != nil {
		return nil, nil, err
	}
	for _, folder := range folders {
		var prompts, notes, without, ordinary []string
		err := readJSONLines(filepath.Join(folder, "triples.jsonl"), func(t triple) {
			prompts, notes, without = append(prompts, t.Prompt), append(notes, t.Note), append(without, t.General)
			if t.Command != "" {
				without = append(without, t.Command)
			}
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		err = readJSONLines(filepath.Join(folder, "plain.jsonl"), func(p personalPrompt) { ordinary = append(ordinary, p.Text) })
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		s := noteSet{name: filepath.Base(folder)}
		for _, of := range []struct {
			texts   []string
			vectors *[][]float32
		}{{prompts, &s.prompts}, {notes, &s.notes}, {without, &s.plain}} {
			if *of.vectors, err = embed.EmbedSentences(ctx, of.texts); err != nil {
				return nil, nil, err
			}
		}
		vectors, err := embed.EmbedSentences(ctx, ordinary)
		if err != nil {
			return nil, nil, err
		}
		if plain = append(plain, vectors...); len(s.prompts) > 0 {
			sets = append(sets, s)
		}
	}
	return sets, plain, nil
}

// noteBatch are notes of one author, and prompts: first those that need one each, in the
// order of the notes, then those that need none.
type noteBatch struct{ notes, prompts [][]float32 }

// trainNoteMap learns to move prompts to the notes that they need, away from the other notes
// of the same author, and prompts that need none away from all.
func trainNoteMap(sets []noteSet, plain [][]float32) notice.NoteMap {
	size := len(plain[0])
	m := notice.NoteMap{Inputs: size, Weights: make([]float32, size*size)}
	for i := range size {
		m.OutputWeights(i)[i] = 1
	}
	batches := makeNoteBatches(sets, plain, rand.New(rand.NewPCG(1, 2)))
	gradient, first, second := make([]float32, len(m.Weights)), make([]float32, len(m.Weights)), make([]float32, len(m.Weights))
	for step, batch := range batches {
		addBatchGradient(&m, batch, gradient)
		rate := float32(mapRate * 0.5 * (1 + math.Cos(math.Pi*float64(step)/float64(len(batches)))))
		firstShare, secondShare := float32(1-math.Pow(0.9, float64(step+1))), float32(1-math.Pow(0.999, float64(step+1)))
		for i, g := range gradient {
			g += mapDecay * m.Weights[i]
			if i%(size+1) == 0 { // on the diagonal
				g -= mapDecay
			}
			first[i] = 0.9*first[i] + 0.1*g
			second[i] = 0.999*second[i] + 0.001*g*g
			root := float32(math.Sqrt(float64(second[i] / secondShare)))
			m.Weights[i] -= rate * first[i] / firstShare / (root + 1e-8)
		}
		clear(gradient)
	}
	return m
}

// makeNoteBatches returns the batches of all epochs, each of one author: beside the prompts that
// need its notes as many that need none, and half as many of ordinary work.
func makeNoteBatches(sets []noteSet, plain [][]float32, random *rand.Rand) (batches []noteBatch) {
	for range mapEpochs {
		var epoch []noteBatch
		for _, s := range sets {
			for places := range slices.Chunk(random.Perm(len(s.prompts)), mapBatchSize) {
				var b noteBatch
				for _, i := range places {
					b.notes, b.prompts = append(b.notes, s.notes[i]), append(b.prompts, s.prompts[i])
				}
				for i := range places {
					b.prompts = append(b.prompts, s.plain[random.IntN(len(s.plain))])
					if i%2 == 0 {
						b.prompts = append(b.prompts, plain[random.IntN(len(plain))])
					}
				}
				epoch = append(epoch, b)
			}
		}
		random.Shuffle(len(epoch), func(i, j int) { epoch[i], epoch[j] = epoch[j], epoch[i] })
		batches = append(batches, epoch...)
	}
	return batches
}

// addBatchGradient adds the slopes of a batch: the cross entropy of telling for each prompt which
// of the notes it needs, or that it needs none.
func addBatchGradient(m *notice.NoteMap, batch noteBatch, gradient []float32) {
	count := len(batch.notes)
	slope, scaled, odds := make([]float32, m.Inputs), make([]float32, m.Inputs), make([]float64, count)
	for i, prompt := range batch.prompts {
		moved, total := m.Apply(prompt), math.Exp(likenessScale*noNoteLikeness)
		for j, note := range batch.notes {
			odds[j] = math.Exp(likenessScale * float64(embed.Dot(moved, note)))
			total += odds[j]
		}
		clear(slope) // at the moved prompt
		for j, note := range batch.notes {
			share := odds[j] / total
			if j == i {
				share--
			}
			vek32.Add_Inplace(slope, vek32.MulNumber_Into(scaled, note, float32(share*likenessScale/float64(count))))
		}
		for j, x := range slope {
			row := gradient[j*m.Inputs : (j+1)*m.Inputs]
			vek32.Add_Inplace(row, vek32.MulNumber_Into(scaled, prompt, x))
		}
	}
}

// evaluateNotes reports for each author how often the note of a prompt is the nearest and
// among the three nearest of noteCount notes of that author, by the map that the other
// authors taught and without one.
func evaluateNotes(ctx context.Context) error {
	sets, plain, err := readNoteSets(ctx)
	if err != nil {
		return err
	}
	for i, s := range sets {
		reportNotes(s, trainNoteMap(slices.Delete(slices.Clone(sets), i, i+1), plain))
	}
	return nil
}

const noteCount = 30

func reportNotes(s noteSet, m notice.NoteMap) {
	const nearest = 3
	var before, after [nearest]float64 // shares by place
	for i, prompt := range s.prompts {
		if place := countNearerNotes(s.notes, i, prompt); place < nearest {
			before[place] += 1 / float64(len(s.prompts))
		}
		if place := countNearerNotes(s.notes, i, m.Apply(prompt)); place < nearest {
			after[place] += 1 / float64(len(s.prompts))
		}
	}
	fmt.Fprintf(os.Stdout, "%-3s %4d prompts: nearest %.2f, moved %.2f; among the nearest three %.2f, moved %.2f\n", s.name, len(s.prompts),
		before[0], after[0], before[0]+before[1]+before[2], after[0]+after[1]+after[2])
}

// countNearerNotes returns how many of noteCount-1 other notes are nearer to a prompt than its own.
func countNearerNotes(notes [][]float32, answer int, prompt []float32) (nearer int) {
	likeness := embed.Dot(prompt, notes[answer])
	for k := 1; k < min(noteCount, len(notes)); k++ {
		if embed.Dot(prompt, notes[(answer+k*7)%len(notes)]) > likeness {
			nearer++
		}
	}
	return nearer
}
