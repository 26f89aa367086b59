// Package memory is the family of remembered experience, in layers: L0 is
// dialogue as it was said, L2 are insights made of it, working memory holds the
// ten things in hand, and episodes keep what was learned from how well an
// answer went.
//
// What is stored is findable: the row, its full-text entry and its vector are
// written in one transaction, and every search goes through one Search
// (searcher.go), also the daily golden test that measures it. Insights are never
// overwritten: a changed one supersedes the old, which stays in its history.
//
// Each tool has its own file with input, output, handler and definition.
// fidelity.go and provenance.go weigh insights, judge_panel.go is two judges of
// relevance, kappa.go measures their agreement, golden_metrics.go the quality of retrieval. resources.go serves the
// five memory:// documents, golden_set.go is what the command `toolkit golden`
// does.
package memory

import (
	"toolkit/store"
	"toolkit/tools"
)

// Name is the family's name.
const Name = "memory"

// Deps are what the family works with. The clock is the store's.
type Deps struct {
	Store  *store.DB
	Search *Search
	// Judges rate documents for store_dual_judge_scores; nil: offline heuristics.
	Judges *JudgePanel
	// JudgesError says why the configuration gives no panel. It is reported when
	// judges are asked for, so that everything else goes on working.
	JudgesError error
	// FidelityThreshold is the density below which an insight is stored with a
	// warning; nil: DefaultFidelityThreshold.
	FidelityThreshold *float64
	// Folder is the working folder of the one client, absolute; empty: clients work
	// elsewhere. What is remembered holds in its project.
	Folder string
}

// Permissions of the family.
const (
	mayCreate tools.Permission = "memory:create"
	mayRead   tools.Permission = "memory:read"
	mayUpdate tools.Permission = "memory:update"
	mayDelete tools.Permission = "memory:delete"
)

// version of the tools of the family, and of those that say since how far a match
// or an insight can be trusted.
const (
	version        = "1.0.0"
	qualityVersion = "1.1.0"
)

// family is the receiver of the handlers.
type family struct{ Deps }

func newFamily(d Deps) *family {
	if d.Judges == nil {
		d.Judges = NewOfflineJudgePanel("")
	}
	if d.FidelityThreshold == nil {
		usual := DefaultFidelityThreshold
		d.FidelityThreshold = &usual
	}
	return &family{d}
}

// New returns the family with its fifteen tools, and five resources.
func New(d Deps) tools.Family {
	f := newFamily(d)
	resources, templates := f.listResources()
	return tools.Family{
		Name:    Name,
		Subject: "remembered dialogue, insights and lessons",
		Dialect: formatError,
		Tools: []*tools.Definition{
			tools.Define(f.storeDialogueTool()),
			tools.Define(f.compressInsightTool()),
			tools.Define(f.hybridSearchTool()),
			tools.Define(f.addWorkingItemTool()),
			tools.Define(f.storeEpisodeTool()),
			tools.Define(f.judgeDocumentsTool()),
			tools.Define(f.runGoldenTestTool()),
			tools.Define(f.pingTool()),
			tools.Define(f.touchWorkingItemTool()),
			tools.Define(f.archiveWorkingItemTool()),
			tools.Define(f.addGroundTruthTool()),
			tools.Define(f.addGoldenQueryTool()),
			tools.Define(f.updateInsightTool()),
			tools.Define(f.deleteInsightTool()),
			tools.Define(f.insightHistoryTool()),
		},
		Resources: resources,
		Templates: templates,
	}
}
