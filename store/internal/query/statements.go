package query

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"
)

// Statements keeps the prepared statements of one pool: parsing a query costs
// more than running most of ours. A transaction may hold the pool's only
// connection, so a query met for the first time runs unprepared and is
// prepared before the next transaction begins. Only constant queries pass
// through here; lists travel as one JSON argument (json_each).
type Statements struct {
	DB     *sql.DB // nil: none is kept, for a process that ends too soon to run it again
	mu     sync.Mutex
	ready  map[string]*sql.Stmt
	wanted []string
}

// findOrMarkWanted returns the prepared form of query, or nil and a note to prepare it.
func (s *Statements) findOrMarkWanted(query string) *sql.Stmt {
	if s.DB == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if st, known := s.ready[query]; known {
		return st
	}
	if s.ready == nil {
		s.ready = map[string]*sql.Stmt{}
	}
	s.ready[query] = nil
	s.wanted = append(s.wanted, query)
	return nil
}

// PrepareWanted prepares what earlier transactions met. A failure only means
// that the query goes on unprepared.
func (s *Statements) PrepareWanted(ctx context.Context) {
	s.mu.Lock()
	wanted := s.wanted
	s.wanted = nil
	s.mu.Unlock()
	for _, query := range wanted {
		st, err := s.DB.PrepareContext(ctx, query)
		s.mu.Lock()
		if err == nil && s.ready != nil {
			s.ready[query] = st
		} else {
			delete(s.ready, query)
		}
		s.mu.Unlock()
	}
}

// Close ends them, before their pool.
func (s *Statements) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.ready {
		if st != nil {
			st.Close() //nolint:errcheck // the pool is going away
		}
	}
	s.ready, s.wanted = nil, nil
}

// preparedStatement returns the prepared form of a query, or nil when the query is new.
// A query that comes again within the transaction is prepared there and then,
// so that the first import into a new file is as fast as any other.
func (tx *Tx) preparedStatement(query string) *sql.Stmt {
	tx.statementCount++
	st, again := tx.ownStatements[query]
	if st != nil {
		return st
	}
	if shared := tx.shared.findOrMarkWanted(query); shared != nil {
		st = tx.tx.StmtContext(tx.ctx, shared)
	} else if again {
		st, _ = tx.tx.PrepareContext(tx.ctx, query) // running it reports what is wrong
	}
	if tx.ownStatements == nil {
		tx.ownStatements = map[string]*sql.Stmt{}
	}
	tx.ownStatements[query] = st
	return st
}

// StatementCount is how many statements the transaction has run on SQLite, for tests of
// how many a thing takes.
func (tx *Tx) StatementCount() int { return tx.statementCount }

// SeenQueries are the queries that transactions of this kind have run, for tests of how
// SQLite runs them.
func (tx *Tx) SeenQueries() []string {
	tx.shared.mu.Lock()
	defer tx.shared.mu.Unlock()
	return slices.Collect(maps.Keys(tx.shared.ready))
}
