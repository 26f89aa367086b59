package soaktest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
)

// ErrLost means that the server went away before it answered.
var ErrLost = errors.New("the server is gone")

// Caller calls one tool and returns its structured result. A refusal of the tool
// is an error; a server that went away is ErrLost.
type Caller func(ctx context.Context, tool string, arguments any) (json.RawMessage, error)

// Load is the work of one family.
type Load struct {
	Family string
	// Step makes one or a few calls and notes what was acknowledged.
	Step func(ctx context.Context, w *Worker) error
}

// Loads are the families' loads. A new family adds its own here.
var Loads = []Load{
	{"charts", chartsStep},
	{"graph", graphStep},
	{"memory", memoryStep},
	{"payloads", payloadsStep},
	{"pockets", pocketsStep},
}

// Worker does the work of one client. It is not safe for concurrent use.
type Worker struct {
	Call    Caller
	Rand    *rand.Rand
	Journal *Journal
	// Data is the folder of the database, which uploads may come from; empty: none
	// are made.
	Data string

	run, id int
	tokens  int
	charts  []string            // ids
	nodes   []string            // tokens of live entities
	said    map[string][]string // what goes with an entity, by its token
	turn    int64               // id of the last dialogue
	papers  []paper             // submitted payloads
}

// NewWorker is a client of its own; run and id keep its tokens apart from all
// others.
func NewWorker(run, id int, seed uint64, journal *Journal) *Worker {
	return &Worker{Rand: rand.New(rand.NewPCG(seed, uint64(id))), Journal: journal, run: run, id: id, said: map[string][]string{}}
}

// token is a word that occurs nowhere else.
func (w *Worker) token() string {
	w.tokens++
	return fmt.Sprintf("tk%dw%dn%dz", w.run, w.id, w.tokens)
}

// chance is true so many times of a hundred.
func (w *Worker) chance(percent int) bool { return w.Rand.IntN(100) < percent }

// call decodes the result into out, which may be nil.
func (w *Worker) call(ctx context.Context, out any, tool string, arguments any) error {
	raw, err := w.Call(ctx, tool, arguments)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(raw, out)
}

// write makes a call that stores a token; one of the tables must hold it once the
// call is acknowledged.
func (w *Worker) write(ctx context.Context, token string, tables []string, tool string, arguments object) error {
	err := w.call(ctx, nil, tool, arguments)
	if err == nil {
		w.Journal.Stored(token, tables...)
	}
	return err
}

// mention makes a call whose result must name a token.
func (w *Worker) mention(ctx context.Context, token, tool string, arguments object) error {
	var found json.RawMessage
	if err := w.call(ctx, &found, tool, arguments); err != nil {
		return err
	}
	if !strings.Contains(string(found), token) {
		return errors.New(tool + " does not find " + token)
	}
	return nil
}

func pick[T any](w *Worker, list []T) (item T, ok bool) {
	if len(list) == 0 {
		return item, false
	}
	return list[w.Rand.IntN(len(list))], true
}

type object = map[string]any
