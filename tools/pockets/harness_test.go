package pockets

import (
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/pockets"
)

// published is the moment of the source's examples.
var published = at("2026-06-06T08:18:42Z")

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return t
}

type args = toolstest.Args

var (
	same = toolstest.RequireSame
	text = toolstest.EncodeJSON
)

// bench is the family over a database of its own.
type bench struct{ *toolstest.Bench }

func newBench(t testing.TB) *bench { return openBench(t, Deps{}) }

func openBench(t testing.TB, d Deps) *bench {
	t.Helper()
	b := &bench{toolstest.NewBench(t, toolstest.NewClock(published), store.Options{})}
	d.Store = b.Store
	b.BuildPipeline(New(d))
	return b
}

// refuse expects an error of a text.
func (b *bench) refuse(tool string, in any, want string) {
	b.T.Helper()
	if r := b.CallAllowingRefusal(tool, in); !r.IsError || r.Text != want {
		b.T.Errorf("%s(%v) says %q (error %v), want %q", tool, in, r.Text, r.IsError, want)
	}
}

// city is a data set of somebody else.
var city = pockets.Dataset{
	Name: "city-sensors", Source: "city sensors", SourceURL: "https://sensors.example", License: "CC BY 4.0", LicenseURL: "https://sensors.example/licence", AttributionRequired: true,
}

// store writes rows as the data set's.
func (b *bench) put(d pockets.Dataset, batch rowBatch) {
	b.T.Helper()
	storetest.Write(b.T, b.Store, func(tx *store.Tx) error {
		d, err := pockets.In(tx).EnsureDataset(d)
		if err != nil {
			return err
		}
		_, err = storeBatch(tx, &batch, d.Seq)
		return err
	})
}

// reading is one of a pocket, calm and otherwise plain.
func reading(pocket string, when time.Time, calm float64) pockets.Reading {
	return pockets.Reading{Pocket: pocket, CapturedAt: when.UnixMilli(), Stress: 0.18, Calm: calm, SocialEnergy: 0.42, Productive: 0.68, PrimaryState: "calm-productive"}
}

// steps are readings fifteen minutes apart, the last at a moment.
func steps(pocket string, last time.Time, calm ...float64) []pockets.Reading {
	var list []pockets.Reading
	for i, c := range calm {
		list = append(list, reading(pocket, last.Add(time.Duration(i-len(calm)+1)*15*time.Minute), c))
	}
	return list
}

// publishedReadings are readings from which the published examples of cluny
// follow.
func publishedReadings() []pockets.Reading {
	list := steps("cluny", at("2026-06-06T08:15:00Z"),
		.52, .53, .55, .56, .57, .59, .60, .62, .63, .64, .66, .67, .69, .70, .73, .74)
	for i := range list {
		list[i].Saturation = new(0.18)
	}
	return list
}

const plainVanilla = "5f0c5a54-6d0e-4c6c-9a6e-0d3b1f6f2a11"

func bakery(id, name string) pockets.Outlet {
	return pockets.Outlet{ID: id, Pocket: "cluny", Name: name, Unit: "#01-15", OpensAt: "08:00", ClosesAt: "20:00", Category: "bakery", Active: true}
}

// sameJSON compares a result with the source's text.
func sameJSON(t testing.TB, what string, got any, want string) {
	t.Helper()
	var w any
	toolstest.Decode(t, []byte(want), &w)
	same(t, what, text(got), text(w))
}
