package capture

import (
	"crypto/sha256"
	"encoding/json"
	"strconv"
	"strings"

	"toolkit/store"
	"toolkit/store/captures"
	"toolkit/store/memories"
	"toolkit/tools/memory/extract"
	"toolkit/tools/memory/redact"
	"toolkit/tools/memory/transcripts"
)

// extract finds in a turn of the user what is worth keeping, and settles what
// became of it. A turn that was heard is read again once its file is, since what
// was said right before may have been missing.
func (r *run) extract(tx *store.Tx, t turn, dialogue int64) error {
	if t.Speaker != transcripts.User || t.SideChain {
		return nil
	}
	session := Session(t.Client, t.Session)
	before, err := memories.In(tx).TurnBefore(session, t.At, dialogue)
	if err != nil {
		return err
	}
	scope, err := t.scope(tx)
	if err != nil {
		return err
	}
	var list []captures.Sighting
	for _, c := range extract.From(extract.Turn{Speaker: extract.User, Text: t.Text, At: t.At.Local()}, spokenBefore(before)) {
		if c.Confirmed || strings.Contains(c.Text, redact.Opening) { // somebody else's words, and no words
			continue
		}
		s, err := sighting(c, scope)
		if err != nil {
			return err
		}
		s.Dialogue, s.Session, s.At = dialogue, session, t.At
		list = append(list, s)
	}
	gone, err := captures.In(tx).ReplaceSightings(dialogue, list)
	if err != nil || len(list)+len(gone) == 0 {
		return err
	}
	for _, s := range list {
		gone = append(gone, s.Thing)
	}
	for _, thing := range gone {
		if err := settle(tx, r.Search, thing); err != nil {
			return err
		}
	}
	return nil
}

func spokenBefore(before *memories.Dialogue) []extract.Turn {
	if before == nil {
		return nil
	}
	return []extract.Turn{{Speaker: extract.Speaker(before.Speaker), Text: before.Content, At: before.At.Local()}}
}

// scope is the key under which the project of a turn was met first: it stays when
// a remote is added or changed.
func (t *turn) scope(tx *store.Tx) (string, error) {
	if t.project == nil {
		return "", nil
	}
	p, err := captures.In(tx).ProjectByKey(t.project.Keys()...)
	return p.Key, err
}

// sighting makes the keys of a candidate. What is decided, set right or told to be
// kept holds in its project; what people say of themselves and of others holds
// everywhere.
func sighting(c extract.Candidate, scope string) (s captures.Sighting, err error) {
	switch c.Kind {
	case extract.Decision, extract.Correction:
	case extract.Promise:
		scope = ""
	default:
		if !c.Explicit || c.Personal || c.Kind == extract.Fact && extract.OfPerson(c.Text) {
			scope = ""
		}
	}
	hash := func(parts ...string) []byte {
		sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
		return sum[:16]
	}
	key := func(stems string) []byte {
		if stems == "" {
			return nil
		}
		return hash(stems, scope, string(c.Matter()))
	}
	s = captures.Sighting{Thing: hash(c.Subject, c.Value, strconv.FormatBool(c.Against), scope, string(c.Kind)), Subject: key(c.Subject), Value: key(c.Given()), Replaces: key(c.Replaces), Explicit: c.Explicit}
	s.Candidate, err = json.Marshal(c)
	return s, err
}
