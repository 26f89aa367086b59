package access

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "toolkit/internal/storetest" // new databases begin as copies of one
	"toolkit/store"
	"toolkit/store/sessions"
	"toolkit/tools"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// tokens is a database with a clock that tests move.
func tokens(t *testing.T) (db *store.DB, clock *time.Time) {
	t.Helper()
	now := noon
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "toolkit.db"), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db, &now
}

func add(t *testing.T, db *store.DB, token sessions.AccessToken) string {
	t.Helper()
	text, err := AddToken(t.Context(), db, token)
	if err != nil || text == "" {
		t.Fatalf("%q, %v", text, err)
	}
	return text
}

func TestALocalTokenSaysWhoAsks(t *testing.T) {
	db, clock := tokens(t)
	text := add(t, db, sessions.AccessToken{Name: "anna-phone", Space: "anna", Rights: "read,write", Expires: noon.Add(time.Hour)})
	check := NewStoredTokenCheck(db)
	want := Caller{Name: "token anna-phone", Space: "anna", Rights: tools.MayRead | tools.MayWrite}
	if c, err := check(t.Context(), text); err != nil || c != want {
		t.Errorf("%+v, %v", c, err)
	}
	for _, wrong := range []string{"", "tkt_", text[:len(text)-1], text + "A", strings.ToLower(text), strings.TrimPrefix(text, localPrefix), hashToken(text), localPrefix + hashToken(text)} {
		if c, err := check(t.Context(), wrong); !errors.Is(err, ErrUnknown) || c != (Caller{}) {
			t.Errorf("%q: %+v, %v", wrong, c, err)
		}
	}
	*clock = noon.Add(time.Hour)
	if _, err := check(t.Context(), text); !errors.Is(err, ErrUnknown) {
		t.Errorf("at its end: %v", err)
	}
}

func TestARemovedTokenOpensNothing(t *testing.T) {
	db, _ := tokens(t)
	text, other := add(t, db, sessions.AccessToken{Name: "phone", Rights: "read"}), add(t, db, sessions.AccessToken{Name: "laptop", Rights: "read"})
	if text, err := AddToken(t.Context(), db, sessions.AccessToken{Name: "phone", Rights: "read,write,forget"}); text != "" || err != nil {
		t.Errorf("a name was given twice: %q, %v", text, err)
	}
	for i, want := range []bool{true, false} {
		if removed, err := RemoveToken(t.Context(), db, "phone"); err != nil || removed != want {
			t.Errorf("removal %d: %v, %v", i+1, removed, err)
		}
	}
	if _, err := NewStoredTokenCheck(db)(t.Context(), text); !errors.Is(err, ErrUnknown) {
		t.Errorf("the removed one: %v", err)
	}
	if _, err := NewStoredTokenCheck(db)(t.Context(), other); err != nil {
		t.Errorf("the other one: %v", err)
	}
	if list, err := ListTokens(t.Context(), db); err != nil || len(list) != 1 || list[0].Name != "laptop" || list[0].Created != noon {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestNoFileHoldsTheTextOfAToken(t *testing.T) {
	db, _ := tokens(t)
	text := add(t, db, sessions.AccessToken{Name: "phone", Rights: "read"})
	files, err := filepath.Glob(db.Path() + "*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil || bytes.Contains(content, []byte(strings.TrimPrefix(text, localPrefix))) {
			t.Errorf("%s holds it, %v", filepath.Base(name), err)
		}
	}
}

func TestATokenThatMeansNothingIsNotAdded(t *testing.T) {
	db, _ := tokens(t)
	for _, token := range []sessions.AccessToken{
		{Name: "", Rights: "read"}, {Name: "two words", Rights: "read"}, {Name: strings.Repeat("a", 65), Rights: "read"},
		{Name: "a", Space: "Anna", Rights: "read"}, {Name: "a", Space: "../anna", Rights: "read"}, {Name: "a"}, {Name: "a", Rights: "admin"},
	} {
		if text, err := AddToken(t.Context(), db, token); err == nil || text != "" {
			t.Errorf("%+v is a token", token)
		}
	}
}

func TestTheFirstThatKnowsATokenSaysWhoseItIs(t *testing.T) {
	db, _ := tokens(t)
	text := add(t, db, sessions.AccessToken{Name: "phone", Space: "anna", Rights: "read"})
	check := JoinChecks(NewSecretCheck("correct-horse-battery"), NewStoredTokenCheck(db))
	if c, err := check(t.Context(), "correct-horse-battery"); err != nil || c != Owner {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := check(t.Context(), text); err != nil || c.Space != "anna" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := check(t.Context(), "correct-horse"); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
	db.Close()
	if _, err := check(t.Context(), text); err == nil || errors.Is(err, ErrUnknown) {
		t.Errorf("what cannot be asked calls a token unknown: %v", err)
	}
}
