package entities

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/store/records"
)

// asked is a context that counts how often it is asked whether to go on, and ends when it has
// been asked a number of times.
type asked struct {
	context.Context
	end    context.CancelFunc
	times  atomic.Int64
	ending int64 // 0: never
}

func (ctx *asked) ask() {
	if times := ctx.times.Add(1); ctx.ending > 0 && times >= ctx.ending {
		ctx.end()
	}
}

func (ctx *asked) Err() error { ctx.ask(); return ctx.Context.Err() }

func (ctx *asked) Done() <-chan struct{} { ctx.ask(); return ctx.Context.Done() }

// TestAnUploadEndsWhereverItsCallerGivesUp gives up at fifths of the questions that a whole
// upload asks: in reading, in finding fields, in making rows, in storing them. How many are
// asked differs a little from run to run, as waiting asks too; so an upload may be over before
// its caller gives up, but then it is whole, and this is true of few.
func TestAnUploadEndsWhereverItsCallerGivesUp(t *testing.T) {
	b := newBench(t)
	f := &family{Deps{Store: b.Store, Files: Files{Roots: localfile.Roots{Folders: []string{b.folder}, Working: b.folder}}}}
	upload := func(path string, ending int64) (*asked, error) {
		plain, end := context.WithCancel(context.Background())
		defer end()
		ctx := &asked{Context: plain, end: end, ending: ending}
		_, err := f.uploadFile(ctx, uploadInput{FilePath: path})
		return ctx, err
	}
	for name, one := range map[string]string{
		"table.csv":  "a,b,c\n" + strings.Repeat("1,two,2025-01-01\n", 60),
		"wide.csv":   strings.Repeat("c,", 500) + "\n" + strings.Repeat(strings.Repeat("1,", 500)+"\n", 50),
		"list.json":  "[{}" + strings.Repeat(`,{"a":1,"b":"c"}`, 100) + "]",
		"list.vcf":   strings.Repeat("BEGIN:VCARD\nFN:Ann Lee\nTEL:1\nEND:VCARD\n", 60),
		"mails.mbox": strings.Repeat("From a\nFrom: b@c.d\nSubject: e\n\nf\n\n", 60),
		"bill.txt":   "Invoice\n" + strings.Repeat("Invoice No: 12  Date: 2025-01-01  Total: 1.00\n", 300),
		"bill.html":  "<h1>Invoice</h1>" + strings.Repeat("<p>Invoice No: 12</p>", 300),
	} {
		path := b.file(name, one)
		whole, err := upload(b.file("whole-"+name, one+"\n"), 0)
		if err != nil || whole.times.Load() < 200 {
			t.Errorf("%s: asked %d times, error %v, want more often and none", name, whole.times.Load(), err)
		}
		inTime := 0
		for fifth := range int64(4) {
			ending := whole.times.Load() * (fifth + 1) / 5
			most := ending + (whole.times.Load()-ending)/2 + 100
			if fifth > 1 { // little is left then, and waiting asks as well
				most = 10 * whole.times.Load()
			}
			ctx, err := upload(path, ending)
			known, readErr := store.ReadValue(context.Background(), b.Store, func(tx *store.Tx) (bool, error) {
				_, known, err := records.In(tx).ByID(fileRecordID(hashOf(one)))
				return known, err
			})
			switch {
			case readErr != nil || known != (err == nil) || err != nil && (!errors.Is(err, context.Canceled) || ctx.times.Load() > most):
				t.Errorf("%s: given up at question %d of %d: error %v, %d questions more, a record is stored %t, error %v",
					name, ending, whole.times.Load(), err, ctx.times.Load()-ending, known, readErr)
			case err != nil:
				inTime++
			}
			if known {
				break
			}
		}
		if inTime < 2 {
			t.Errorf("%s: %d of 4 uploads ended where their caller gave up", name, inTime)
		}
	}
}
