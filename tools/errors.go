package tools

import (
	"errors"
	"fmt"
	"strings"
)

// Kind distinguishes whose problem an error is.
type Kind string

// Kinds of the contract.
const (
	Validation Kind = "validation" // the input is wrong
	Business   Kind = "business"   // a rule of the domain forbids it
	System     Kind = "system"     // the machine failed
)

// Codes that the pipeline itself reports. Families print them in their own
// words through their Dialect.
const (
	CodeMissing     = "missing"      // a required field is absent or null
	CodeInvalid     = "invalid"      // wrong type, length, enum or range
	CodeFormat      = "format"       // a pattern or format is not met
	CodePermission  = "permission"   // the tool is not granted
	CodeRateLimited = "rate_limited" // too many calls
	CodeTimeout     = "timeout"      // the call took too long
	CodeCancelled   = "cancelled"    // the caller gave up
	CodeBusy        = "busy"         // another process holds the database
	CodeStorage     = "storage"      // the disk or the file failed
	CodeInternal    = "internal"     // a defect of ours
)

// Codes that families share.
const (
	CodeNotFound  = "NOT_FOUND"                  // what an argument names does not exist
	CodeDuplicate = "DUPLICATE_KEY"              // a name is taken
	codeWording   = "CREATIVE_ORIENTATION_ERROR" // a text breaks a rule of wording
)

// Error is the one error type of all tools. It is made where a rule is broken
// and printed once, at the edge, in the family's dialect. Message tells the
// caller what was wrong and what to do; it never carries a path, a secret, SQL
// or a stack.
type Error struct {
	Kind      Kind
	Code      string
	Message   string
	Field     string         // JSON path of the offending argument, may be empty
	Rule      string         // the constraint that was violated, may be empty
	Size      int            // items there are, where Rule limits them
	Details   map[string]any // further facts, such as candidates
	Retryable bool           // the same call may succeed later
	Verbatim  bool           // the message is that of another server and stays as it is
	Hints     *Hints         // what to do next; the pipeline supplies some when nil
	Err       error          // cause, for the log only
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// WithDetail adds a detail and returns e.
func (e *Error) WithDetail(key string, value any) *Error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details[key] = value
	return e
}

// WithHints sets the hints and returns e.
func (e *Error) WithHints(h *Hints) *Error {
	e.Hints = h
	return e
}

// Invalid is a validation error with a family's code.
func Invalid(code, field, rule, format string, args ...any) *Error {
	return &Error{Kind: Validation, Code: code, Field: field, Rule: rule, Message: fmt.Sprintf(format, args...)}
}

// Refused is a business error with a family's code.
func Refused(code, field, rule, format string, args ...any) *Error {
	return &Error{Kind: Business, Code: code, Field: field, Rule: rule, Message: fmt.Sprintf(format, args...)}
}

// Failed is a system error. The cause goes to the log, not to the caller.
func Failed(code string, retryable bool, cause error, format string, args ...any) *Error {
	return &Error{Kind: System, Code: code, Retryable: retryable, Err: cause, Message: fmt.Sprintf(format, args...)}
}

// asError finds the *Error in err's chain, or nil.
func asError(err error) *Error {
	e, _ := errors.AsType[*Error](err)
	return e
}

// Dialect prints an error the way a family documents it. The text is complete:
// JSON dialects return an object and hints are added to it; a plain dialect
// returns a sentence.
type Dialect func(e *Error, call Call) ErrorText

// ErrorText is the text of an error result: either a JSON object or plain text.
type ErrorText struct {
	Object any    // agentHints is appended to its JSON
	Plain  string // used when Object is nil
	Code   string // the documented code, where the family has one
}

// explainRefusedList says of a refused item of a list that nothing was done with the others either: a call that
// writes is one transaction.
func (d *Definition) explainRefusedList(e *Error) *Error {
	if d.Category != Mutation || e.Verbatim || !strings.Contains(e.Field, "[") || strings.Contains(e.Message, "nothing was") || e.Kind == System {
		return e
	}
	told := *e
	told.Message = strings.TrimSuffix(e.Message, ".") + "; nothing was changed"
	return &told
}
