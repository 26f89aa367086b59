package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// names are what the owner of a publication supplies. What is made for a release reads
// them; what stands in the repository is given them by 'release owner'.
type names struct {
	Module     string `json:"module"`     // path that 'go install' fetches
	Repository string `json:"repository"` // on GitHub, as OWNER/NAME
	NPM        string `json:"npm"`        // package that starts the program, with its scope
	Registry   string `json:"registry"`   // name in the MCP registry
	Tap        string `json:"tap"`        // repository of the Homebrew tap, as OWNER/homebrew-NAME
	Contact    string `json:"contact"`    // mail address for reports of vulnerabilities
}

//go:embed owner.json
var ownerFile []byte

// placeholder stands for the owner until owner.json is filled in.
const placeholder = "example" + "-owner"

// readNames reads the names of an owner.json and checks their form.
func readNames(text []byte) (names, error) {
	var n names
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&n); err != nil {
		return n, fmt.Errorf("owner.json: %w", err)
	}
	return n, n.check()
}

// check refuses a name that the place it is meant for would refuse.
func (n names) check() error {
	for _, f := range []struct{ field, value, form, example string }{
		{"module", n.Module, `^[a-z0-9.-]+\.[a-z]+(/[A-Za-z0-9._~-]+)+$`, "github.com/someone/toolkit"},
		{"repository", n.Repository, `^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$`, "someone/toolkit"},
		{"npm", n.NPM, `^(@[a-z0-9._-]+/)?[a-z0-9._-]+$`, "@someone/toolkit"},
		{"registry", n.Registry, `^[A-Za-z0-9.-]+/[A-Za-z0-9._-]+$`, "io.github.someone/toolkit"},
		{"tap", n.Tap, `^[A-Za-z0-9-]+/homebrew-[A-Za-z0-9._-]+$`, "someone/homebrew-tap"},
		{"contact", n.Contact, `^[^@\s"]+@[^@\s"]+$`, "security@example.org"},
	} {
		if !regexp.MustCompile(f.form).MatchString(f.value) {
			return fmt.Errorf("owner.json: %s is %q, and must be like %q", f.field, f.value, f.example)
		}
	}
	return nil
}

// unfilled tells whether a name is still a placeholder.
func (n names) unfilled() bool {
	text, err := json.Marshal(n)
	return err != nil || strings.Contains(string(text), placeholder)
}

// address is where the repository is found by people.
func (n names) address() string { return "https://github.com/" + n.Repository }

// downloads is the folder of what a version's release holds.
func (n names) downloads(version string) string {
	return n.address() + "/releases/download/v" + version
}

// icon is where the picture of the program is found.
func (n names) icon() string {
	return "https://raw.githubusercontent.com/" + n.Repository + "/HEAD/scripts/release/icon.png"
}

// brewed is the tap as 'brew install' names it.
func (n names) brewed() string { return strings.Replace(n.Tap, "/homebrew-", "/", 1) }
