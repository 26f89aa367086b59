package admin

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/tailscale/hujson"
)

// ClientPlace is an entry of the toolkit in one of the scopes of a client.
type ClientPlace struct {
	Scope string // user, project, or local: a person's own in one project
	File  string
	For   string // the folder of a local entry
}

// Places are the entries of a name in every scope that the client reads in the
// working folder, and the local ones of every folder. The error is why a file
// could not be read; the others are looked at all the same.
func (c Client) Places(s ClientEnvironment, name string) (places []ClientPlace, err error) {
	user := c.file(s)
	look := func(scope, file string) {
		edit, fault := PlanRemoval(c, file, name)
		if fault != nil {
			err = errors.Join(err, fault)
		} else if edit.Found {
			places = append(places, ClientPlace{Scope: scope, File: file})
		}
	}
	look("user", user)
	if c.local {
		for _, folder := range c.localEntries(user, name) {
			places = append(places, ClientPlace{Scope: "local", File: user, For: folder})
		}
	}
	if c.project != "" {
		if file, fault := c.File(s, true); fault == nil && filepath.Clean(file) != filepath.Clean(user) {
			look("project", file)
		}
	}
	return places, err
}

// localEntries are the folders for which the user's file has an entry of its
// own. A file that cannot be read has been told of before.
func (c Client) localEntries(file, name string) (folders []string) {
	edit, err := readClientFile(c, file)
	if err != nil {
		return nil
	}
	d, err := parseEntryDocument(edit.before)
	if err != nil {
		return nil
	}
	projects := memberObject(d.top, "projects")
	if projects == nil {
		return nil
	}
	for _, m := range projects.Members {
		project, _ := m.Value.Value.(*hujson.Object)
		if memberOf(memberObject(project, c.key), name) != nil {
			folders = append(folders, memberName(m))
		}
	}
	slices.Sort(folders)
	return folders
}

// memberObject is the object that is a member of an object; nil when there is none.
func memberObject(o *hujson.Object, name string) *hujson.Object {
	v := memberOf(o, name)
	if v == nil {
		return nil
	}
	found, _ := v.Value.(*hujson.Object)
	return found
}
