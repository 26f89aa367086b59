package memory

import (
	"time"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Episode is a row of episode memory: what was asked, how well it went, what was
// learned.
type Episode struct {
	ID         int64
	Query      string
	Reward     float64 // -1..1
	Reflection string
	Created    time.Time
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
	return &Episode{ID: id, Query: query, Reward: reward, Reflection: reflection, Created: instant(now)}, nil
}

// EpisodeFilter chooses episodes; zero fields do not restrict.
type EpisodeFilter struct {
	From      time.Time // inclusive
	To        time.Time // exclusive
	RewardMin float64   // -1 does not restrict
	Limit     int
}

// Episodes returns the episodes of a filter, newest first.
func (tx Rows) Episodes(f EpisodeFilter) ([]Episode, error) {
	return query.Select(tx.sql, (*Episode).fields, episodeColumns+`WHERE created_at >= ?1 AND created_at < ?2 AND reward >= ?3
		ORDER BY created_at DESC, id DESC LIMIT ?4`, lowerBound(f.From), upperBound(f.To), f.RewardMin, f.Limit)
}

// episodeColumns reads an Episode; see fields.
const episodeColumns = `SELECT id, query, reward, reflection, created_at FROM episode_memory `

func (e *Episode) fields() []any {
	return []any{&e.ID, &e.Query, &e.Reward, &e.Reflection, query.Millis(&e.Created)}
}

// EpisodesBefore returns a page of episodes, newest row first: those with an id
// below before (0: from the newest on).
func (tx Rows) EpisodesBefore(before int64, limit int) ([]Episode, error) {
	return query.Select(tx.sql, (*Episode).fields, episodeColumns+`WHERE id < ?1 ORDER BY id DESC LIMIT ?2`, beforeOrNewest(before), limit)
}
