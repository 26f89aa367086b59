package soaktest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"toolkit/tools"
)

// Caller calls one tool and returns its structured result. A refusal of the tool
// is an error.
type Caller func(ctx context.Context, tool string, arguments json.RawMessage) ([]byte, error)

// NewPipelineCaller calls tools without a server process between, for tests that fill
// a database.
func NewPipelineCaller(p *tools.Pipeline) Caller {
	return func(ctx context.Context, tool string, arguments json.RawMessage) ([]byte, error) {
		r, err := p.Call(ctx, tools.Request{Tool: tool, Arguments: arguments})
		if err != nil {
			return nil, err
		}
		if r.IsError {
			return nil, fmt.Errorf("refused: %s", r.Text)
		}
		return r.Data, nil
	}
}

// Worker does the work of one client. It is not safe for concurrent use.
type Worker struct {
	Journal Journal

	caller     Caller
	random     *rand.Rand
	id, tokens int
	known      map[string]string // what stands for a placeholder; no $folder: nothing is uploaded
	onNode     []string          // tokens that are deleted with the node
}

// NewWorker is a client of its own; the id keeps its tokens apart from those of others.
func NewWorker(id int, seed uint64, caller Caller) *Worker {
	return &Worker{Journal: Journal{}, caller: caller, random: rand.New(rand.NewPCG(seed, uint64(id))), id: id, known: map[string]string{}}
}

// CallEveryLoad makes so many calls of every family, in turn.
func (w *Worker) CallEveryLoad(ctx context.Context, calls int) error {
	for range calls {
		for _, load := range loads {
			if err := w.makeRandomCall(ctx, load); err != nil {
				return err
			}
		}
	}
	return nil
}

// placeholder stands in arguments for a token or for what an earlier call returned.
var placeholder = regexp.MustCompile(`\$[a-z]+`)

// makeRandomCall makes a call of a load, the first one where others need what it returns, and
// notes what was acknowledged.
func (w *Worker) makeRandomCall(ctx context.Context, load []call) error {
	w.tokens++
	token := fmt.Sprintf("tk%dn%dz", w.id, w.tokens)
	w.known["$token"], w.known["$number"], w.known["$uuid"] = token, strconv.Itoa(w.random.IntN(20)), uuid.NewString()
	c := load[w.random.IntN(len(load))]
	for _, name := range placeholder.FindAllString(c.arguments, -1) {
		if w.known[name] == "" {
			c = load[0]
		}
	}
	arguments := placeholder.ReplaceAllStringFunc(c.arguments, func(name string) string { return w.known[name] })
	if c.tool == "upload_file" {
		path := filepath.Join(w.known["$folder"], token+".txt")
		if err := os.WriteFile(path, []byte("A note about "+token+"\n"), 0o600); err != nil {
			return err
		}
		defer os.Remove(path) //nolint:errcheck // at worst a temporary file stays
	}
	result, err := w.caller(ctx, c.tool, json.RawMessage(arguments))
	if c.tool == "delete_entities" {
		for _, token := range w.onNode {
			w.Journal.markRemovedOrForget(token, err)
		}
		w.known["$node"], w.onNode = "", nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.tool, err)
	}
	if c.finds != "" && !strings.Contains(string(result), w.known[c.finds]) {
		return fmt.Errorf("%s does not find %s", c.tool, w.known[c.finds])
	}
	if len(c.tables) > 0 {
		w.Journal[token] = acknowledgement{tables: c.tables}
	}
	return w.noteCreatedIDs(c.tool, token, result)
}

// noteCreatedIDs keeps what later calls need.
func (w *Worker) noteCreatedIDs(tool, token string, result []byte) (err error) {
	var made struct {
		ChartID  string `json:"chartId"`
		ID       int64
		Entities []struct {
			ID string `json:"entity_id"`
		}
	}
	switch tool {
	case "create_entities":
		w.known["$node"], w.onNode = token, []string{token}
	case "add_observations", "create_relations":
		w.onNode = append(w.onNode, token)
	case "create_structural_tension_chart":
		err = json.Unmarshal(result, &made)
		w.known["$chart"] = made.ChartID
	case "store_raw_dialogue":
		err = json.Unmarshal(result, &made)
		w.known["$turn"] = strconv.FormatInt(made.ID, 10)
	case "submit_payload":
		if err = json.Unmarshal(result, &made); err == nil && len(made.Entities) > 0 {
			w.known["$paper"], w.known["$company"] = token, made.Entities[len(made.Entities)-1].ID // the first is the paper
		}
	}
	return err
}
