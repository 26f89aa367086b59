package tools

import (
	"fmt"
	"slices"
	"strings"

	"toolkit/internal/language"
)

// Access says which tools are served and which rights are granted. The zero
// value serves and grants everything.
type Access struct {
	Families []string // serve only these families, or all of a system; empty: all
	Tools    []string // serve only these tools; empty: all
	Exclude  []string // never serve these tools
	Grants   []string // resource:action, resource:* or *:action; empty: everything
	ReadOnly bool     // deny every tool that writes
	// Toolset says which of the served tools are listed; empty: AllTools. What is not
	// listed can be called all the same.
	Toolset Toolset
}

// Toolset is a choice of tools for what a client can carry.
type Toolset string

// Toolsets.
const (
	AllTools Toolset = "all"
	// CoreTools are few, for clients that send every definition with every request,
	// and doors to the others.
	CoreTools Toolset = "core"
)

const (
	// maxNearNames are how many names are offered for a misspelt one.
	maxNearNames = 3
	// maxListedNames are how many names a person may be made to read instead.
	maxListedNames = 20
)

// CheckNamesAndGrants reports names in a that mean nothing, so that a typing error in a
// configuration does not silently serve too much or nothing.
func (a Access) CheckNamesAndGrants(r *Registry) error {
	known := func(names []string, what string, exists func(string) bool, all []string) error {
		for _, n := range names {
			if exists(n) {
				continue
			}
			if near := language.NearestNames(n, all, maxNearNames); len(near) > 0 {
				return fmt.Errorf("unknown %s %q; did you mean %s?", what, n, strings.Join(near, ", "))
			}
			if len(all) > maxListedNames {
				return fmt.Errorf("unknown %s %q", what, n)
			}
			return fmt.Errorf("unknown %s %q; known are %s", what, n, strings.Join(all, ", "))
		}
		return nil
	}
	if !slices.Contains([]Toolset{"", AllTools, CoreTools}, a.Toolset) {
		return fmt.Errorf("unknown toolset %q; known are %s, %s", a.Toolset, AllTools, CoreTools)
	}
	var families []string
	for _, f := range r.families {
		for _, name := range []string{f.System, f.Name} {
			if name != "" && !slices.Contains(families, name) {
				families = append(families, name)
			}
		}
	}
	if err := known(a.Families, "family", func(n string) bool { return slices.Contains(families, n) }, families); err != nil {
		return err
	}
	for _, list := range [][]string{a.Tools, a.Exclude} {
		if err := known(list, "tool", func(n string) bool { return r.Get(n) != nil }, r.listToolNames()); err != nil {
			return err
		}
	}
	resources := r.listPermissionResources()
	for _, g := range a.Grants {
		resource, action, ok := strings.Cut(g, ":")
		if !ok || !slices.Contains([]string{"create", "read", "update", "delete", "*"}, action) {
			return fmt.Errorf("grant %q is not of the form resource:action with action create, read, update, delete or *", g)
		}
		if resource != "*" && !slices.Contains(resources, resource) {
			return fmt.Errorf("grant %q names the unknown resource %q; known are %s", g, resource, strings.Join(resources, ", "))
		}
	}
	return nil
}

// listPermissionResources returns the resources that permissions of tools speak of, sorted.
func (r *Registry) listPermissionResources() []string {
	var names []string
	for _, d := range r.order {
		for _, p := range d.Permissions {
			resource, _, _ := strings.Cut(string(p), ":")
			names = append(names, resource)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Restriction is a setting of Access that keeps a tool from being served.
type Restriction string

// Restrictions.
const (
	Unrestricted Restriction = ""
	ByFamilies   Restriction = "families"
	ByTools      Restriction = "tools"
	ByExclude    Restriction = "exclude"
)

// FindRestriction says what keeps a tool from being served at all.
func (a Access) FindRestriction(d *Definition) Restriction {
	named := func(list []string) bool {
		return slices.ContainsFunc(list, func(n string) bool { return n == d.Name || n == Kebab(d.Name) })
	}
	switch {
	case d.Door && a.Toolset == CoreTools && !named(a.Exclude):
		return Unrestricted // it leads only to what is served
	case !a.servesFamily(d.Family, d.System):
		return ByFamilies
	case len(a.Tools) > 0 && !named(a.Tools):
		return ByTools
	case named(a.Exclude):
		return ByExclude
	}
	return Unrestricted
}

// servesFamily reports whether a family is named, or its system, or nothing is.
func (a Access) servesFamily(name, system string) bool {
	return len(a.Families) == 0 || slices.Contains(a.Families, name) || system != "" && slices.Contains(a.Families, system)
}

// IsCallable reports whether a client can call a tool, itself or through a door that is listed.
func (a Access) IsCallable(d *Definition) bool {
	return a.isServed(d) && a.findMissingPermission(d) == "" && (!d.Door || a.IsInToolset(d))
}

// isServed reports whether a tool is switched on at all.
func (a Access) isServed(d *Definition) bool { return a.FindRestriction(d) == Unrestricted }

// IsInToolset reports whether a tool that is served stands in the list.
func (a Access) IsInToolset(d *Definition) bool {
	if a.Toolset == CoreTools {
		return d.Core || d.Door
	}
	return !d.Door
}

// findMissingPermission returns the first missing permission of a tool, or "".
func (a Access) findMissingPermission(d *Definition) Permission {
	for _, p := range d.Permissions {
		if a.ReadOnly && !strings.HasSuffix(string(p), ":read") {
			return p
		}
		if !a.isGranted(p) {
			return p
		}
	}
	if a.ReadOnly && d.Writes() {
		return Permission(d.Family + ":update")
	}
	return ""
}

func (a Access) isGranted(p Permission) bool {
	if len(a.Grants) == 0 {
		return true
	}
	resource, action, _ := strings.Cut(string(p), ":")
	return slices.ContainsFunc(a.Grants, func(g string) bool {
		gr, ga, _ := strings.Cut(g, ":")
		return (gr == "*" || gr == resource) && (ga == "*" || ga == action)
	})
}
