package memory

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/store/plainjson"
	"toolkit/tools"
)

const (
	insightsURI = "memory://l2-insights"
	workingURI  = "memory://working-memory"
	episodesURI = "memory://episode-memory"
	dialogueURI = "memory://l0-raw"
	staleURI    = "memory://stale-memory"
)

const (
	maxListed     = 1000 // of any limit
	maxTopK       = 100
	jsonMIME      = "application/json"
	maxCandidates = 1000 // episodes compared with a query
)

// contents reads what a document holds.
type contents func(ctx context.Context, p *params) (listing, error)

// listing is what a document holds.
type listing struct {
	entries     any  // a slice, never nil
	below       *int // candidates under a threshold, where there is one
	nothingFits bool // no entry answers half of the query
}

// resourceDocument is one of the five resources.
type resourceDocument struct {
	uri, template, name, title, description string
	topic                                   store.Topic
	read                                    contents
}

func (f *family) listResourceDocuments() []resourceDocument {
	return []resourceDocument{
		{insightsURI, insightsURI + "{?query,top_k,fidelity_min,created_after,created_before,include_superseded}", "l2-insights", "Insights",
			"Insights: newest first, or best first for a query. Parameters: query, top_k (50), fidelity_min, created_after, created_before, include_superseded.",
			store.TopicInsights, f.readInsights},
		{workingURI, workingURI, "working-memory", "Working memory",
			"The ten items in hand, most recently used first. Reading it changes nothing.",
			store.TopicWorking, f.readWorkingItems},
		{episodesURI, episodesURI + "{?query,top_k,min_similarity,reward_min,days_back}", "episode-memory", "Episodes",
			"What similar queries taught, most similar first; without a query the newest. Parameters: query, top_k (5), min_similarity (0.5), reward_min, days_back (30; 0 = all).",
			store.TopicEpisodes, f.readEpisodes},
		{dialogueURI, dialogueURI + "{?session_id,date_range,speaker,limit,order}", "l0-raw", "Raw dialogue",
			"Dialogue as it was said, newest first. Parameters: session_id, date_range (YYYY-MM-DD,YYYY-MM-DD, both inclusive, UTC), speaker, limit (100), order (asc or desc).",
			store.TopicDialogue, f.readDialogue},
		{staleURI, staleURI + "{?reason,days_back,importance_min,limit}", "stale-memory", "Stale memory",
			"What left working memory, newest first. Parameters: reason (LRU_EVICTION or MANUAL_ARCHIVE), days_back (30; 0 = all), importance_min, limit (50).",
			store.TopicStale, f.readEvictedAndArchived},
	}
}

// listResources lists each document, and again as the template of its parameters.
func (f *family) listResources() (resources []tools.ServedResource, templates []tools.ServedTemplate) {
	for _, d := range f.listResourceDocuments() {
		resources = append(resources, tools.ServedResource{
			URI: d.uri, Name: d.name, Title: d.title, Description: d.description, MIMEType: jsonMIME,
			Topics: []string{string(d.topic)}, Permission: mayRead, Read: d.readAsJSON,
		})
		templates = append(templates, tools.ServedTemplate{
			URITemplate: d.template, Name: d.name, Title: d.title, Description: d.description, MIMEType: jsonMIME,
		})
	}
	return resources, templates
}

// readAsJSON returns the documented object {resource, uri, mimeType, contents}.
func (d resourceDocument) readAsJSON(ctx context.Context, u *url.URL) (string, error) {
	p, err := parseParams(u, d.parameterNames())
	if err != nil {
		return "", err
	}
	list, err := d.read(ctx, p)
	if err != nil {
		return "", err
	}
	text, err := plainjson.Encode(struct {
		Resource string `json:"resource"`
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType"`
		Contents any    `json:"contents"`
		Below    *int   `json:"candidates_below_threshold,omitempty"`

		NothingFits bool     `json:"nothing_fits,omitempty"`
		Warnings    []string `json:"warnings,omitempty"`
	}{d.uri, u.String(), jsonMIME, list.entries, list.below, list.nothingFits, p.warnings})
	if err != nil {
		return "", fmt.Errorf("encoding a resource: %w", err)
	}
	return string(text), nil
}

// parameterNames are the names in the template.
func (d resourceDocument) parameterNames() []string {
	_, list, _ := strings.Cut(strings.TrimSuffix(d.template, "}"), "{?")
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

type insightItem struct {
	ID            int64           `json:"id"`
	Content       string          `json:"content"`
	FidelityScore float64         `json:"fidelity_score"`
	CreatedAt     string          `json:"created_at"`
	SourceIDs     []int64         `json:"source_ids"`
	Metadata      json.RawMessage `json:"metadata"`
	Score         *float64        `json:"score,omitempty"`
	Relevance     *float64        `json:"relevance,omitempty"`  // of the query, as in hybrid_search
	Superseded    bool            `json:"superseded,omitempty"` // superseded or deleted
}

func (f *family) readInsights(ctx context.Context, p *params) (listing, error) {
	topK := p.parseCount("top_k", 50, maxTopK)
	filter := memory.Filter{FidelityMin: p.parseNumber("fidelity_min", 0, 1)}
	filter.CreatedAfter, filter.CreatedBefore = p.parseCreatedRange()
	filter.IncludeRetired = p.parseBoolean("include_superseded")
	if p.fault != nil {
		return listing{}, p.fault
	}
	if query := p.trimmedText("query"); query != "" {
		return f.searchInsights(ctx, p, Query{Text: query, TopK: topK, Filter: filter})
	}
	rows, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]memory.Insight, error) {
		newest := memory.InsightFilter{From: filter.CreatedAfter, To: filter.CreatedBefore, IncludeRetired: filter.IncludeRetired, Limit: topK}
		if filter.FidelityMin != nil {
			newest.FidelityMin = *filter.FidelityMin
		}
		return memory.In(tx).Insights(newest)
	})
	return listing{entries: describeInsights(rows, nil)}, err
}

// searchInsights ranks as hybrid_search does.
func (f *family) searchInsights(ctx context.Context, p *params, q Query) (listing, error) {
	q.Weights, q.Sources = search.DefaultWeights, []memory.Source{memory.SourceInsight}
	var rows []memory.Insight
	hits := map[int64]Hit{}
	found, err := f.Search.Search(ctx, q, func(tx *store.Tx, found Found) (err error) {
		ids := make([]int64, len(found.Hits))
		for i, hit := range found.Hits {
			ids[i], hits[hit.Row.ID] = hit.Row.ID, hit
		}
		rows, err = memory.In(tx).InsightsByID(ids)
		return err
	})
	p.addWarnings(found.Note)
	p.addWarnings(found.explainPoorMatch())
	return listing{entries: describeInsights(rows, hits), nothingFits: found.bestHit().Relevance < search.PoorMatch}, err
}

func describeInsights(rows []memory.Insight, hits map[int64]Hit) []insightItem {
	list := make([]insightItem, 0, len(rows))
	for _, i := range rows {
		item := insightItem{
			ID: i.ID, Content: i.Content, FidelityScore: i.Fidelity, CreatedAt: formatTimestamp(i.Created),
			SourceIDs: i.SourceIDs, Metadata: i.Metadata, Superseded: !i.IsCurrent(),
		}
		if hit, ok := hits[i.ID]; ok {
			relevance := round4(hit.Relevance)
			item.Score, item.Relevance = &hit.Score, &relevance
		}
		list = append(list, item)
	}
	return list
}

type workingEntry struct {
	ID           int64   `json:"id"`
	Content      string  `json:"content"`
	Importance   float64 `json:"importance"`
	LastAccessed string  `json:"last_accessed"`
	CreatedAt    string  `json:"created_at"`
}

func (f *family) readWorkingItems(ctx context.Context, _ *params) (listing, error) {
	items, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]memory.WorkingItem, error) { return memory.In(tx).WorkingItems() })
	entries := make([]workingEntry, len(items))
	for i, w := range items {
		entries[i] = workingEntry{w.ID, w.Content, w.Importance, formatTimestamp(w.LastAccessed), formatTimestamp(w.Created)}
	}
	return listing{entries: entries}, err
}

type episodeEntry struct {
	ID         int64    `json:"id"`
	Query      string   `json:"query"`
	Reward     float64  `json:"reward"`
	Reflection string   `json:"reflection"`
	Similarity *float64 `json:"similarity,omitempty"` // to the query
	Relevance  *float64 `json:"relevance,omitempty"`  // of the query, as in hybrid_search
	CreatedAt  string   `json:"created_at"`
}

func (f *family) readEpisodes(ctx context.Context, p *params) (listing, error) {
	topK := p.parseCount("top_k", defaultTopK, maxTopK)
	threshold := p.parseNumber("min_similarity", 0, 1)
	filter := memory.Filter{RewardMin: p.parseNumber("reward_min", -1, 1), CreatedAfter: p.parseDaysBack(f.Store.Now(), 30)}
	if p.fault != nil {
		return listing{}, p.fault
	}
	query := p.trimmedText("query")
	if query == "" {
		if threshold != nil {
			p.addWarnings("min_similarity does not restrict without a query; these are the newest episodes")
		}
		return f.listNewestEpisodes(ctx, filter, topK)
	}
	minimum := 0.5
	if threshold != nil {
		minimum = *threshold
	}
	found, err := f.Search.Search(ctx, Query{Text: query, TopK: maxCandidates, Weights: search.DefaultWeights, Sources: []memory.Source{memory.SourceEpisode}, Filter: filter})
	if err != nil {
		return listing{}, err
	}
	p.addWarnings(found.Note)
	return p.filterSimilarEpisodes(found.Hits, minimum, topK), nil
}

func (f *family) listNewestEpisodes(ctx context.Context, filter memory.Filter, limit int) (listing, error) {
	newest := memory.EpisodeFilter{From: filter.CreatedAfter, RewardMin: -1, Limit: limit}
	if filter.RewardMin != nil {
		newest.RewardMin = *filter.RewardMin
	}
	rows, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]memory.Episode, error) { return memory.In(tx).Episodes(newest) })
	entries := make([]episodeEntry, len(rows))
	for i, e := range rows {
		entries[i] = episodeEntry{ID: e.ID, Query: e.Query, Reward: e.Reward, Reflection: e.Reflection, CreatedAt: formatTimestamp(e.Created)}
	}
	return listing{entries: entries}, err
}

// filterSimilarEpisodes keeps the hits that are similar enough, the most similar first. Where there are
// no vectors, the similarity is the share of the query's information that an episode answers by its words.
func (p *params) filterSimilarEpisodes(hits []Hit, minimum float64, topK int) listing {
	for i := range hits {
		if hits[i].Similarity == nil {
			hits[i].Similarity = &hits[i].Relevance
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(*b.Similarity, *a.Similarity), b.Row.At.Compare(a.Row.At), cmp.Compare(a.Row.ID, b.Row.ID))
	})
	list, below := []episodeEntry{}, 0
	var kept Found
	for _, hit := range hits {
		similarity := *hit.Similarity
		switch {
		case similarity < minimum:
			below++
		case len(list) < topK:
			row, relevance := hit.Row, round4(hit.Relevance)
			kept.Hits = append(kept.Hits, hit)
			list = append(list, episodeEntry{row.ID, row.Query, row.Reward, row.Reflection, &similarity, &relevance, formatTimestamp(row.At)})
		}
	}
	p.addWarnings(kept.explainPoorMatch())
	return listing{entries: list, below: &below, nothingFits: kept.bestHit().Relevance < search.PoorMatch}
}

type dialogueEntry struct {
	ID        int64           `json:"id"`
	SessionID string          `json:"session_id"`
	Speaker   string          `json:"speaker"`
	Content   string          `json:"content"`
	Timestamp string          `json:"timestamp"`
	Metadata  json.RawMessage `json:"metadata"`
}

func (f *family) readDialogue(ctx context.Context, p *params) (listing, error) {
	filter := memory.DialogueFilter{SessionID: p.rawText("session_id"), Speaker: p.rawText("speaker")}
	filter.From, filter.To = p.parseDateRange("date_range")
	filter.Limit = p.parseCount("limit", 100, maxListed)
	filter.Oldest = p.parseEnum("order", "asc", "desc") == "asc"
	if p.fault != nil {
		return listing{}, p.fault
	}
	rows, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]memory.Dialogue, error) {
		faults, err := describeUnmatchedFilters(memory.In(tx), memory.Filter{SessionID: filter.SessionID, Speaker: filter.Speaker}, memory.SourceDialogue)
		if err != nil {
			return nil, err
		}
		p.addWarnings(faults...)
		return memory.In(tx).Dialogues(filter)
	})
	entries := make([]dialogueEntry, len(rows))
	for i, d := range rows {
		entries[i] = dialogueEntry{d.ID, d.SessionID, d.Speaker, d.Content, formatTimestamp(d.At), d.Metadata}
	}
	return listing{entries: entries}, err
}

type staleEntry struct {
	ID              int64   `json:"id"`
	OriginalContent string  `json:"original_content"`
	Importance      float64 `json:"importance"`
	Reason          string  `json:"reason"`
	ArchivedAt      string  `json:"archived_at"`
}

func (f *family) readEvictedAndArchived(ctx context.Context, p *params) (listing, error) {
	filter := memory.StaleFilter{Reason: p.parseEnum("reason", reasonEvicted, reasonArchived), From: p.parseDaysBack(f.Store.Now(), 30)}
	if minimum := p.parseNumber("importance_min", 0, 1); minimum != nil {
		filter.ImportanceMin = *minimum
	}
	filter.Limit = p.parseCount("limit", 50, maxListed)
	if p.fault != nil {
		return listing{}, p.fault
	}
	rows, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]memory.StaleItem, error) { return memory.In(tx).StaleItems(filter) })
	entries := make([]staleEntry, len(rows))
	for i, s := range rows {
		entries[i] = staleEntry{s.ID, s.Content, s.Importance, s.Reason, formatTimestamp(s.Archived)}
	}
	return listing{entries: entries}, err
}
