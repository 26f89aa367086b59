package tools

// Hints tell an agent what to do with a result: the contract's agentHints. All
// fields without omitempty are always present. Build them with NewHints.
type Hints struct {
	SuggestedNextActions []Action     `json:"suggestedNextActions"`
	RelatedResources     []Resource   `json:"relatedResources"`
	Confidence           float64      `json:"confidence"` // 0..1, estimated from evidence
	SourceQuality        Quality      `json:"sourceQuality"`
	ValidityPeriod       Validity     `json:"validityPeriod"`
	ContextNeeded        []string     `json:"contextNeeded"`
	Assumptions          []string     `json:"assumptions"`
	RiskFactors          []Risk       `json:"riskFactors"`
	Dependencies         []Dependency `json:"dependencies"`
	EstimatedImpact      Impact       `json:"estimatedImpact"`
	PreferenceAlignment  []Alignment  `json:"preferenceAlignment"`

	Reasoning    string        `json:"reasoning,omitempty"`
	Warnings     []Warning     `json:"warnings,omitempty"`
	Alternatives []Alternative `json:"alternatives,omitempty"`
	Constraints  []string      `json:"constraints,omitempty"`

	evidence []Evidence // what the hints rest on
}

// Limits of the contract on the two lists that grow most easily.
const (
	maxActions   = 5
	maxResources = 5
)

// Priority orders suggested actions.
type Priority string

// Priorities and severities of the contract.
const (
	PriorityCritical Priority = "critical"
	PriorityHigh     Priority = "high"
	PriorityMedium   Priority = "medium"
	PriorityLow      Priority = "low"
)

// Quality is how reliable the data behind a result is.
type Quality string

// Source qualities: rows written by the caller or imported with provenance are
// high, values computed from rows medium, demo or stale data low.
const (
	QualityHigh    Quality = "high"
	QualityMedium  Quality = "medium"
	QualityLow     Quality = "low"
	QualityUnknown Quality = "unknown"
)

// Validity is how long hints stay useful.
type Validity string

// Validity periods of the contract.
const (
	Immediate  Validity = "immediate"
	Short      Validity = "short"
	MediumTerm Validity = "medium"
	LongTerm   Validity = "long"
	Indefinite Validity = "indefinite"
)

// Action is a suggested next call. Action is the kebab-case name of a tool and
// callable as it stands, Tool its name as it is listed, which the pipeline fills in;
// Data holds the arguments that are already known.
type Action struct {
	Action          string         `json:"action"`
	Tool            string         `json:"tool,omitempty"`
	Priority        Priority       `json:"priority"`
	Data            map[string]any `json:"data,omitempty"`
	Description     string         `json:"description,omitempty"`
	EstimatedTime   int            `json:"estimatedTime,omitempty"` // milliseconds
	Category        string         `json:"category,omitempty"`      // exploration, optimization, correction, learning
	Prerequisites   []string       `json:"prerequisites,omitempty"`
	ExpectedOutcome string         `json:"expectedOutcome,omitempty"`
	Reversible      *bool          `json:"reversible,omitempty"`
	Confidence      *float64       `json:"confidence,omitempty"`
}

// Resource is something related to the result.
type Resource struct {
	Type      string         `json:"type"`
	ID        string         `json:"id"`
	Label     string         `json:"label"`
	Relevance float64        `json:"relevance"` // 0..1
	Metadata  map[string]any `json:"metadata,omitempty"`
}

// Risk is something that may go wrong if the hints are followed.
type Risk struct {
	Type        string   `json:"type"` // performance, accuracy, cost, complexity, user-experience
	Severity    Priority `json:"severity"`
	Description string   `json:"description"`
	Probability float64  `json:"probability"` // 0..1
	Impact      float64  `json:"impact"`      // 0..1
	Mitigation  string   `json:"mitigation,omitempty"`
}

// Dependency says which suggested actions come before another.
type Dependency struct {
	Action    string   `json:"action"`
	DependsOn []string `json:"dependsOn"`
	Type      string   `json:"type"` // required, recommended, optional
	Reason    string   `json:"reason,omitempty"`
}

// Impact is what following the suggestions is worth. ROI is benefit divided by
// effort, rounded to two decimals.
type Impact struct {
	Benefit         float64  `json:"benefit"` // 0..1
	Effort          float64  `json:"effort"`  // 0..1
	ROI             float64  `json:"roi"`
	AffectedMetrics []string `json:"affectedMetrics,omitempty"`
}

// Alignment relates a suggestion to a preference of the user.
type Alignment struct {
	Action      string  `json:"action"`
	Preference  string  `json:"preference"`
	Alignment   string  `json:"alignment"` // strong, moderate, weak, neutral, conflict
	Score       float64 `json:"score"`     // -1..1
	Explanation string  `json:"explanation,omitempty"`
}

// Warning is something the caller should know about this result.
type Warning struct {
	Type         string   `json:"type"` // validation, duplicate, conflict, deprecation, performance
	Severity     Priority `json:"severity"`
	Message      string   `json:"message"`
	RelatedIDs   []string `json:"relatedIds,omitempty"`
	SuggestedFix string   `json:"suggestedFix,omitempty"`
	AutoFixable  bool     `json:"autoFixable,omitempty"`
}

// Alternative is another way that was considered.
type Alternative struct {
	Approach   string   `json:"approach"`
	Confidence float64  `json:"confidence"` // 0..1
	Reasoning  string   `json:"reasoning"`
	Pros       []string `json:"pros,omitempty"`
	Cons       []string `json:"cons,omitempty"`
}
