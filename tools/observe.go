package tools

import "time"

// CallRecord is what may be known of a finished call outside of it: who, what,
// when and how it ended, never what was asked or answered.
type CallRecord struct {
	Tool      string
	Family    string
	Category  Category
	UserID    string // may be empty
	AgentID   string
	SessionID string // may be empty
	Started   time.Time
	Duration  time.Duration
	Kind      Kind   // empty on success
	Code      string // documented error code; empty on success
	Cached    bool
}

// reportCall hands a finished call to whoever measures.
func (p *Pipeline) reportCall(s *callState, r *Response, took time.Duration) {
	if p.o.Observe == nil {
		return
	}
	seen := CallRecord{
		Tool: s.d.Name, Family: s.d.Family, Category: s.d.Category,
		UserID: s.call.UserID, AgentID: s.call.AgentID, SessionID: s.call.SessionID,
		Started: s.started, Duration: took, Cached: s.cached,
	}
	if r.Err != nil {
		seen.Kind, seen.Code = r.Err.Kind, r.code
	}
	p.o.Observe(seen)
}
