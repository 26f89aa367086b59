package memory

import (
	"strings"

	"toolkit/store/memories"
)

const (
	// maxSpoken bounds the dialogue that is looked through for queries.
	maxSpoken = 20000
	// fewestWords and mostWords bound what is taken for a query.
	fewestWords = 3
	mostWords   = 80
)

// spokenPool holds what was said, by kind and session.
type spokenPool struct {
	size   int
	groups []*spokenGroup // in the order in which they take turns
	turn   int
}

// spokenGroup is what was said of one kind (question or statement) and length,
// by session in the order of their first appearance.
type spokenGroup struct {
	sessions  [][]memories.SpokenQuery
	bySession map[string]int
	turn      int
}

// readSpoken sorts what a speaker said into a pool: three groups of questions by
// length, then three of statements.
func readSpoken(tx memories.Rows, speaker string) (*spokenPool, error) {
	pool := &spokenPool{groups: make([]*spokenGroup, 6)}
	for i := range pool.groups {
		pool.groups[i] = &spokenGroup{bySession: map[string]int{}}
	}
	seen := map[string]bool{}
	read := 0
	for after := int64(0); read < maxSpoken; {
		page, err := tx.SpokenBy(speaker, after, goldenPageSize)
		if err != nil {
			return nil, err
		}
		for _, s := range page {
			after = s.ID
			s.Content = strings.TrimSpace(s.Content)
			words := countWords(s.Content)
			if words < fewestWords || words > mostWords || seen[s.Content] {
				continue
			}
			seen[s.Content] = true
			group := int(classOf(words))
			if !strings.HasSuffix(s.Content, "?") {
				group += 3
			}
			pool.groups[group].add(s)
			pool.size++
		}
		read += len(page)
		if len(page) < goldenPageSize {
			break
		}
	}
	return pool, nil
}

func (g *spokenGroup) add(s memories.SpokenQuery) {
	i, known := g.bySession[s.SessionID]
	if !known {
		i = len(g.sessions)
		g.bySession[s.SessionID] = i
		g.sessions = append(g.sessions, nil)
	}
	g.sessions[i] = append(g.sessions[i], s)
}

// next takes one from the group whose turn it is; statements only when there are
// no questions left.
func (p *spokenPool) next() (memories.SpokenQuery, bool) {
	for _, half := range [][]*spokenGroup{p.groups[:3], p.groups[3:]} {
		for range half {
			g := half[p.turn%len(half)]
			p.turn++
			if s, ok := g.next(); ok {
				return s, true
			}
		}
	}
	return memories.SpokenQuery{}, false
}

func (g *spokenGroup) next() (memories.SpokenQuery, bool) {
	for range g.sessions {
		i := g.turn % len(g.sessions)
		g.turn++
		if list := g.sessions[i]; len(list) > 0 {
			g.sessions[i] = list[1:]
			return list[0], true
		}
	}
	return memories.SpokenQuery{}, false
}
