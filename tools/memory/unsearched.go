package memory

import (
	"slices"
	"strings"

	"toolkit/store/memory"
)

var everySource = []memory.Source{memory.SourceInsight, memory.SourceEpisode, memory.SourceDialogue}

// findUnsearchedSources returns those that hold something beside those searched: without
// them nobody can say that a thing is not remembered.
func findUnsearchedSources(tx memory.Rows, searched []memory.Source) ([]memory.Source, error) {
	counts, err := tx.CountIndexed()
	list := slices.DeleteFunc(slices.Clone(everySource), func(s memory.Source) bool {
		return counts[s] == 0 || slices.Contains(searched, s)
	})
	return list, err
}

// joinSourceNames lists sources as a reader calls them.
func joinSourceNames(sources []memory.Source) string {
	var names []string
	for i, name := range []string{"insights", "episodes", "dialogue"} {
		if slices.Contains(sources, everySource[i]) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// argumentsForAllSources are the arguments of the same search in every source. The embedding is
// left out: it can be made again.
func (in hybridInput) argumentsForAllSources() map[string]any {
	arguments := map[string]any{"query_text": in.QueryText, "source_types": everySource}
	for key, value := range map[string]string{
		"session_id": in.SessionID, "speaker": in.Speaker, "created_after": in.CreatedAfter, "created_before": in.CreatedBefore,
	} {
		if value != "" {
			arguments[key] = value
		}
	}
	if len(in.Tags) > 0 {
		arguments["tags"] = in.Tags
	}
	return arguments
}
