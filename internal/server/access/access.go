// Package access finds out who asks a server over HTTP, and what he may do: from the
// one token of the server, from local tokens, of which the database keeps hashes, or
// from the access tokens of an OpenID provider.
package access

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"

	"toolkit/tools"
)

// Caller is who asks.
type Caller struct {
	Name   string // tells callers apart; nobody else can have it
	Space  string // whose data it is, as package store names spaces; empty: the database's own
	Rights tools.Rights
}

// Owner is who holds the one token of the server, or asks where none is needed: he may do everything.
var Owner = Caller{Name: "owner", Rights: tools.AllRights}

type callerKey struct{}

// WithCaller puts a caller into the context of his request, together with his rights.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return tools.WithRights(context.WithValue(ctx, callerKey{}, c), c.Rights)
}

// CallerFrom returns who asks; the zero Caller, who may do nothing, where nobody was put in.
func CallerFrom(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

var (
	// ErrUnknown reports a token that is none of ours, is false, has expired or was removed. It does not say which.
	ErrUnknown = errors.New("the token is not known here, has expired or was removed")
	// ErrNoSpace reports a good token of somebody who has no space here.
	ErrNoSpace = errors.New("the token is good, but names no space of this server; whoever runs it can set --oidc-space-claim or --oidc-space")
	// ErrUnreachable reports that a token cannot be checked now.
	ErrUnreachable = errors.New("the OpenID provider cannot be asked for its keys now; try again")
)

// A Check finds out whose a token is. Its error is ErrUnknown, ErrNoSpace, ErrUnreachable or that of the store.
type Check func(ctx context.Context, token string) (Caller, error)

// JoinChecks asks one check after another until one of them knows the token.
func JoinChecks(checks ...Check) Check {
	return func(ctx context.Context, token string) (Caller, error) {
		for _, check := range checks {
			if c, err := check(ctx, token); !errors.Is(err, ErrUnknown) {
				return c, err
			}
		}
		return Caller{}, ErrUnknown
	}
}

// NewSecretCheck knows the one token of a server, in a time that does not depend on how much of it is right.
func NewSecretCheck(secret string) Check {
	want := sha256.Sum256([]byte(secret))
	return func(_ context.Context, token string) (Caller, error) {
		given := sha256.Sum256([]byte(token))
		if subtle.ConstantTimeCompare(given[:], want[:]) != 1 {
			return Caller{}, ErrUnknown
		}
		return Owner, nil
	}
}

const scopePrefix = "toolkit:"

// OAuthScopes are the scopes of OAuth that stand for rights.
func OAuthScopes(r tools.Rights) []string {
	names := r.Names()
	for i := range names {
		names[i] = scopePrefix + names[i]
	}
	return names
}
