package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/embed"
	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
)

func (b *bench) pending() int {
	b.T.Helper()
	n, err := b.deps.Search.CountPending(context.Background())
	if err != nil {
		b.T.Fatal(err)
	}
	return n
}

func (b *bench) refresh() {
	b.T.Helper()
	if _, err := b.deps.Search.EmbedAll(context.Background(), nil); err != nil {
		b.T.Fatal(err)
	}
}

func TestAModelThatKnowsMeaningsFindsWhatWordsCannot(t *testing.T) {
	b := newBench(t, searchWith(t, toolstest.NewSynonyms("remote:a")))
	want := b.insight("my automobile broke down")
	b.insight("the physician was late")
	b.refresh()
	found := b.look("car")
	if len(found.Hits) == 0 || found.Hits[0].Row.ID != want || found.Hits[0].SemanticRank == nil || found.EmbeddingProvider != "remote:a" {
		t.Errorf("%+v", found)
	}
	if r := b.sound(); r.Embedded != 2 || r.Pending != 0 {
		t.Errorf("%+v", r)
	}
}

func TestAnInsightIsEmbeddedBeforeItsTransactionSoThatItsStatusIsKnown(t *testing.T) {
	b := newBench(t, searchWith(t, toolstest.NewSynonyms("remote:a")))
	out := b.Call(compressName, args{"content": "my automobile broke down", "source_ids": []int64{}})
	if out["embedding_status"] != "success" || b.pending() != 0 {
		t.Errorf("%v, %d pending", out["embedding_status"], b.pending())
	}
	out = b.Call(episodeName, args{"query": "which physician", "reward": 0, "reflection": "Problem: x. Lesson: y."})
	if out["embedding_status"] != "success" || b.pending() != 0 {
		t.Errorf("%v, %d pending", out["embedding_status"], b.pending())
	}
}

func TestAWriteDoesNotWaitForTheBuiltInModel(t *testing.T) {
	b := newBench(t, searchWith(t, embed.BuiltIn()))
	for tool, in := range map[string]args{
		compressName: {"content": "my automobile broke down", "source_ids": []int64{}},
		episodeName:  {"query": "which physician", "reward": 0, "reflection": "Problem: x. Lesson: y."},
	} {
		out := b.Call(tool, in)
		if out["embedding_status"] != "pending" || strings.Contains(fmt.Sprint(out), "embedding is pending") {
			t.Errorf("%s: %v", tool, out)
		}
	}
	b.say("s", "user", "the tram is late")
	eventually(t, "all are embedded", func() bool { return b.pending() == 0 })
	b.sound()
}

func TestASearchEmbedsWhatWasJustWritten(t *testing.T) {
	b := newBench(t, searchWith(t, embed.BuiltIn()))
	want := b.insight("my automobile broke down")
	if found := b.look("the car is defective"); !slices.Contains(ids(found), want) || b.pending() != 0 {
		t.Errorf("found %v, %d pending", ids(found), b.pending())
	}
}

func TestRowsThatAnotherProcessLeftBehindAreEmbedded(t *testing.T) {
	killed, next := twoProcesses(t, embed.Off(), embed.BuiltIn())
	killed.say("s", "user", "the tram is late")
	killed.insight("my automobile broke down")
	if n := next.pending(); n != 2 {
		t.Fatalf("%d pending", n)
	}
	next.deps.Search.StartInBackground()
	eventually(t, "all are embedded", func() bool { return next.pending() == 0 })
	next.sound()
}

func TestNoModelIsAskedWhileTheWriteLockIsHeld(t *testing.T) {
	model := toolstest.NewSynonyms("remote:a")
	b := newBench(t, searchWith(t, model))
	model.Before = func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := b.Store.Write(ctx, func(*store.Tx) error { return nil }); err != nil {
			t.Errorf("the lock was held: %v", err)
		}
	}
	b.say("s", "user", "my automobile broke down")
	b.insight("the car is repaired")
	b.refresh()
	b.look("vehicle")
	if model.CallCount() < 3 {
		t.Errorf("the model was asked %d times", model.CallCount())
	}
}

func TestARowIsStoredAndFoundByWordsWhileTheModelIsAway(t *testing.T) {
	model := toolstest.NewSynonyms("remote:a")
	b := newBench(t, searchWith(t, model))
	model.FailWith(toolstest.ErrModel)
	out := b.Call(compressName, args{"content": "my automobile broke down", "source_ids": []int64{}})
	if out["embedding_status"] != "pending" || b.pending() != 1 {
		t.Errorf("%v, %d pending", out["embedding_status"], b.pending())
	}
	found := b.look("automobile")
	if !slices.Equal(ids(found), []int64{1}) || !strings.Contains(found.Note, toolstest.ErrModel.Error()) {
		t.Errorf("%+v", found)
	}
	if _, err := b.deps.Search.EmbedAll(context.Background(), nil); !errors.Is(err, toolstest.ErrModel) {
		t.Errorf("%v", err)
	}
	if r := b.sound(); r.Pending != 1 || r.Embedded != 0 {
		t.Errorf("a pending row is no fault: %+v", r)
	}
	// It is left alone for a while, then the next search embeds what is missing.
	model.FailWith(nil)
	b.look("something")
	if b.pending() != 1 {
		t.Error("the model was asked again at once")
	}
	b.Clock.Advance(embed.RetryDelay)
	if found := b.look("vehicle"); !slices.Equal(ids(found), []int64{1}) || found.Note != "" || b.pending() != 0 {
		t.Errorf("%+v, %d pending", found, b.pending())
	}
	b.sound()
}

func TestDialogueIsEmbeddedInTheBackground(t *testing.T) {
	b := newBench(t, searchWith(t, toolstest.NewSynonyms("remote:a")))
	for range 5 {
		b.say("s", "user", "my automobile broke down")
	}
	eventually(t, "all are embedded", func() bool { return b.pending() == 0 })
	b.sound()
}

func TestVectorSpacesNeverMix(t *testing.T) {
	other := toolstest.NewSynonyms("remote:b")
	other.Groups = slices.Insert(other.Groups, 0, []string{"unrelated"}) // other directions, another length
	first, second := twoProcesses(t, toolstest.NewSynonyms("remote:a"), other)
	car := first.insight("my automobile broke down")
	doctor := second.insight("the physician was late")
	for _, b := range []*bench{first, second} {
		b.refresh()
		if found := b.look("car"); ids(found)[0] != car {
			t.Errorf("%v", ids(found))
		}
		if found := b.look("doctor"); ids(found)[0] != doctor {
			t.Errorf("%v", ids(found))
		}
	}
	// Neither takes the other's vectors away.
	if a, b := first.sound(), second.sound(); a.Embedded != 2 || b.Embedded != 2 {
		t.Errorf("%+v %+v", a, b)
	}
	if dropped, err := first.deps.Search.DeleteOtherModels(context.Background()); err != nil || dropped != 2 {
		t.Errorf("%d, %v", dropped, err)
	}
	if r := first.sound(); r.Embedded != 2 {
		t.Errorf("%+v", r)
	}
}

func TestAnotherModelEmbedsEverythingAgain(t *testing.T) {
	before, after := twoProcesses(t, embed.Off(), toolstest.NewSynonyms("remote:a"))
	before.insights(3*embed.BacklogBatch+1, "my automobile broke down")
	if n := after.pending(); n != 3*embed.BacklogBatch+1 {
		t.Fatalf("%d pending", n)
	}
	var reported []int
	done, err := after.deps.Search.EmbedAll(context.Background(), func(done int) { reported = append(reported, done) })
	if err != nil || done != 3*embed.BacklogBatch+1 || !slices.Equal(reported, []int{64, 128, 192, 193}) {
		t.Errorf("%d, %v, %v", done, reported, err)
	}
	if r := after.sound(); r.Embedded != done {
		t.Errorf("%+v", r)
	}
}

func TestASearchEmbedsALongBacklogInTheBackground(t *testing.T) {
	before, after := twoProcesses(t, embed.Off(), toolstest.NewSynonyms("remote:a"))
	before.insights(embed.MaxCatchUpRows+10, "my automobile broke down")
	if found := after.look("car"); len(found.Hits) != 5 {
		t.Errorf("%v", ids(found))
	}
	eventually(t, "the backlog is done", func() bool { return after.pending() == 0 })
}

func TestCheckFindsAndRebuildRepairsIndexFaults(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "its file is changed by hand")
	for name, damage := range map[string]string{
		"a row that search does not know":     `INSERT INTO l0_raw(session_id, speaker, content, occurred_at, created_at) VALUES('s', 'user', 'smuggled in', 1, 1)`,
		"an entry without its row":            `DELETE FROM l0_raw WHERE id = 2`,
		"a row whose text changed":            `UPDATE l2_insights SET content = 'something else' WHERE id = 1`,
		"an entry without words":              `DELETE FROM memory_words_l0 WHERE rowid = 1`,
		"words without an entry":              `INSERT INTO memory_words_l2(rowid, body, day, sources) VALUES(99, 'stray', '', '')`,
		"an entry with other words":           `INSERT OR REPLACE INTO memory_words_l0(rowid, body, day, sources) VALUES(1, 'other', '', '')`,
		"wrong statistics":                    `UPDATE memory_statistics SET words = words + 1 WHERE source = 'l2'`,
		"an insight that was retired outside": `UPDATE l2_insights SET deleted_at = 5 WHERE id = 1`,
		"a damaged vector":                    `UPDATE memory_vectors SET vector = x'0700' WHERE memory_id = 1`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, searchWith(t, toolstest.NewSynonyms("remote:a")))
			first := b.say("s", "user", "alpacas graze near Cusco")
			b.say("s", "user", "the tram is late")
			b.insight("alpacas and trams", first)
			b.episode("tram times", "Problem: late. Lesson: walk.")
			b.refresh()
			if r := b.sound(); r.Rows != 4 || r.Embedded != 4 {
				t.Fatalf("%+v", r)
			}
			raw, err := sql.Open("sqlite", b.Store.Path())
			if err != nil {
				t.Fatal(err)
			}
			defer raw.Close()
			if _, err := raw.Exec(damage); err != nil {
				t.Fatal(err)
			}
			if r, err := b.deps.Search.CheckIndex(context.Background()); err != nil || r.Faults == 0 || len(r.Examples) == 0 {
				t.Fatalf("nothing was noticed: %+v, %v", r, err)
			}
			if _, err := b.deps.Search.RebuildIndex(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			b.refresh()
			if r := b.sound(); r.Pending != 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestManyVectorsAreReadInTheBackgroundWhileWordsAnswer(t *testing.T) {
	writer, reader := twoProcesses(t, toolstest.NewSynonyms("remote:a"), toolstest.NewSynonyms("remote:a"))
	car := writer.insight("my automobile broke down")
	writer.insights(embed.MaxFollowed+1, "the tram is late")
	writer.refresh()
	first := reader.look("the car or the tram")
	if len(first.Hits) == 0 || !strings.Contains(first.Note, "still being read") || slices.Contains(ids(first), car) {
		t.Errorf("the first search finds %v: %q", ids(first), first.Note)
	}
	eventually(t, "the vectors are there", func() bool {
		found := reader.look("the car")
		return found.Note == "" && len(found.Hits) > 0 && found.Hits[0].Row.ID == car
	})
}

func TestNoVectorIsStoredWithEmbeddingOff(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "its file is read or changed by hand")
	b := newBench(t)
	b.say("s", "user", "alpacas graze near Cusco")
	b.episode("tram times", "Problem: late. Lesson: walk.")
	raw, err := sql.Open("sqlite", b.Store.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	var n int
	if err := raw.QueryRow(`SELECT count(*) FROM memory_vectors`).Scan(&n); err != nil || n != 0 {
		t.Errorf("%d vectors, %v", n, err)
	}
	if r := b.sound(); r.Rows != 2 || r.Embedded != 0 || r.Pending != 0 || b.pending() != 0 {
		t.Errorf("%+v", r)
	}
}

// A row is forgotten while the model thinks about its text, and another one is stored.
func TestTheVectorOfAForgottenRowGoesToNoOther(t *testing.T) {
	model := toolstest.NewSynonyms("remote:a")
	b := newBench(t, searchWith(t, model))
	model.FailWith(toolstest.ErrModel)
	forgotten := b.say("s", "user", "my automobile broke down")
	eventually(t, "the model was asked", func() bool { return model.CallCount() > 0 && b.deps.Search.IsModelFailing() })
	model.FailWith(nil)
	b.Clock.Advance(embed.RetryDelay)
	var stored int64
	model.Before = sync.OnceFunc(func() {
		write(t, b, func(tx *store.Tx) error {
			return Deleters().DeleteRows(tx, []kinds.Row{{Kind: kinds.Dialogue, ID: strconv.FormatInt(forgotten, 10)}})
		})
		d := memory.Dialogue{SessionID: "s", Speaker: "user", Content: "the physician was late", At: b.Clock.Now()}
		write(t, b, func(tx *store.Tx) (err error) {
			if d.ID, err = memory.In(tx).InsertDialogue(d); err == nil {
				_, err = b.deps.Search.IndexRow(tx, d.Row())
			}
			return err
		})
		stored = d.ID
	})
	b.refresh()
	b.refresh()
	eventually(t, "all are embedded", func() bool { return b.pending() == 0 })
	for question, like := range map[string]bool{"car": false, "doctor": true} {
		found := b.look(question, in(memory.SourceDialogue))
		isLike := len(found.Hits) == 1 && found.Hits[0].Row.ID == stored && *found.Hits[0].Similarity > 0.9
		if isLike != like {
			t.Errorf("%s: %+v", question, found.Hits)
		}
	}
	b.sound()
}

// What was stored after everything before it was forgotten is embedded, too.
func TestARowStoredAfterAForgettingIsEmbedded(t *testing.T) {
	b := newBench(t, searchWith(t, toolstest.NewSynonyms("remote:a")))
	first := b.say("s", "user", "my automobile broke down")
	b.look("car")
	write(t, b, func(tx *store.Tx) error {
		return Deleters().DeleteRows(tx, []kinds.Row{{Kind: kinds.Dialogue, ID: strconv.FormatInt(first, 10)}})
	})
	b.say("s", "user", "the physician was late")
	eventually(t, "it is embedded", func() bool { return b.pending() == 0 })
	if found := b.look("doctor", in(memory.SourceDialogue)); len(found.Hits) != 1 || found.Hits[0].Similarity == nil {
		t.Errorf("%+v", found.Hits)
	}
	b.sound()
}

func write(t *testing.T, b *bench, f func(tx *store.Tx) error) {
	t.Helper()
	storetest.Write(t, b.Store, f)
}

// panickingModel fails in the worst way when it is asked for the vector of a query.
type panickingModel struct{ *toolstest.Synonyms }

func (panickingModel) Query(context.Context, string) ([]float32, error) { panic("out of cheese") }

func TestAModelThatPanicsCostsTheVectorsNotTheSearch(t *testing.T) {
	b := newBench(t, searchWith(t, panickingModel{toolstest.NewSynonyms("remote:a")}))
	id := b.insight("the zebra sleeps")
	found := b.look("zebra")
	if len(found.Hits) != 1 || found.Hits[0].Row.ID != id || !strings.Contains(found.Note, "out of cheese") {
		t.Errorf("%v, %q", ids(found), found.Note)
	}
}
