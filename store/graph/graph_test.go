package graph

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/kinds"
)

func TestEntitiesAreReadInTheOrderAskedFor(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db,
		NewEntity{Name: "a", Type: "x", Observations: []string{"1", "2", "3"}, Metadata: []byte(`{"k":1}`)},
		NewEntity{Name: "b", Type: "y"},
		NewEntity{Name: "c", Type: "x", Observations: []string{"4"}},
	)
	for _, test := range []struct {
		perEntity int
		want      string
	}{
		{NoLimit, `[c [4] 0  a [1 2 3] 0 {"k":1}]`},
		{2, `[c [4] 0  a [2 3] 1 {"k":1}]`},
		{0, `[c [] 0  a [] 0 {"k":1}]`},
	} {
		storetest.Read(t, db, func(tx *store.Tx) error {
			entities, err := In(tx).ReadEntities([]int64{3, 99, 1}, test.perEntity)
			var got []any
			for _, e := range entities {
				got = append(got, e.Name, e.Observations, e.Hidden, string(e.Metadata))
			}
			if fmt.Sprint(got) != test.want {
				t.Errorf("%d each: %v, want %s", test.perEntity, got, test.want)
			}
			return err
		})
	}
}

func TestPagesAndTypes(t *testing.T) {
	db := openGraph(t)
	storetest.Read(t, db, func(tx *store.Tx) error {
		types, err := In(tx).EntityTypes(10)
		if err != nil || len(types) != 0 {
			t.Errorf("an empty graph has types %q, %v", types, err)
		}
		return nil
	})
	var entities []NewEntity
	for i := range 9 {
		entities = append(entities, NewEntity{Name: fmt.Sprint(i), Type: string("cab"[i%3])})
	}
	addPlain(t, db, entities...)
	storetest.Read(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		for _, test := range []struct {
			types         []string
			limit, offset int
			want          []int64
			total         int
		}{
			{nil, NoLimit, 0, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 9},
			{nil, 2, 3, []int64{4, 5}, 9},
			{[]string{"a"}, NoLimit, 1, []int64{5, 8}, 3},
			{[]string{"a", "b"}, 3, 0, []int64{2, 3, 5}, 6},
			{[]string{}, NoLimit, 0, []int64{}, 0},
			{[]string{"A"}, NoLimit, 0, []int64{}, 0},
		} {
			ids, err := rows.EntityPage(test.types, test.limit, test.offset)
			if err != nil {
				return err
			}
			total, err := rows.CountEntities(test.types)
			if err != nil {
				return err
			}
			if !slices.Equal(ids, test.want) || total != test.total {
				t.Errorf("%q %d %d: %v of %d", test.types, test.limit, test.offset, ids, total)
			}
		}
		types, err := rows.EntityTypes(2)
		if err != nil || !slices.Equal(types, []string{"a", "b"}) {
			t.Errorf("types %q, %v", types, err)
		}
		filtered, err := rows.FilterByType([]int64{9, 1, 2, 77}, []string{"b", "c"})
		if err != nil || !slices.Equal(filtered, []int64{9, 1}) {
			t.Errorf("kept %v, %v", filtered, err)
		}
		return nil
	})
}

func TestNamesAreFoundExactly(t *testing.T) {
	db := openGraph(t)
	odd := []string{"a", "A", "nul\x00one", "nul\x00two", "\"q\" \\ \u2028", "ü"}
	for _, name := range odd {
		addPlain(t, db, NewEntity{Name: name, Type: "x"})
	}
	storetest.Read(t, db, func(tx *store.Tx) error {
		refs, err := In(tx).EntityRefs(append([]string{"nul", "absent", ""}, odd...))
		if len(refs) != len(odd) {
			t.Errorf("found %v", refs)
		}
		for i, name := range odd {
			if refs[name] != (EntityRef{ID: int64(i + 1), Kind: KindPlain}) {
				t.Errorf("%q is %v", name, refs[name])
			}
		}
		return err
	})
}

func TestANameIsOneHoweverItsAccentsAreEncoded(t *testing.T) {
	for namesBySpelling, other := range map[string]string{"Café": "Cafe\u0301", "Cafe\u0301": "Café", "각": "\u1100\u1161\u11a8"} {
		db := openGraph(t)
		addPlain(t, db, NewEntity{Name: namesBySpelling, Type: "x"})
		storetest.Write(t, db, func(tx *store.Tx) error {
			if _, err := In(tx).InsertEntity(NewEntity{Name: other, Type: "x"}); !errors.Is(err, ErrExists) {
				t.Errorf("%q beside %q: %v", other, namesBySpelling, err)
			}
			refs, err := In(tx).EntityRefs([]string{other, namesBySpelling, "x"})
			if len(refs) != 2 || refs[other].ID != 1 || refs[namesBySpelling].ID != 1 {
				t.Errorf("%v", refs)
			}
			return err
		})
	}
}

func TestRelationsAreReadFromEitherEnd(t *testing.T) {
	db := openGraph(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		addPlain(t, db, NewEntity{Name: name, Type: "x"})
	}
	storetest.Write(t, db, func(tx *store.Tx) error {
		for i, r := range [][2]int64{{1, 2}, {3, 1}, {3, 4}, {1, 1}} {
			if created, err := In(tx).InsertRelation(r[0], r[1], "r", i == 2, nil, nil); err != nil || !created {
				return fmt.Errorf("relation %d: %v, %w", i, created, err)
			}
		}
		created, err := In(tx).InsertRelation(1, 2, "r", true, nil, nil)
		if created {
			t.Error("a repeated relation was created")
		}
		return err
	})
	show := func(relations []Relation, err error) string {
		if err != nil {
			t.Error(err)
		}
		shown := make([]string, len(relations))
		for i, r := range relations {
			shown[i] = fmt.Sprint("{", r.From, " ", r.To, " ", r.Type, "}")
		}
		return fmt.Sprint(shown)
	}
	storetest.Read(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		for _, test := range []struct{ got, want string }{
			{show(rows.RelationsOfEntities([]int64{1})), "[{a b r} {c a r} {a a r}]"},
			{show(rows.RelationsOfEntities([]int64{4, 2})), "[{a b r} {c d r}]"},
			{show(rows.RelationsOfEntities(nil)), "[]"},
			{show(rows.AllRelations()), "[{a b r} {c a r} {c d r} {a a r}]"},
		} {
			if test.got != test.want {
				t.Errorf("got %s, want %s", test.got, test.want)
			}
		}
		ref, found, err := rows.FindRelation(3, 4, "r")
		if !found || !ref.Structural || err != nil {
			t.Errorf("%+v, %v, %v", ref, found, err)
		}
		_, found, err = rows.FindRelation(4, 3, "r")
		if found || err != nil {
			t.Errorf("the other direction: %v, %v", found, err)
		}
		return nil
	})
	storetest.Write(t, db, func(tx *store.Tx) error { return kinds.In(tx).Delete(kinds.Relation, []string{"1", "3"}) })
	storetest.Read(t, db, func(tx *store.Tx) error {
		if got := show(In(tx).AllRelations()); got != "[{c a r} {a a r}]" {
			t.Errorf("left are %s", got)
		}
		return nil
	})
}

func TestNearestNamesAreThoseThatShareMostLetters(t *testing.T) {
	db := openGraph(t)
	for _, name := range []string{"Alice Johnson", "Alicia", "Bob", "Orchard Project", "orchard", "Zürich", "gone orchard"} {
		addPlain(t, db, NewEntity{Name: name, Type: "x"})
	}
	foundNames(t, db, "fill the index")
	storetest.Write(t, db, func(tx *store.Tx) error { return In(tx).DeleteEntityRows([]int64{7}) })
	for wanted, want := range map[string][]string{
		"Orchrd": {"orchard", "Orchard Project"}, "alice jonson": {"Alice Johnson", "Alicia"}, "zurich": {"Zürich"}, "BOB": {"Bob"}, "qqqq": {}, "": {},
	} {
		storetest.Read(t, db, func(tx *store.Tx) error {
			got, err := In(tx).NearestNames(wanted, 2)
			if !slices.Equal(got, want) {
				t.Errorf("%q: %q, want %q", wanted, got, want)
			}
			return err
		})
	}
}

func TestNearlySameNamesDifferInMarksOrOneLetter(t *testing.T) {
	db := openGraph(t)
	for _, name := range []string{"Node.js", "nodejs", "C++", "C", "c#", "Zürich", "Martha", "entity_10", "entity_11", "Entity 10", "Joe", "Jon", "Łódź", "한국"} {
		addPlain(t, db, NewEntity{Name: name, Type: "x"})
	}
	for wanted, want := range map[string][]string{
		"node js": {"Node.js", "nodejs"}, "nodejs": {"Node.js"}, "c++": {"C++"}, "C": {}, "C#": {"c#"}, "Zurich": {"Zürich"}, "ZURICHH": {"Zürich"},
		"Marta": {"Martha"}, "entity_10": {"Entity 10"}, "entity_12": {}, "Jan": {}, "lodz": {"Łódź"}, "!": {}, "": {}, "한국 ": {"한국"},
	} {
		storetest.Read(t, db, func(tx *store.Tx) error {
			got, known, err := In(tx).NearlySameNames(wanted, 3)
			if !known || !slices.Equal(got, want) {
				t.Errorf("%q: %q, want %q", wanted, got, want)
			}
			return err
		})
	}
}

// What is written is known to the next write of the same process at once; after too many, and while
// the index is not filled, only a read tells.
func TestNearlySameNamesAreThoseThatWereWrittenSinceToo(t *testing.T) {
	db := openGraph(t)
	nearTomasz := func(in func(testing.TB, *store.DB, func(*store.Tx) error)) (names []string, known bool) {
		in(t, db, func(tx *store.Tx) (err error) {
			names, known, err = In(tx).NearlySameNames("tomasz", 3)
			return err
		})
		return names, known
	}
	addPlain(t, db, NewEntity{Name: "Thomas", Type: "x"})
	if _, known := nearTomasz(storetest.Write); known {
		t.Error("a write knows names though no index is filled")
	}
	foundNames(t, db, "fill the index")
	addPlain(t, db, NewEntity{Name: "Tomasz", Type: "x"})
	for written := range maxNewNames + 5 {
		names, known := nearTomasz(storetest.Write)
		if want := written < maxNewNames; known != want || known && !slices.Equal(names, []string{"Tomasz"}) {
			t.Errorf("a write after %d more: %q, %v", written, names, known)
		}
		addPlain(t, db, NewEntity{Name: fmt.Sprintf("other %d", written), Type: "x"})
	}
	if names, known := nearTomasz(storetest.Read); !known || !slices.Equal(names, []string{"Tomasz"}) {
		t.Errorf("a read: %q, %v", names, known)
	}
	if names, known := nearTomasz(storetest.Write); !known || !slices.Equal(names, []string{"Tomasz"}) {
		t.Errorf("a write after that read: %q, %v", names, known)
	}
	storetest.Write(t, db, func(tx *store.Tx) error { return In(tx).DeleteEntityRows([]int64{2}) })
	for _, in := range []func(testing.TB, *store.DB, func(*store.Tx) error){storetest.Read, storetest.Write} {
		if names, _ := nearTomasz(in); len(names) != 0 {
			t.Errorf("after it was deleted: %q", names)
		}
	}
}
