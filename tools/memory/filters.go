package memory

import (
	"fmt"
	"slices"
	"strings"

	"toolkit/store/memory"
)

// maxNames bounds the names that a wrong one is compared with.
const maxNames = 100

// describeUnmatchedFilters says which parts of a filter can match nothing in the sources asked,
// so that an empty result is not taken for an answer.
func describeUnmatchedFilters(tx memory.Rows, filter memory.Filter, sources ...memory.Source) ([]string, error) {
	said := []string{}
	ofDialogue := filter.SessionID != "" || filter.Speaker != "" || len(filter.Tags) > 0
	if ofDialogue && slices.Contains(sources, memory.SourceEpisode) {
		said = append(said, "session_id, speaker and tags exclude every episode: episodes have none")
	}
	if !slices.Contains(sources, memory.SourceInsight) && (filter.FidelityMin != nil || filter.IncludeRetired) {
		said = append(said, "fidelity_min and include_superseded concern insights, which were not searched; add l2 to source_types")
	}
	if !ofDialogue {
		return said, nil
	}
	for _, n := range []struct {
		what, name string
		find       func(prefix string, limit int) ([]string, error)
	}{{"session", filter.SessionID, tx.Sessions}, {"speaker", filter.Speaker, tx.Speakers}} {
		fault, err := describeUnknownName(n.what, n.name, n.find)
		if err != nil {
			return nil, err
		}
		said = append(said, fault...)
	}
	for _, tag := range filter.Tags {
		ids, err := tx.Filter(memory.SourceDialogue, memory.Filter{Tags: []string{tag}}, 1)
		if err != nil {
			return nil, err
		}
		if len(ids) == 0 {
			said = append(said, fmt.Sprintf("no dialogue has the tag %q", shortenToLine(tag)))
		}
	}
	return said, nil
}

// describeUnknownName says that nothing bears a name, and which one is probably meant:
// names are compared letter by letter.
func describeUnknownName(what, name string, find func(prefix string, limit int) ([]string, error)) ([]string, error) {
	if name == "" {
		return nil, nil
	}
	first, err := find(name, 1)
	if err != nil || slices.Contains(first, name) {
		return nil, err
	}
	known, err := find("", maxNames)
	if err != nil {
		return nil, err
	}
	fault := fmt.Sprintf("no dialogue has the %s %q", what, shortenToLine(name))
	for _, k := range known {
		if strings.EqualFold(strings.TrimSpace(k), strings.TrimSpace(name)) {
			return []string{fmt.Sprintf("%s; there is %q", fault, shortenToLine(k))}, nil
		}
	}
	if len(known) > 0 {
		fault += fmt.Sprintf("; there are %s", shortenToLine(strings.Join(known[:min(5, len(known))], ", ")))
	}
	return []string{fault}, nil
}
