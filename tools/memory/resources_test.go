package memory

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"
	"time"

	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/tools"
)

func TestFiveResourcesAreListedEachAlsoAsATemplate(t *testing.T) {
	b := newBench(t)
	want := []string{"memory://l2-insights", "memory://working-memory", "memory://episode-memory", "memory://l0-raw", "memory://stale-memory"}
	if len(b.family.Resources) != 5 || len(b.family.Templates) != 5 {
		t.Fatalf("%d resources, %d templates", len(b.family.Resources), len(b.family.Templates))
	}
	for i, uri := range want {
		r, template := b.family.Resources[i], b.family.Templates[i]
		if r.URI != uri || r.MIMEType != "application/json" || r.Description == "" || len(r.Topics) != 1 || r.Permission != "memory:read" {
			t.Errorf("resource %d is %+v", i, r)
		}
		if !strings.HasPrefix(template.URITemplate, uri) || template.Read != nil {
			t.Errorf("template %d is %+v", i, template)
		}
	}
}

func TestAResourceIsTheDocumentedObject(t *testing.T) {
	b := newBench(t)
	for _, address := range []string{insightsURI, workingURI, dialogueURI + "?limit=5&session_id=conv-001", staleURI, episodesURI + "?query=memory+consistency&top_k=3"} {
		object, err := b.read(address)
		if err != nil {
			t.Fatal(err)
		}
		bare, _, _ := strings.Cut(address, "?")
		list, ok := object["contents"].([]any)
		if object["resource"] != bare || object["uri"] != address || object["mimeType"] != "application/json" || !ok || len(list) != 0 {
			t.Errorf("%s is %v", address, object)
		}
	}
}

// fill stores what the tables below read.
func fill(t *testing.T) *bench {
	b := newBench(t)
	say := func(session, speaker, date, content string) {
		b.Call(dialogueName, args{"session_id": session, "speaker": speaker, "content": content, "metadata": args{"date": date}})
	}
	say("s 1", "Anna", "2026-01-10T00:00:00Z", "first")  // 1
	say("s 1", "Ben", "2026-01-12T23:59:59Z", "second")  // 2
	say("s;2", "Anna", "2026-01-13T00:00:00Z", "third")  // 3
	say("s;2", "Jörg", "2026-01-11T12:00:00Z", "fourth") // 4: stored last, said before 2
	for i, content := range []string{"green matcha from Uji", "it is so", "green paint: \"quick\" drying", "Grüner Tee 100% C# basics"} {
		b.Clock.Set(noon.AddDate(0, 0, -10+i)) // 2026-01-05 to 08
		b.insight(content)
	}
	b.Clock.Set(noon)
	return b
}

func TestInsightsResource(t *testing.T) {
	b := fill(t)
	tests := map[string]string{ // query string to ids in order
		"":                          "4 3 2 1",
		"top_k=2":                   "4 3",
		"top_k=0":                   "4",
		"top_k=-7":                  "4",
		"top_k=100000":              "4 3 2 1",
		"fidelity_min=0.5":          "4 3 1",
		"created_after=2026-01-07":  "4 3",
		"created_before=2026-01-07": "2 1",
		"created_after=2026-01-06&created_before=2026-01-07": "2",
		"created_after=2026-01-08T12:00:00Z":                 "4",
		"created_after=2026-01-08T12:00:00%2B00:00":          "4",
		"query=":              "4 3 2 1",
		"query=green":         "3 1",
		"query=green&top_k=1": "3",
		"top_k=1&query=green": "3",
		"query=green&created_before=2026-01-06&top_k=1": "1",
		"query=green&created_after=2026-01-06":          "3",
		"query=green&fidelity_min=0.99":                 "3",
		"query=green+matcha":                            "1 3",
		"query=green%20matcha":                          "1 3",
		"query=green matcha":                            "1 3",
		"query=Grüner":                                  "4",
		"query=Gr%C3%BCner":                             "4",
		"query=%22quick%22":                             "3",
		"query=\"quick\"":                               "3",
		"query=paint:":                                  "3",
		"query=nothing;basics":                          "4",
		"query=C# basics":                               "4",
		"query=100%25":                                  "4",
		"query=absent":                                  "",
		"unknown=1&top_k=1":                             "4",
	}
	b.shows(insightsURI, tests)
	entry := b.contents(insightsURI + "?query=green")[0]
	if entry["score"] == nil || entry["fidelity_score"] == nil || entry["created_at"] != "2026-01-07T12:00:00Z" || entry["metadata"] == nil {
		t.Errorf("the entry is %v", entry)
	}
}

func TestDialogueResource(t *testing.T) {
	b := fill(t)
	tests := map[string]string{
		"":                                   "3 2 4 1",
		"order=desc":                         "3 2 4 1",
		"order=asc":                          "1 4 2 3",
		"limit=2":                            "3 2",
		"limit=0":                            "3",
		"limit=99999":                        "3 2 4 1",
		"session_id=s+1":                     "2 1",
		"session_id=s%201&order=asc":         "1 2",
		"session_id=s;2":                     "3 4",
		"session_id=s%3B2&speaker=Anna":      "3",
		"speaker=Jörg":                       "4",
		"speaker=anna":                       "",
		"date_range=2026-01-10,2026-01-12":   "2 4 1",
		"date_range=2026-01-10%2C2026-01-10": "1",
		"date_range=2026-01-13,2026-01-13":   "3",
		"date_range=2026-01-14,2027-01-01":   "",
		"date_range=2026-01-10, 2026-01-11":  "4 1",
		"speaker=Anna&date_range=2026-01-10,2026-01-12&limit=1": "1",
	}
	b.shows(dialogueURI, tests)
}

// rememberEpisodes stores four episodes of the last forty days. Two texts are as similar as the
// cosine of their words says.
func rememberEpisodes(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, searchWith(t, toolstest.WordCounts{}))
	keep := func(daysAgo int, reward float64, query string) {
		b.Clock.Set(noon.AddDate(0, 0, -daysAgo))
		b.Call(episodeName, args{"query": query, "reward": reward, "reflection": "Problem: a. Lesson: b."})
	}
	keep(40, 1, "green tea")                // 1: too old
	keep(10, -1, "green tea")               // 2
	keep(5, 0.8, "green tea shop Lisbon")   // 3: 2/sqrt(2·4)
	keep(1, 0.9, "green grass sky sea sun") // 4: 1/sqrt(2·5) is below
	b.Clock.Set(noon)
	b.refresh()
	return b
}

func TestEpisodesResource(t *testing.T) {
	b := rememberEpisodes(t)
	tests := map[string]struct {
		ids   string
		below float64
	}{
		"query=green+tea":                                   {"2 3", 1},
		"query=green+tea&top_k=1":                           {"2", 1},
		"query=green+tea&days_back=0":                       {"2 1 3", 1},
		"query=green+tea&days_back=7":                       {"3", 1},
		"query=green+tea&days_back=999999999":               {"2 1 3", 1},
		"query=green+tea&min_similarity=0":                  {"2 3 4", 0},
		"query=green+tea&min_similarity=0.8":                {"2", 2},
		"query=green+tea&reward_min=0":                      {"3", 1},
		"query=green+tea&reward_min=-1&min_similarity=0.99": {"2", 2},
		"query=coffee":                                      {"", 0},
	}
	for query, want := range tests {
		object, err := b.read(episodesURI + "?" + query)
		if err != nil {
			t.Fatal(err)
		}
		if got := values(b.contents(episodesURI+"?"+query), "id"); got != want.ids || object["candidates_below_threshold"] != want.below {
			t.Errorf("%q shows %s, %v below; want %s, %v", query, got, object["candidates_below_threshold"], want.ids, want.below)
		}
	}
	entry := b.contents(episodesURI + "?query=green+tea")[0]
	if similarity := entry["similarity"].(float64); math.Abs(similarity-1) > 1e-9 {
		t.Errorf("the similarity is %v", similarity)
	}
	delete(entry, "similarity")
	want := "map[created_at:2026-01-05T12:00:00Z id:2 query:green tea reflection:Problem: a. Lesson: b. relevance:1 reward:-1]"
	if fmt.Sprint(entry) != want {
		t.Errorf("the entry is %v", entry)
	}
}

func TestEpisodesWithoutAQueryAreTheNewest(t *testing.T) {
	b := rememberEpisodes(t)
	tests := map[string]string{
		"":                    "4 3 2",
		"query=":              "4 3 2",
		"query=+&top_k=1":     "4",
		"days_back=0":         "4 3 2 1",
		"reward_min=0":        "4 3",
		"min_similarity=0.99": "4 3 2",
	}
	b.shows(episodesURI, tests)
	entry := b.contents(episodesURI)[0]
	if entry["query"] == "" || entry["reward"] == nil || entry["reflection"] == "" || entry["similarity"] != nil {
		t.Errorf("the entry is %v", entry)
	}
}

func TestParametersThatDoNotCountAreWarnedAbout(t *testing.T) {
	b := fill(t)
	b.episode("green tea", "Problem: a. Lesson: b.")
	tests := map[string]string{ // address to a part of its one warning; empty: none
		insightsURI + "?top_k=500":                                 "top_k is 500, but must be from 1 to 100; 100 counts",
		dialogueURI + "?limit=0":                                   "limit is 0, but must be from 1 to 1000; 1 counts",
		dialogueURI + "?limit=1000":                                "",
		dialogueURI + "?session_id=&speaker=":                      "",
		dialogueURI + "?colour=red":                                `"colour" is unknown and was ignored; this document takes session_id,`,
		dialogueURI + "?session_id=S+1":                            `no dialogue has the session "S 1"; there is "s 1"`,
		dialogueURI + "?speaker=Zoe":                               `no dialogue has the speaker "Zoe"; there are Anna, Ben`,
		dialogueURI + "?speaker=Anna":                              "",
		dialogueURI + "?speaker=Anna&speaker=Ben":                  "speaker is given more than once",
		workingURI + "?limit=3":                                    "this document takes no parameters",
		episodesURI + "?min_similarity=0.9":                        "min_similarity does not restrict without a query",
		insightsURI + "?query=green+locomotive+timetable":          "nothing fits the question well",
		insightsURI + "?query=green":                               "",
		episodesURI + "?query=green+tea":                           "",
		episodesURI + "?query=green+cheese+fair&min_similarity=.1": "nothing fits the question well",
	}
	for address, want := range tests {
		object, err := b.read(address)
		if err != nil {
			t.Fatal(err)
		}
		warnings, _ := object["warnings"].([]any)
		if (want == "") != (len(warnings) == 0) || len(warnings) > 1 || want != "" && !strings.Contains(fmt.Sprint(warnings[0]), want) {
			t.Errorf("%s warns %v, want %q", address, warnings, want)
		}
	}
}

func TestStaleResource(t *testing.T) {
	b := newBench(t)
	leave := func(daysAgo int, importance float64) {
		b.Clock.Set(noon.AddDate(0, 0, -daysAgo))
		added, _, _ := b.add("item", importance)
		b.Call(archiveName, args{"id": added})
	}
	leave(40, 0.5) // 1
	leave(5, 0.9)  // 2
	b.Clock.Set(noon.Add(-time.Hour))
	for range 11 {
		b.add("item", 0.3) // the eleventh evicts one: 3
	}
	b.Clock.Set(noon)
	tests := map[string]string{
		"":                                       "3 2",
		"days_back=0":                            "3 2 1",
		"days_back=1":                            "3",
		"reason=LRU_EVICTION":                    "3",
		"reason=MANUAL_ARCHIVE":                  "2",
		"reason=MANUAL_ARCHIVE&days_back=0":      "2 1",
		"importance_min=0.5&days_back=0":         "2 1",
		"limit=1":                                "3",
		"limit=1&days_back=0&importance_min=0.6": "2",
	}
	b.shows(staleURI, tests)
}

func TestBadParametersAreInvalid(t *testing.T) {
	b := fill(t)
	tests := map[string]string{ // address to the beginning of the message
		insightsURI + "?top_k=ten":                                   "Invalid top_k parameter",
		insightsURI + "?top_k=5.5":                                   "Invalid top_k parameter",
		insightsURI + "?top_k=99999999999999999999":                  "Invalid top_k parameter",
		insightsURI + "?fidelity_min=high":                           "Invalid fidelity_min parameter",
		insightsURI + "?fidelity_min=1.1":                            "Invalid fidelity_min parameter",
		insightsURI + "?fidelity_min=NaN":                            "Invalid fidelity_min parameter",
		insightsURI + "?created_after=01/02/2026":                    "Invalid created_after parameter",
		insightsURI + "?created_before=2026-02-30":                   "Invalid created_before parameter",
		insightsURI + "?include_superseded=perhaps":                  "Invalid include_superseded parameter",
		insightsURI + "?query=100%zz":                                "Invalid query string",
		episodesURI + "?query=x&top_k=a":                             "Invalid top_k parameter",
		episodesURI + "?query=x&min_similarity=2":                    "Invalid min_similarity parameter",
		episodesURI + "?query=x&reward_min=-2":                       "Invalid reward_min parameter",
		episodesURI + "?query=x&days_back=-1":                        "Invalid days_back parameter",
		episodesURI + "?query=x&days_back=week":                      "Invalid days_back parameter",
		dialogueURI + "?limit=all":                                   "Invalid limit parameter",
		dialogueURI + "?order=newest":                                "Invalid order parameter",
		dialogueURI + "?date_range=2026-01-10":                       "Invalid date_range parameter",
		dialogueURI + "?date_range=2026-01-12,2026-01-10":            "Invalid date_range parameter",
		dialogueURI + "?date_range=2026-01-10,2026-01-11,2026-01-12": "Invalid date_range parameter",
		staleURI + "?reason=OTHER":                                   "Invalid reason parameter",
		staleURI + "?importance_min=-0.1":                            "Invalid importance_min parameter",
		dialogueURI + "?session=s+1":                                 "Invalid session parameter: its name is session_id",
		dialogueURI + "?top_k=5":                                     "Invalid top_k parameter: its name is limit",
		insightsURI + "?limit=5":                                     "Invalid limit parameter: its name is top_k",
		episodesURI + "?q=tea":                                       "Invalid q parameter: its name is query",
		staleURI + "?limit=x":                                        "Invalid limit parameter",
	}
	for address, want := range tests {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		bare, _, _ := strings.Cut(address, "?")
		for _, r := range b.family.Resources {
			if r.URI != bare {
				continue
			}
			_, err := r.Read(context.Background(), u)
			var e *tools.Error
			if !errors.As(err, &e) || e.Kind != tools.Validation || !strings.HasPrefix(e.Message, want) {
				t.Errorf("%s: error is %v, want %s", address, err, want)
			}
		}
	}
}

func TestWriteAdvancesTopicsOfResource(t *testing.T) {
	b := newBench(t)
	for _, step := range []struct {
		tool string
		in   args
		want string // resources that changed
	}{
		{dialogueName, args{"session_id": "s", "speaker": "u", "content": "x"}, "l0-raw"},
		{compressName, args{"content": "x", "source_ids": []int64{}}, "l2-insights"},
		{updateName, args{"id": 1, "content": "y"}, "l2-insights"},
		{deleteName, args{"id": 2, "reason": "r"}, "l2-insights"},
		{workingName, args{"content": "x"}, "working-memory"},
		{touchName, args{"id": 1}, "working-memory"},
		{archiveName, args{"id": 1}, "working-memory stale-memory"},
		{episodeName, args{"query": "q", "reward": 0, "reflection": "r"}, "episode-memory"},
	} {
		before := b.sequences()
		b.Call(step.tool, step.in)
		after := b.sequences()
		var changed []string
		for i, r := range b.family.Resources {
			if before[i] != after[i] {
				changed = append(changed, r.Name)
			}
		}
		if got := strings.Join(changed, " "); got != step.want {
			t.Errorf("%s changes %q, want %q", step.tool, got, step.want)
		}
	}
}

// sequences are the change sequences of the resources, in their order.
func (b *bench) sequences() []int64 {
	b.T.Helper()
	list := make([]int64, len(b.family.Resources))
	for i, r := range b.family.Resources {
		var err error
		if list[i], err = b.Store.SumSequences(context.Background(), store.Topic(r.Topics[0])); err != nil {
			b.T.Fatal(err)
		}
	}
	return list
}
