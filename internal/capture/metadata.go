package capture

import (
	"encoding/json"
	"time"

	"toolkit/internal/capture/transcripts"
)

// facts are the metadata of captured dialogue.
type facts struct {
	Date      string             `json:"date"`
	Client    transcripts.Client `json:"client"`
	Message   string             `json:"message,omitempty"` // missing while only a hook heard it
	Parent    string             `json:"parent,omitempty"`
	Project   string             `json:"project,omitempty"`
	Branch    string             `json:"branch,omitempty"`
	SideChain bool               `json:"side_chain,omitempty"`
	Files     []string           `json:"files,omitempty"`    // changed before it was said
	Commands  []string           `json:"commands,omitempty"` // run before it was said
}

func (t *turn) encodeMetadata() (json.RawMessage, error) {
	return json.Marshal(facts{
		Date: t.At.Format(time.RFC3339), Client: t.Client, Message: t.ID, Parent: t.Parent, Project: t.projectName(), Branch: t.Branch, SideChain: t.SideChain,
		Files: t.Files, Commands: t.Commands,
	})
}

func (t *turn) projectName() string {
	if t.project == nil {
		return ""
	}
	return t.project.Name
}
