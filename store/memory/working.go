package memory

import (
	"time"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// WorkingItem is a row of working memory.
type WorkingItem struct {
	ID           int64     `json:"id"`
	Content      string    `json:"content"`
	Importance   float64   `json:"importance"`
	LastAccessed time.Time `json:"accessed"`
	Created      time.Time `json:"-"`
}

// StaleItem is a row that left working memory.
type StaleItem struct {
	ID         int64
	Content    string
	Importance float64
	Reason     string
	Archived   time.Time
}

// nextAccess is the next value of the sequence of uses. Writes are serialised,
// so no two uses share one.
const nextAccess = `(SELECT coalesce(max(access_seq), 0) + 1 FROM working_memory)`

// InsertWorkingItem adds a row as the most recently used one and returns its id.
func (tx Rows) InsertWorkingItem(content string, importance float64) (int64, error) {
	tx.sql.Touch(store.TopicWorking)
	now := tx.sql.Now()
	return tx.sql.Insert(`INSERT INTO working_memory(content, importance, last_accessed, access_seq, created_at) VALUES(?, ?, ?, `+nextAccess+`, ?)`,
		content, importance, now, now)
}

// TouchWorkingItem makes a row the most recently used one; ok is false when
// there is none of this id.
func (tx Rows) TouchWorkingItem(id int64) (ok bool, err error) {
	n, err := tx.sql.ExecAndCountRows(`UPDATE working_memory SET last_accessed = ?, access_seq = `+nextAccess+` WHERE id = ?`, tx.sql.Now(), id)
	if n > 0 {
		tx.sql.Touch(store.TopicWorking)
	}
	return n > 0, err
}

const workingColumns = `SELECT id, content, importance, last_accessed, created_at FROM working_memory `

// WorkingItems returns working memory, the most recently used row first.
func (tx Rows) WorkingItems() ([]WorkingItem, error) {
	return query.Select(tx.sql, func(w *WorkingItem) []any {
		return []any{&w.ID, &w.Content, &w.Importance, query.Millis(&w.LastAccessed), query.Millis(&w.Created)}
	}, workingColumns+`ORDER BY access_seq DESC LIMIT 1000`)
}

// ArchiveWorkingItem moves a row to stale memory and returns its id there; ok is
// false when there is none of this id.
func (tx Rows) ArchiveWorkingItem(id int64, reason string) (archived int64, ok bool, err error) {
	ok, err = query.RowFound(tx.sql.Row(`INSERT INTO stale_memory(working_memory_id, original_content, importance, reason, archived_at)
		SELECT id, content, importance, ?, ? FROM working_memory WHERE id = ? RETURNING id`, reason, tx.sql.Now(), id).Scan(&archived))
	if !ok || err != nil {
		return 0, false, err
	}
	tx.sql.Touch(store.TopicWorking, store.TopicStale)
	return archived, true, tx.sql.Exec(`DELETE FROM working_memory WHERE id = ?`, id)
}

// StaleFilter chooses rows of stale memory; zero fields do not restrict.
type StaleFilter struct {
	Reason        string
	From          time.Time // inclusive
	ImportanceMin float64
	Limit         int
}

// StaleItems returns the rows of a filter, newest first.
func (tx Rows) StaleItems(f StaleFilter) ([]StaleItem, error) {
	var a queryArguments
	where := `WHERE archived_at >= ` + a.add(lowerBound(f.From)) + ` AND importance >= ` + a.add(f.ImportanceMin)
	if f.Reason != "" {
		where += ` AND reason = ` + a.add(f.Reason)
	}
	return query.Select(tx.sql, func(s *StaleItem) []any {
		return []any{&s.ID, &s.Content, &s.Importance, &s.Reason, query.Millis(&s.Archived)}
	}, `SELECT id, original_content, importance, reason, archived_at FROM stale_memory `+where+
		` ORDER BY archived_at DESC, id DESC LIMIT `+a.add(f.Limit), a.values...)
}

// Episode is a row of episode memory: what was asked, how well it went, what was
// learned.
type Episode struct {
	ID         int64     `json:"id"`
	Query      string    `json:"query"`
	Reward     float64   `json:"reward"` // -1..1
	Reflection string    `json:"reflection"`
	Created    time.Time `json:"created"`
}

// Row is the episode as a searchable row.
func (e Episode) Row() Row {
	return Row{
		Source: SourceEpisode, ID: e.ID, Content: e.Query + "\n" + e.Reflection, At: e.Created,
		Query: e.Query, Reflection: e.Reflection, Reward: e.Reward,
	}
}

// InsertEpisode adds a row; ID and Created of the result are set.
func (tx Rows) InsertEpisode(query string, reward float64, reflection string) (*Episode, error) {
	now := tx.sql.Now()
	id, err := tx.sql.Insert(`INSERT INTO episode_memory(query, reward, reflection, created_at) VALUES(?, ?, ?, ?)`, query, reward, reflection, now)
	if err != nil {
		return nil, err
	}
	tx.sql.Touch(store.TopicEpisodes)
	return &Episode{ID: id, Query: query, Reward: reward, Reflection: reflection, Created: timeFromMillis(now)}, nil
}

// EpisodeFilter chooses episodes; zero fields do not restrict.
type EpisodeFilter struct {
	From      time.Time // inclusive
	RewardMin float64   // -1 does not restrict
	Limit     int
}

// Episodes returns the episodes of a filter, newest first.
func (tx Rows) Episodes(f EpisodeFilter) ([]Episode, error) {
	return query.Select(tx.sql, (*Episode).fields, episodeColumns+`WHERE created_at >= ?1 AND reward >= ?2
		ORDER BY created_at DESC, id DESC LIMIT ?3`, lowerBound(f.From), f.RewardMin, f.Limit)
}

// episodeColumns reads an Episode; see fields.
const episodeColumns = `SELECT id, query, reward, reflection, created_at FROM episode_memory `

func (e *Episode) fields() []any {
	return []any{&e.ID, &e.Query, &e.Reward, &e.Reflection, query.Millis(&e.Created)}
}

// EpisodesBefore returns a page of episodes, newest row first: those with an id
// below before (0: from the newest on).
func (tx Rows) EpisodesBefore(before int64, limit int) ([]Episode, error) {
	return query.Select(tx.sql, (*Episode).fields, episodeColumns+`WHERE id < ?1 ORDER BY id DESC LIMIT ?2`, maxIfZero(before), limit)
}
