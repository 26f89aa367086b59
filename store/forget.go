package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"time"

	"toolkit/store/internal/query"
)

// Forgetting is done in two parts. One transaction removes the rows, whose bytes
// SQLite overwrites with zeros (secure_delete), and merges the full-text indexes
// they stood in, which otherwise keep the words of deleted rows. That leaves
// copies that SQLite made when it moved rows between pages, and the write-ahead
// log. So the file is rewritten and the log emptied afterwards; what of that is
// still to do stands in the table forgetting, so that neither a kill nor another
// process that is reading keeps it from being done in the end.

// maxRewriteBytes is the size of a database up to which a server rewrites it by
// itself: 64 MB take about a second, during which other writers wait.
const maxRewriteBytes = 64 << 20

// readerTimeout is how long the log is waited for while others read. A later
// write does not wait: where Litestream copies the database it always reads.
const readerTimeout = 500 * time.Millisecond

// Stages of the rows of the table forgetting.
const (
	stageRemoving = iota
	stageRewrite
	stageLog
)

// Traces is what of a forgetting is not done yet.
type Traces struct {
	Rewrite bool // the file is too large to be rewritten while others wait
	Log     bool // another process reads what the log still holds
	Files   int  // files whose bytes could not be removed
	Staged  int  // files on their way in, or left so within the last hour, which may hold anything
}

// IsEmpty reports whether everything is gone.
func (t Traces) IsEmpty() bool { return t == Traces{} }

// Forget runs f as Write does. What f deletes is overwritten, and frozen rows may
// go as well. EraseTraces does the rest; until it has, every later write of this
// process tries again.
func (db *DB) Forget(ctx context.Context, f func(*Tx) error) error {
	return db.Write(ctx, func(tx *Tx) error {
		// Not by way of the prepared statements: this one acts when it is prepared.
		if tx.sql().SQLite() {
			if err := tx.sql().ExecOnce(ctx, `PRAGMA secure_delete=1`); err != nil {
				return err
			}
			defer tx.sql().ExecOnce(context.WithoutCancel(ctx), `PRAGMA secure_delete=0`) //nolint:errcheck // it only costs time
		}
		if err := tx.sql().Exec(`INSERT INTO forgetting(stage) VALUES(?)`, stageRemoving); err != nil {
			return err
		}
		if err := f(tx); err != nil {
			return err
		}
		tx.sql().Touch(TopicForgotten)
		if err := optimizeWordIndexes(tx, tx.sql().Touched()); err != nil {
			return err
		}
		return tx.sql().Exec(`UPDATE forgetting SET stage = ?`, stageRewrite)
	})
}

// ForgetFiles has the bytes of released files removed with the traces.
func (tx *Tx) ForgetFiles(hashes []string) error {
	return tx.sql().Exec(`INSERT INTO forgetting(stage, sha256) SELECT ?1, value FROM json_each(?2)`, stageRemoving, query.List(hashes))
}

// optimizeWordIndexes rewrites the full-text indexes of some topics without the words of deleted
// rows.
func optimizeWordIndexes(tx *Tx, topics []Topic) error {
	if !tx.sql().SQLite() {
		return nil // its index holds no words of deleted rows once they are vacuumed away
	}
	for _, w := range wordIndexes {
		if !slices.Contains(topics, w.topic) {
			continue
		}
		if err := tx.sql().Exec(`INSERT INTO ` + w.table + `(` + w.table + `) VALUES('optimize')`); err != nil {
			return err
		}
	}
	return nil
}

// EraseDeleted removes what deleted rows left behind, also those that no Forget deleted. It
// rewrites every full-text index and the file.
func (db *DB) EraseDeleted(ctx context.Context) (Traces, error) {
	err := db.Write(ctx, func(tx *Tx) error {
		var topics []Topic
		for _, w := range wordIndexes {
			topics = append(topics, w.topic)
		}
		if err := optimizeWordIndexes(tx, topics); err != nil {
			return err
		}
		return tx.sql().Exec(`INSERT INTO forgetting(stage) VALUES(?)`, stageRewrite)
	})
	if err != nil {
		return Traces{}, err
	}
	return db.EraseTraces(ctx, true)
}

// EraseTraces removes what deleted rows left behind in the file, the log and the
// folder of files, and says what it could not do yet. It rewrites the file
// whatever its size with ignoreSize.
func (db *DB) EraseTraces(ctx context.Context, ignoreSize bool) (Traces, error) {
	db.erasing.Lock()
	defer db.erasing.Unlock()
	return db.eraseTraces(ctx, ignoreSize, readerTimeout)
}

func (db *DB) eraseTraces(ctx context.Context, ignoreSize bool, look time.Duration) (left Traces, err error) {
	stage, hashes, err := db.readPendingErasure(ctx)
	if err != nil || stage == stageRemoving {
		return left, err
	}
	if left.Files, err = db.deleteForgottenBlobs(ctx, hashes); err != nil {
		return left, err
	}
	left.Staged = db.ClearStaging()
	if stage == stageRewrite {
		if left.Rewrite, err = db.vacuumUnlessTooLarge(ctx, ignoreSize); err != nil {
			return left, err
		}
	}
	_, err = db.emptyWriteAheadLog(ctx, look)
	if left.Log = errors.Is(err, ErrBusy); err != nil && !left.Log {
		return left, err
	}
	db.traces.Store(left.Log || left.Files > 0 || left.Staged > 0)
	if !left.IsEmpty() {
		return left, nil
	}
	return left, db.write(ctx, func(tx *Tx) error { return tx.sql().Exec(`DELETE FROM forgetting`) })
}

// readPendingErasure reads what is still to do; stageRemoving: nothing.
func (db *DB) readPendingErasure(ctx context.Context) (stage int, hashes []string, err error) {
	err = db.Read(ctx, func(tx *Tx) error {
		var least sql.NullInt64
		if err := tx.sql().Row(`SELECT min(stage) FROM forgetting`).Scan(&least); err != nil {
			return err
		}
		stage = int(least.Int64)
		hashes, err = tx.sql().Texts(`SELECT sha256 FROM forgetting WHERE sha256 IS NOT NULL`)
		return err
	})
	return stage, hashes, err
}

func (db *DB) deleteForgottenBlobs(ctx context.Context, hashes []string) (remaining int, err error) {
	if err := db.DeleteUnreferencedBlobs(ctx, hashes); err != nil && (ctx.Err() != nil || db.server != nil) {
		return 0, err
	}
	if db.server != nil {
		return 0, nil
	}
	for _, hash := range hashes {
		if !IsBlobHash(hash) {
			continue // of a damaged row
		}
		if _, err := os.Lstat(filePath(db.path, hash)); !errors.Is(err, fs.ErrNotExist) {
			remaining++
		}
	}
	return remaining, nil
}

// vacuumUnlessTooLarge makes the file anew; left is true when it is too large for that.
func (db *DB) vacuumUnlessTooLarge(ctx context.Context, ignoreSize bool) (left bool, err error) {
	if db.server != nil {
		return db.server.vacuumUnlessTooLarge(ctx, db.writer, ignoreSize)
	}
	if info, err := os.Stat(db.path); err != nil || info.Size() > maxRewriteBytes && !ignoreSize {
		return true, err
	}
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return false, classifyError(err)
	}
	defer conn.Close() //nolint:errcheck // it goes back to the pool
	// In memory the copy would need as much of it as the file is long.
	if _, err := conn.ExecContext(ctx, `PRAGMA temp_store=1`); err != nil {
		return false, classifyError(err)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA temp_store=2`) //nolint:errcheck // sorting uses files at worst
	for _, statement := range []string{`VACUUM`, `UPDATE forgetting SET stage = ` + strconv.Itoa(stageLog)} {
		err := retryWhileBusy(ctx, func() error {
			_, err := conn.ExecContext(ctx, statement)
			return err
		})
		if err != nil {
			return false, classifyError(err)
		}
	}
	return false, nil
}

// emptyWriteAheadLog folds the log into the file and cuts it, and returns the frames that remain.
// ErrBusy: another process still reads what it holds after that time.
func (db *DB) emptyWriteAheadLog(ctx context.Context, timeout time.Duration) (remaining int, err error) {
	if db.server != nil {
		return 0, nil // PostgreSQL recycles its own
	}
	looking, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var busy, frames, done int
	err = retryWhileBusy(looking, func() error {
		err := db.writer.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &done)
		if err == nil && busy != 0 {
			return ErrBusy
		}
		return err
	})
	return max(frames, 0) - max(done, 0), classifyError(err)
}

// erasePause keeps writes from looking at the log all the time while another
// process holds on to it.
const erasePause = 2 * time.Second

// retryErasure tries again what other processes kept from being done.
func (db *DB) retryErasure(ctx context.Context) {
	if !db.traces.Load() || !db.erasing.TryLock() {
		return
	}
	defer db.erasing.Unlock()
	if time.Since(db.erased) < erasePause {
		return
	}
	db.eraseTraces(context.WithoutCancel(ctx), false, 0) //nolint:errcheck // a later write tries again
	db.erased = time.Now()
}

// checkForTraces looks, as part of a write, whether something forgotten still leaves
// traces, by whichever process.
func (db *DB) checkForTraces(tx *Tx) error {
	newest, err := tx.sql().QueryNumber(`SELECT coalesce(max(id), 0) FROM forgetting`)
	db.traces.Store(newest > 0)
	return err
}

// resumeForgetting finishes what a killed process began. A failure is left to the
// next write.
func (db *DB) resumeForgetting(ctx context.Context) {
	if err := db.Read(ctx, db.checkForTraces); err == nil {
		db.retryErasure(ctx)
	}
}
