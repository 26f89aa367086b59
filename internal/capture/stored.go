package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"toolkit/internal/capture/redact"
	"toolkit/internal/capture/transcripts"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/store/sessions"
)

// loadReadingPlace returns where this reader is in a session.
func (r *run) loadReadingPlace(ctx context.Context, session string) (*sessions.Place, error) {
	if p := r.places[session]; p != nil {
		return p, nil
	}
	var p sessions.Place
	if !r.fromStart {
		var err error
		if p, err = store.ReadValue(ctx, r.Store, func(tx *store.Tx) (sessions.Place, error) { return sessions.In(tx).ReadingPlace(r.reader, session) }); err != nil {
			return nil, err
		}
	}
	r.places[session] = &p
	return &p, nil
}

// loadSecrets returns the secrets that the session of a turn told, whoever read it. What a
// subagent was told is the session's.
func (r *run) loadSecrets(ctx context.Context, t transcripts.Turn) (*redact.Secrets, error) {
	session := mainSession(t)
	secrets := r.secretsBySession[session]
	if secrets == nil {
		stored, err := store.ReadValue(ctx, r.Store, func(tx *store.Tx) ([]byte, error) { return sessions.In(tx).SecretFingerprints(session) })
		if err != nil {
			return nil, err
		}
		secrets = redact.ParseSecrets(stored)
		r.secretsBySession[session] = secrets
	}
	return secrets, nil
}

func mainSession(t transcripts.Turn) string {
	session, _, _ := strings.Cut(t.Session, "/")
	return DialogueSessionID(t.Client, session)
}

// redactStoredRow takes out of a row what a turn of its session told later.
func (r *run) redactStoredRow(tx *store.Tx, t turn, row int64) error {
	rows, err := memory.In(tx).DialoguesByID([]int64{row})
	if err != nil || len(rows) == 0 {
		return err
	}
	return r.redactDialogue(tx, r.secretsBySession[mainSession(t.Turn)], rows[0])
}

// redactDialogue takes secrets out of a row, and out of what was noticed in it.
func (r *run) redactDialogue(tx *store.Tx, secrets *redact.Secrets, d memory.Dialogue) error {
	content, metadata := secrets.RemoveFrom(r.ctx, d.Content), r.redactWorkDone(secrets, d.Metadata)
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if content == d.Content && bytes.Equal(metadata, d.Metadata) {
		return nil
	}
	d.Content, d.Metadata = content, metadata
	if err := memory.In(tx).ReplaceDialogue(d); err != nil {
		return err
	}
	if _, err := r.Search.IndexRow(tx, d.Row()); err != nil {
		return err
	}
	ids, err := memory.In(tx).InsightsFrom(d.ID)
	if err != nil {
		return err
	}
	insights, err := memory.In(tx).InsightsByID(ids)
	if err != nil {
		return err
	}
	for i := range insights {
		if err := r.redactInsight(tx, secrets, &insights[i]); err != nil {
			return err
		}
	}
	return nil
}

// redactWorkDone takes secrets out of the files and commands that metadata name. Names of projects and
// branches identify, and stay.
func (r *run) redactWorkDone(secrets *redact.Secrets, metadata json.RawMessage) json.RawMessage {
	if secrets.RemoveFrom(r.ctx, string(metadata)) == string(metadata) {
		return metadata
	}
	var parts map[string]json.RawMessage
	if json.Unmarshal(metadata, &parts) != nil {
		return metadata
	}
	for _, name := range []string{"files", "commands"} {
		if clean := json.RawMessage(secrets.RemoveFrom(r.ctx, string(parts[name]))); json.Valid(clean) {
			parts[name] = clean
		}
	}
	clean, err := json.Marshal(parts)
	if err != nil {
		return metadata
	}
	return clean
}

// redactInsight takes secrets out of an insight. Without them it states nothing, and is current no more.
func (r *run) redactInsight(tx *store.Tx, secrets *redact.Secrets, i *memory.Insight) error {
	clean := secrets.RemoveFrom(r.ctx, i.Content)
	if err := r.ctx.Err(); err != nil || clean == i.Content {
		return err
	}
	if err := memory.In(tx).RewordInsight(i, clean); err != nil {
		return err
	}
	if i.IsCurrent() {
		return r.deleteInsight(tx, i)
	}
	_, err := r.Search.IndexRow(tx, i.Row())
	return err
}

// redactEarlierTurns takes the secrets of a session out of all that was stored of it before they were known.
func (r *run) redactEarlierTurns(tx *store.Tx, session string, secrets *redact.Secrets) error {
	for last := int64(0); ; {
		rows, err := memory.In(tx).DialoguesOfSession(session, last, batchTurns)
		if err != nil {
			return err
		}
		for _, d := range rows {
			if err := r.redactDialogue(tx, secrets, d); err != nil {
				return err
			}
			last = d.ID
		}
		if len(rows) < batchTurns {
			return nil
		}
	}
}

// saveSecrets notes what this reader found beside what others did meanwhile, and takes it out of what was
// stored before.
func (r *run) saveSecrets(tx *store.Tx) error {
	for session, secrets := range r.secretsBySession {
		if !secrets.HasChanged() {
			continue
		}
		others, err := sessions.In(tx).SecretFingerprints(session)
		if err != nil {
			return err
		}
		secrets.Merge(others)
		if err := sessions.In(tx).SaveSecretFingerprints(session, secrets.Encode()); err != nil {
			return err
		}
		if err := r.redactEarlierTurns(tx, session, secrets); err != nil {
			return err
		}
	}
	return nil
}

// markSecretsSaved notes that the transaction of saveSecrets was committed.
func (r *run) markSecretsSaved() {
	for _, secrets := range r.secretsBySession {
		secrets.MarkSaved()
	}
}

func (r *run) savePlacesAndSecrets(tx *store.Tx) error {
	if err := r.saveSecrets(tx); err != nil {
		return err
	}
	for session, p := range r.places {
		if err := sessions.In(tx).SaveReadingPlace(r.reader, session, *p); err != nil {
			return err
		}
	}
	return nil
}

// markOpenPrivateText marks what a turn says as private as far as an earlier one of the user
// left it open. What the assistant says meanwhile is about that.
func markOpenPrivateText(t *transcripts.Turn, p *sessions.Place) {
	const mark = "<private>"
	open := p.Private
	if t.Speaker == transcripts.User {
		p.Private = redact.IsPrivateOpen(t.Text, open)
	}
	switch {
	case !open || t.Text == "":
	case t.Speaker == transcripts.User:
		t.Text = mark + t.Text
	default:
		t.Text, t.Facts = mark, transcripts.Facts{}
	}
}

// reconcileStoredTurn reports whether a turn is stored already: under its message, by the
// parent of its session, by a hook, or by a fork that was read before.
func (r *run) reconcileStoredTurn(tx *store.Tx, t turn) (bool, error) {
	m, known, err := sessions.In(tx).FindMessage(t.key[:])
	if err != nil {
		return false, err
	}
	if known {
		return true, r.updateRowIfChanged(tx, t, m)
	}
	if row, said, err := findQueuedTurn(tx, t); err != nil || said {
		if err != nil {
			return false, err
		}
		return true, r.linkMessageToRow(tx, t, row)
	}
	if t.Fork != "" {
		row, said, err := sessions.In(tx).FindChainedTurn(t.chain, DialogueSessionID(t.Client, t.Fork))
		if err != nil {
			return false, err
		}
		if said {
			return true, r.linkMessageToRow(tx, t, row)
		}
	}
	if claimed, err := r.matchAndCompleteHookTurn(tx, t); err != nil || claimed {
		return claimed, err
	}
	if t.chain == nil {
		return false, nil
	}
	row, said, err := sessions.In(tx).FindForkTurn(t.chain, DialogueSessionID(t.Client, t.Session))
	if err != nil || !said {
		return false, err
	}
	return true, r.replaceRow(tx, t, row) // it is the parent's
}

// findQueuedTurn reports whether all that a message says was stored while it waited for
// the assistant, and in which row it begins.
func findQueuedTurn(tx *store.Tx, t turn) (row int64, stored bool, err error) {
	for i, id := range t.Queued {
		part := t.Turn
		part.ID = id
		k := messageKey(part)
		m, known, err := sessions.In(tx).FindMessage(k[:])
		if err != nil || !known {
			return 0, false, err
		}
		if i == 0 {
			row = m.Dialogue
		}
	}
	return row, len(t.Queued) > 0, nil
}

// linkMessageToRow notes under what a turn is known from now on.
func (r *run) linkMessageToRow(tx *store.Tx, t turn, row int64) error {
	if r.DryRun {
		return nil
	}
	if err := sessions.In(tx).NoteMessage(t.key[:], sessions.Message{Dialogue: row, Hash: t.fingerprint()}); err != nil {
		return err
	}
	return r.linkChainToRow(tx, t, row)
}

func (r *run) linkChainToRow(tx *store.Tx, t turn, row int64) error {
	if t.chain == nil {
		return nil
	}
	fork := ""
	if t.Fork != "" {
		fork = DialogueSessionID(t.Client, t.Fork)
	}
	return sessions.In(tx).SaveTurnChain(t.chain, DialogueSessionID(t.Client, t.Session), fork, row)
}

// updateRowIfChanged gives a row what its message says by now, unless somebody else changed it
// since. Only who reads from the beginning knows what was open before.
func (r *run) updateRowIfChanged(tx *store.Tx, t turn, m sessions.Message) error {
	if !r.fromStart || r.DryRun {
		return nil
	}
	if err := r.linkChainToRow(tx, t, m.Dialogue); err != nil || m.Dialogue == 0 || m.Hash == nil || bytes.Equal(m.Hash, t.fingerprint()) {
		return err
	}
	rows, err := memory.In(tx).DialoguesByID([]int64{m.Dialogue})
	if err != nil || len(rows) == 0 || rows[0].SessionID != DialogueSessionID(t.Client, t.Session) {
		return err
	}
	before := t
	if before.locallyRedacted = rows[0].Content; !bytes.Equal(before.fingerprint(), m.Hash) {
		return nil
	}
	return r.replaceRow(tx, t, m.Dialogue)
}

// replaceRow puts a turn in the place of what a row says.
func (r *run) replaceRow(tx *store.Tx, t turn, row int64) error {
	if r.DryRun || row == 0 {
		return r.linkMessageToRow(tx, t, row)
	}
	return r.storeTurnAndInsights(tx, t, row)
}
