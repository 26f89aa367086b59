package tools

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	cachedResults  = 256       // results kept, least recently used go first
	maxCachedBytes = 256 << 10 // larger results are cheaper to compute again than to keep
)

type cacheKey struct{ tool, arguments string }

type cachedResult struct {
	sequence int64 // change sequence of what the tool reads
	expires  time.Time
	outcome  outcome
}

// resultCache keeps results until their time is over or anything the tool reads
// was written, by whichever process.
type resultCache struct {
	results *lru.Cache[cacheKey, cachedResult]
}

func newResultCache() *resultCache {
	results, err := lru.New[cacheKey, cachedResult](cachedResults)
	if err != nil {
		panic(err) // only a size below 1 fails
	}
	return &resultCache{results: results}
}

func (c *resultCache) get(key cacheKey, sequence int64, now time.Time) (outcome, bool) {
	r, ok := c.results.Get(key)
	if !ok || r.sequence != sequence || !now.Before(r.expires) {
		return outcome{}, false
	}
	return r.outcome, true
}

func (c *resultCache) put(key cacheKey, sequence int64, expires time.Time, o outcome) {
	if len(o.Data) <= maxCachedBytes {
		c.results.Add(key, cachedResult{sequence: sequence, expires: expires, outcome: o})
	}
}
