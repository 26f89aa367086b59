package store

import (
	"context"
	"database/sql"
	"sync"
)

// statements keeps the prepared statements of one pool: parsing a query costs
// more than running most of ours. A transaction may hold the pool's only
// connection, so a query met for the first time runs unprepared and is
// prepared before the next transaction begins. Only constant queries pass
// through here; lists travel as one JSON argument (json_each).
type statements struct {
	db     *sql.DB
	mu     sync.Mutex
	ready  map[string]*sql.Stmt
	wanted []string
}

// lookup returns the prepared form of query, or nil and a note to prepare it.
func (s *statements) lookup(query string) *sql.Stmt {
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

// prepareWanted prepares what earlier transactions met. A failure only means
// that the query goes on unprepared.
func (s *statements) prepareWanted(ctx context.Context) {
	s.mu.Lock()
	wanted := s.wanted
	s.wanted = nil
	s.mu.Unlock()
	for _, query := range wanted {
		st, err := s.db.PrepareContext(ctx, query)
		s.mu.Lock()
		if err == nil && s.ready != nil {
			s.ready[query] = st
		} else {
			delete(s.ready, query)
		}
		s.mu.Unlock()
	}
}

func (s *statements) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.ready {
		if st != nil {
			st.Close() //nolint:errcheck // the pool is going away
		}
	}
	s.ready, s.wanted = nil, nil
}

// statement returns the prepared form of a query, or nil when the query is new.
// A query that comes again within the transaction is prepared there and then,
// so that the first import into a new file is as fast as any other.
func (tx *Tx) statement(query string) *sql.Stmt {
	st, again := tx.own[query]
	if st != nil {
		return st
	}
	if shared := tx.statements.lookup(query); shared != nil {
		st = tx.tx.StmtContext(tx.ctx, shared)
	} else if again {
		st, _ = tx.tx.PrepareContext(tx.ctx, query) // running it reports what is wrong
	}
	if tx.own == nil {
		tx.own = map[string]*sql.Stmt{}
	}
	tx.own[query] = st
	return st
}

// exec runs a statement and drops its result.
func (tx *Tx) exec(query string, args ...any) error {
	_, err := tx.execResult(query, args...)
	return err
}

func (tx *Tx) execResult(query string, args ...any) (sql.Result, error) {
	if st := tx.statement(query); st != nil {
		return st.ExecContext(tx.ctx, args...)
	}
	return tx.tx.ExecContext(tx.ctx, query, args...)
}

// insert runs an INSERT and returns the new row's id.
func (tx *Tx) insert(query string, args ...any) (int64, error) {
	r, err := tx.execResult(query, args...)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

func (tx *Tx) row(query string, args ...any) *sql.Row {
	if st := tx.statement(query); st != nil {
		return st.QueryRowContext(tx.ctx, args...)
	}
	return tx.tx.QueryRowContext(tx.ctx, query, args...)
}

// each calls f for every row of a query; f scans through the given function.
func (tx *Tx) each(f func(scan func(...any) error) error, query string, args ...any) error {
	var rows *sql.Rows
	var err error
	if st := tx.statement(query); st != nil {
		rows, err = st.QueryContext(tx.ctx, args...)
	} else {
		rows, err = tx.tx.QueryContext(tx.ctx, query, args...)
	}
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
