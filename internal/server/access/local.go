package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"toolkit/store"
	"toolkit/store/sessions"
	"toolkit/tools"
)

// localPrefix begins the local tokens, so that no other is looked up and programs that look for secrets find them.
const localPrefix = "tkt_"

var tokenNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// ValidateNewToken reports what keeps a token from being added.
func ValidateNewToken(t sessions.AccessToken) error {
	switch {
	case !tokenNames.MatchString(t.Name):
		return fmt.Errorf("%q is no name of a token: it has letters, digits and . _ @ -, 64 at most", t.Name)
	case t.Space != "" && !store.ValidSpace(t.Space):
		return fmt.Errorf("%q is no name of a space: it begins with a letter from a to z and goes on with such letters, digits and _, 40 at most", t.Space)
	case t.Rights == "":
		return fmt.Errorf("a token without rights opens nothing; give it some of %s", strings.Join(tools.AllRights.Names(), ","))
	}
	_, err := parseTokenRights(t)
	return err
}

func parseTokenRights(t sessions.AccessToken) (tools.Rights, error) {
	return tools.ParseRights(strings.Split(t.Rights, ","))
}

// AddToken makes a token and returns its text, which is kept nowhere. The text is empty where the name is taken.
func AddToken(ctx context.Context, db *store.DB, t sessions.AccessToken) (text string, err error) {
	if err := ValidateNewToken(t); err != nil {
		return "", err
	}
	text = localPrefix + rand.Text()
	err = db.Write(ctx, func(tx *store.Tx) error {
		added, err := sessions.In(tx).InsertAccessToken(t, hashToken(text))
		if !added {
			text = ""
		}
		return err
	})
	return text, err
}

// ListTokens lists the local tokens by their names, those that have expired too.
func ListTokens(ctx context.Context, db *store.DB) (list []sessions.AccessToken, err error) {
	err = db.Read(ctx, func(tx *store.Tx) error {
		list, err = sessions.In(tx).ListAccessTokens()
		return err
	})
	return list, err
}

// RemoveToken ends a token, from its next request on, and reports whether there was one of the name.
func RemoveToken(ctx context.Context, db *store.DB, name string) (removed bool, err error) {
	err = db.Write(ctx, func(tx *store.Tx) error {
		removed, err = sessions.In(tx).DeleteAccessToken(name)
		return err
	})
	return removed, err
}

// NewStoredTokenCheck knows the local tokens of a database, as they are at that moment.
func NewStoredTokenCheck(db *store.DB) Check {
	return func(ctx context.Context, text string) (c Caller, err error) {
		if !strings.HasPrefix(text, localPrefix) {
			return Caller{}, ErrUnknown
		}
		err = db.Read(ctx, func(tx *store.Tx) error {
			stored, known, err := sessions.In(tx).AccessTokenByHash(hashToken(text))
			if err != nil {
				return err
			}
			if !known || !stored.Expires.IsZero() && !db.Now().Before(stored.Expires) {
				return ErrUnknown
			}
			rights, err := parseTokenRights(stored)
			c = Caller{Name: "token " + stored.Name, Space: stored.Space, Rights: rights}
			return err
		})
		return c, err
	}
}

// hashToken returns enough for a text of 130 random bits, which nobody can try out.
func hashToken(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
