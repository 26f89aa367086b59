package soaktest

// call is a call of a load. $token in its arguments is a word that occurs nowhere else, and
// $number one of twenty; the others are what earlier calls of the worker returned.
type call struct {
	tool      string
	arguments string
	tables    []string // one of them must hold the token once the call is acknowledged
	finds     string   // must stand in the result
}

// loads are the calls of the families. The first of each needs nothing from others. A new
// family adds its own here.
var loads = [][]call{
	{
		{"create_structural_tension_chart", `{"desiredOutcome":"Write a finished first draft of novel $token","currentReality":"Outline exists; four free mornings a week",
			"dueDate":"2030-12-31T00:00:00Z","actionSteps":["Chapter $token outlined"]}`, []string{"entities"}, ""},
		{"update_current_reality", `{"chartId":"$chart","newObservations":["Signed contract $token"]}`, []string{"observations"}, ""},
		{"add_action_step", `{"parentChartId":"$chart","actionStepTitle":"Chapter $token written","currentReality":"Outline of chapter $token"}`, []string{"entities"}, ""},
		{"create_narrative_beat", `{"parentChartId":"$chart","title":"The beat $token","act":1,"type_dramatic":"Discovery","universes":["Engineer World"],
			"description":"A page $token was finished.","prose":"One morning the page was there.","lessons":["Mornings are quiet"]}`, []string{"entities"}, ""},
		{"get_chart_progress", `{"chartId":"$chart"}`, nil, "$chart"},
	},
	{
		{"create_entities", `{"entities":[{"name":"node $token","entityType":"soak","observations":["created by the load"]},
			{"name":"neighbour $token","entityType":"soak","observations":[]}]}`, []string{"entities"}, ""},
		{"add_observations", `{"observations":[{"entityName":"node $node","contents":["later said: $token"]}]}`, []string{"observations"}, ""},
		{"create_relations", `{"relations":[{"from":"node $node","to":"neighbour $node","relationType":"$token"}]}`, []string{"relations"}, ""},
		{"search_nodes", `{"query":"$node"}`, nil, "$node"},
		{"delete_entities", `{"entityNames":["node $node","neighbour $node"]}`, nil, ""},
	},
	{
		{"store_raw_dialogue", `{"session_id":"client $number","speaker":"user","content":"Let us plan the harbour walk $token for spring."}`, []string{"l0_raw"}, ""},
		{"compress_to_l2_insight", `{"content":"The harbour walk $token happens in spring","source_ids":[$turn]}`, []string{"l2_insights"}, ""},
		{"store_episode", `{"query":"When is the harbour walk $token?","reward":0.5,"reflection":"Problem: the season was missing. Lesson: ask for it first."}`, []string{"episode_memory"}, ""},
		{"update_working_memory", `{"content":"Planning walk $token","importance":0.$number}`, []string{"working_memory", "stale_memory"}, ""}, // evicted items are archived, never lost
		{"hybrid_search", `{"query_text":"harbour walk in spring"}`, nil, ""},
	},
	{ // few customers, so that clients meet on the same entities
		{"submit_payload", `{"capability_id":"neotoma:store_invoice:v1","body":{"invoice_number":"$token","amount":$number,"vendor_name":"Acme Inc","customer_name":"Customer $number",
			"date":"2026-03-05"},"provenance":{"source_refs":[],"extracted_at":"2026-01-15T10:30:00Z","extractor_version":"soak:v1"}}`, []string{"payloads"}, ""},
		{"upload_file", `{"file_path":"$folder/$token.txt","properties":"{\"note\":\"$token\"}"}`, []string{"records"}, ""},
		{"correct_field", `{"entity_id":"$company","field":"address","value":"Harbour street $token","reason":"as on the letterhead"}`, []string{"truth_observations"}, ""},
		{"retrieve_records", `{"search":["$paper"],"search_mode":"keyword"}`, nil, "$paper"},
		{"get_entity_snapshot", `{"entity_id":"$company"}`, nil, "$company"},
	},
	{
		{"get_pocket_silence", `{"pocket_id":"cluny"}`, nil, ""},
		{"record_pocket_signal", `{"kind":"outlet","records":[{"outlet_id":"$uuid","pocket_id":"cluny","name":"$token","category":"cafe","opens_at":"08:00","closes_at":"20:00"}]}`,
			[]string{"pocket_outlets"}, ""},
	},
}
