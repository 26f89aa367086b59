package telemetry

import "slices"

// Kind is how a metric behaves and which aggregations fit it.
type Kind string

// Kinds of metrics, as Prometheus knows them.
const (
	Histogram Kind = "histogram"
	Counter   Kind = "counter"
	Gauge     Kind = "gauge"
)

// Metric is an entry of the catalog.
type Metric struct {
	Name        string
	Kind        Kind
	Unit        string
	Description string
	Labels      []string

	tools  []string // calls of these tools; nil: of all
	status string   // calls that ended so; "": in any way
	cached bool     // only calls answered from the cache
	rate   bool     // the share of calls that failed
}

// CountsCalls reports whether the metric is made of calls rather than of readings.
func (m *Metric) CountsCalls() bool { return m.Kind != Gauge || m.rate }

// IsErrorShare reports whether the metric is the share of calls that failed.
func (m *Metric) IsErrorShare() bool { return m.rate }

// Groups of tools by what they do for the user.
var (
	uploadTools     = []string{"upload_file", "submit_payload", "store_record"}
	extractionTools = []string{"upload_file", "submit_payload"}
	searchTools     = []string{"retrieve_records", "find_entities", "hybrid_search", "search_nodes"}
	entityTools     = []string{"get_entity_snapshot", "find_entities", "list_observations", "get_field_provenance"}
	timelineTools   = []string{"list_timeline_events"}
)

// Names of the gauges.
const (
	orphanNodes = "neotoma_graph_orphan_nodes_total"
	errorRate   = "neotoma_mcp_error_rate"
	poolUsage   = "neotoma_db_connection_pool_usage"
	sizeBytes   = "toolkit_db_size_bytes"
	memoryBytes = "toolkit_process_memory_bytes"
	dropped     = "toolkit_telemetry_dropped_calls"
)

var catalog = []Metric{
	{Name: "neotoma_record_upload_duration_ms", Kind: Histogram, Unit: "ms", Description: "Duration of calls that bring a record in: upload_file, submit_payload, store_record", Labels: []string{"status", "tool"}, tools: uploadTools},
	{Name: "neotoma_record_upload_total", Kind: Counter, Unit: "count", Description: "Calls that bring a record in: upload_file, submit_payload, store_record", Labels: []string{"status", "tool"}, tools: uploadTools},
	{Name: "neotoma_search_duration_ms", Kind: Histogram, Unit: "ms", Description: "Duration of searches: retrieve_records, find_entities, hybrid_search, search_nodes", Labels: []string{"status", "tool"}, tools: searchTools},
	{Name: "neotoma_extraction_errors_total", Kind: Counter, Unit: "count", Description: "Failed calls of the tools that extract facts: upload_file, submit_payload", Labels: []string{"error_code", "tool"}, tools: extractionTools, status: "error"},
	{Name: errorRate, Kind: Gauge, Unit: "ratio", Description: "Share of calls that failed, of all tools", rate: true},
	{Name: orphanNodes, Kind: Gauge, Unit: "count", Description: "Nodes without any relation, of the knowledge graph and of the entities of documents"},
	{Name: poolUsage, Kind: Gauge, Unit: "ratio", Description: "Share of the database's read connections in use, at its peak between readings"},
	{Name: "toolkit_tool_duration_ms", Kind: Histogram, Unit: "ms", Description: "Duration of calls of any tool", Labels: []string{"status", "tool"}},
	{Name: "toolkit_tool_calls_total", Kind: Counter, Unit: "count", Description: "Calls of any tool", Labels: []string{"error_code", "status", "tool"}},
	{Name: "toolkit_tool_cache_hits_total", Kind: Counter, Unit: "count", Description: "Calls answered from the cache", Labels: []string{"tool"}, cached: true},
	{Name: sizeBytes, Kind: Gauge, Unit: "bytes", Description: "Size of the database without free pages"},
	{Name: memoryBytes, Kind: Gauge, Unit: "bytes", Description: "Memory in use by objects of the serving process"},
	{Name: dropped, Kind: Gauge, Unit: "count", Description: "Calls of the serving process that were not recorded because the database did not keep up"},
}

// Catalog lists all metrics in order.
func Catalog() []Metric { return slices.Clone(catalog) }

// FindMetric finds a metric by name, else nil.
func FindMetric(name string) *Metric {
	for i := range catalog {
		if catalog[i].Name == name {
			return &catalog[i]
		}
	}
	return nil
}
