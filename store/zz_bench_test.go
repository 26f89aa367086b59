package store
import ("testing";"fmt";"context")
func benchDB(b *testing.B, n int) *DB {
	db := openGraph(b)
	words := []string{"brews","pour-over","coffee","in","the","morning","Lisbon","project","deadline","uses","SQLite","and","Go","team","meets","weekly","likes","prefers","dark","roast"}
	var es []NewEntity
	for i := range n {
		e := NewEntity{Name: fmt.Sprintf("Person %d", i), Type: "person"}
		for j := range 3 { e.Observations = append(e.Observations, fmt.Sprintf("%s %s %s number %d of %s the %s", words[(i+j)%20], words[(i*7+j)%20], words[(i*3+j*5)%20], i*3+j, words[(i*11)%20], words[(i/20)%20])) }
		es = append(es, e)
	}
	addPlain(b, db, es...)
	return db
}
func BenchmarkText(b *testing.B) {
	for _, n := range []int{10000, 50000} {
		db := benchDB(b, n)
		foundNames(b, db, "x")
		for _, q := range []string{fmt.Sprintf("number %d of", n*2), fmt.Sprintf("son %d", n/2), "nothing like this", "zzz", "ee", "the", "weekly number"} {
			b.Run(fmt.Sprintf("%d/%s", n, q), func(b *testing.B) { h:=0
				for b.Loop() { db.Read(context.Background(), func(tx *Tx) error { x, err := tx.FindText(q); h=len(x); return err }) }
				b.ReportMetric(float64(h), "hits") })
		}
		for _, q := range []string{fmt.Sprint(n*2), "brewing", "unknownword"} {
			b.Run(fmt.Sprintf("%d/word %s", n, q), func(b *testing.B) { h:=0
				for b.Loop() { db.Read(context.Background(), func(tx *Tx) error { x, err := tx.FindWord(q, 500); h=len(x.Named)+len(x.Observed); return err }) }
				b.ReportMetric(float64(h), "hits") })
		}
		b.Run(fmt.Sprintf("%d/nearest",n), func(b *testing.B) { for b.Loop() { db.Read(context.Background(), func(tx *Tx) error { _, err := tx.NearestNames("Persn 77", 5); return err }) } })
		b.Run(fmt.Sprintf("%d/empty read",n), func(b *testing.B) { for b.Loop() { db.Read(context.Background(), func(tx *Tx) error { return nil }) } })
		b.Run(fmt.Sprintf("%d/seq",n), func(b *testing.B) { for b.Loop() { db.Read(context.Background(), func(tx *Tx) error { _, err:= tx.changeSequence(); return err }) } })
		b.Run(fmt.Sprintf("%d/load3",n), func(b *testing.B) { for b.Loop() { db.Read(context.Background(), func(tx *Tx) error { _, err:= tx.ReadEntities([]int64{5,6,7}, -1); return err }) } })
		b.Run(fmt.Sprintf("%d/rel3",n), func(b *testing.B) { for b.Loop() { db.Read(context.Background(), func(tx *Tx) error { _, err:= tx.RelationsTouching([]int64{5,6,7}); return err }) } })
		b.Run(fmt.Sprintf("%d/hydrate",n), func(b *testing.B) { for b.Loop() { db.text.started=false; db.text.complete=false; db.text.segments=nil; db.text.loaded=0; foundNames(b,db,"zzzz") } })
		b.Logf("size %d", db.text.size)
	}
}
