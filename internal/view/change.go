package view

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"toolkit/store"
	"toolkit/tools"
)

const maxChangeBytes = 1 << 20

// codeStale tells the page that a thing is no longer what the form showed.
const codeStale = "STALE"

var errStale = tools.Refused(codeStale, "", "unchanged", "This was changed meanwhile, here or by an assistant. Nothing was written. Look at it as it is now, and change it then if it is still wrong.")

// toolCall is a call of a tool.
type toolCall struct {
	tool      string
	arguments arguments
}

type changeRequest struct {
	Token string `json:"token"`
	formInput
}

// changed is what a change answers.
type changed struct {
	Undo   string          `json:"undo,omitempty"` // token of the way back; none: it is for good, or nothing changed
	Said   string          `json:"said"`
	Result json.RawMessage `json:"result"`
}

// submitForm sends a form.
func (s *Server) submitForm(ctx context.Context, r *request) (any, error) {
	var in changeRequest
	if err := r.decode(&in); err != nil {
		return nil, err
	}
	f, known := s.changes.takeForm(in.Token)
	if !known {
		return nil, &apiError{Status: http.StatusConflict, Message: "This form was sent already, or is too old. Nothing was written. Open it again.", Code: codeStale}
	}
	move := f.action.call(f.target, in.formInput, f.before)
	if move.tool == "" {
		return nil, badRequest("Nothing would change.")
	}
	result, err := s.callWritingTool(ctx, move, f.action.stateReader.checkUnchanged(f.target, f.shown))
	if err != nil {
		return nil, err
	}
	out := changed{Result: result, Said: f.action.label + ": " + f.before.name}
	if in.Text != "" && f.before.name != "" && tools.ShortenForMessage(in.Text) != f.before.name {
		out.Said += " → " + tools.ShortenForMessage(in.Text)
	}
	if f.action.undo == nil {
		return out, nil
	}
	back := f.action.undo(f.target, in.formInput, f.before, result)
	if back.tool == "" {
		return out, nil
	}
	back.label = out.Said
	if back.shown, err = s.readState(ctx, back); err != nil {
		return nil, err
	}
	if err := s.dropReversalsAfterForgetting(ctx); err != nil { // the earlier ones, and remembers what was forgotten before this one
		return nil, err
	}
	out.Undo = s.changes.storeReversal(back)
	return out, nil
}

// checkUnchanged checks, within a write, that a thing is as it was shown.
func (look stateReader) checkUnchanged(t target, shown []byte) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		_, now, err := look.readAndEncode(tx, t)
		var apiErr *apiError
		if errors.As(err, &apiErr) || err == nil && !bytes.Equal(now, shown) {
			return errStale
		}
		return err
	}
}

// callWritingTool calls a tool that writes by the same road as an assistant's call.
func (s *Server) callWritingTool(ctx context.Context, m toolCall, check func(*store.Tx) error) (json.RawMessage, error) {
	// A page that is closed does not stop what it asked for.
	ctx = store.WithGuard(context.WithoutCancel(ctx), check)
	r, err := callWith(ctx, s.o.Writer, m.tool, m.arguments)
	if err != nil {
		return nil, err
	}
	if r.Err != nil && r.Err.Code == codeStale {
		return nil, &apiError{Status: http.StatusConflict, Message: r.Err.Message, Code: codeStale}
	}
	if r.IsError {
		return nil, convertToolError(r.Err)
	}
	return r.Data, nil
}

// request is one that may change something.
type request struct{ body []byte }

// decode reads the JSON of a request; what the page does not send is refused.
func (r *request) decode(into any) error {
	d := json.NewDecoder(bytes.NewReader(r.body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return badRequest("The page sent something that cannot be read. Reload it and try again.")
	}
	return nil
}

// newChangeHandler answers a request that may change something.
func (s *Server) newChangeHandler(f func(context.Context, *request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || kind != "application/json" {
			writeError(w, &apiError{Status: http.StatusUnsupportedMediaType, Message: "Changes are sent as JSON."})
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxChangeBytes))
		if err != nil {
			writeError(w, &apiError{Status: http.StatusRequestEntityTooLarge, Message: "This is too long. Nothing was written."})
			return
		}
		s.newJSONHandler(func(ctx context.Context, _ *query) (any, error) { return f(ctx, &request{body}) })(w, r)
	}
}
