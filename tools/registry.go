package tools

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"toolkit/internal/language"
)

// Family is a group of tools that share a subject and an error dialect.
type Family struct {
	Name    string
	System  string // optional: what it is a part of for people, who may name it by that
	Subject string // what the family keeps, in a few words for the server's description
	Dialect Dialect
	Tools   []*Definition
	// Advice is told to the model of a client that connects.
	Advice []Advice

	Resources []ServedResource
	Templates []ServedTemplate
	Prompts   []ServedPrompt
}

// Advice is a sentence for the model; it is given only where its tool is served.
type Advice struct {
	Tool string // published name
	Text string
}

// Registry holds the tools that a program offers, in registration order.
type Registry struct {
	families []Family
	order    []*Definition
	unlisted []*Definition
	byName   map[string]*Definition // by the published name and its kebab form
}

// NewRegistry registers families. It fails on the first definition that breaks
// a rule, so that a wrong tool never reaches a user.
func NewRegistry(families ...Family) (*Registry, error) {
	r := &Registry{byName: map[string]*Definition{}}
	for _, f := range families {
		for _, d := range f.Tools {
			d.Family, d.System, d.dialect = f.Name, f.System, f.Dialect
			if err := r.Register(d); err != nil {
				return nil, err
			}
		}
		r.families = append(r.families, f)
	}
	return r, nil
}

// Register adds a tool after checking its definition.
func (r *Registry) Register(d *Definition) error {
	if err := r.Validate(d); err != nil {
		return err
	}
	if r.Get(d.Name) != nil {
		return fmt.Errorf("tool %s: the name is taken", d.Name)
	}
	if d.Unlisted {
		r.unlisted = append(r.unlisted, d)
	} else {
		r.order = append(r.order, d)
	}
	r.byName[d.Name] = d
	if alias := Kebab(d.Name); r.Get(alias) == nil {
		r.byName[alias] = d
	}
	return nil
}

// Get finds a tool by its published name or the kebab form of it, else nil.
func (r *Registry) Get(name string) *Definition { return r.byName[name] }

// SuggestToolNames returns the names of tools that a misspelt name may mean, nearest first.
func (r *Registry) SuggestToolNames(name string) []string {
	return language.NearestNames(name, r.listToolNames(), maxNearNames)
}

// listToolNames returns the published names of the listed tools.
func (r *Registry) listToolNames() []string {
	allNames := make([]string, len(r.order))
	for i, d := range r.order {
		allNames[i] = d.Name
	}
	return allNames
}

// All returns every listed tool in registration order.
func (r *Registry) All() []*Definition { return slices.Clone(r.order) }

// Families returns the registered families in order.
func (r *Registry) Families() []Family { return slices.Clone(r.families) }

// ByCategory returns the tools of a category.
func (r *Registry) ByCategory(c Category) []*Definition {
	return r.filter(func(d *Definition) bool { return d.Category == c })
}

func (r *Registry) filter(keep func(*Definition) bool) []*Definition {
	return slices.DeleteFunc(slices.Clone(r.order), func(d *Definition) bool { return !keep(d) })
}

const (
	minDescription = 50
	minDeprecation = 90 * 24 * time.Hour
)

var (
	nameForm       = regexp.MustCompile(`^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$`)
	permissionForm = regexp.MustCompile(`^[a-z][a-z-]*:(create|read|update|delete)$`)
	semverForm     = regexp.MustCompile(`^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$`)
)

// Validate checks a definition against the contract and reports every broken
// rule. Schemas are left to the tests: reflecting them at start-up would cost time.
func (r *Registry) Validate(d *Definition) error {
	var broken []error
	for _, rule := range d.listContractRules() {
		if !rule.holds {
			broken = append(broken, fmt.Errorf("tool %s: %s", d.Name, rule.problem))
		}
	}
	return errors.Join(broken...)
}

// rule is one of the contract, applied to a definition.
type rule struct {
	holds   bool
	problem string // when it is not kept
}

func (d *Definition) listContractRules() []rule {
	rules := []rule{
		{nameForm.MatchString(d.Name), "the name is not snake_case or kebab-case"},
		{strings.TrimSpace(d.Title) != "", "the title is missing"},
		{utf8.RuneCountInString(d.Description) >= minDescription, fmt.Sprintf("the description is shorter than %d characters", minDescription)},
		{d.Permissions != nil, "permissions are missing; use an empty list for none"},
		{slices.Contains([]Category{Query, Mutation, Analysis, Generation}, d.Category), fmt.Sprintf("category %q is unknown", d.Category)},
		{slices.Contains([]ResponseTime{Fast, Medium, Slow}, d.ResponseTime), fmt.Sprintf("response time %q is unknown", d.ResponseTime)},
		{!d.Cacheable() || !d.Writes(), "a tool that writes cannot be cached"},
		{d.CacheTTL >= 0, "the cache time is negative"},
		{!d.Cacheable() || len(d.Reads) > 0, "a cached tool must name the topics it reads"},
		{d.Idempotent || d.Writes() || d.OpenWorld, "a local tool that does not write is always idempotent"},
		{!d.Destructive || d.Writes(), "a tool that does not write cannot be destructive"},
		{semverForm.MatchString(d.Version), fmt.Sprintf("version %q is not a semantic version", d.Version)},
		{len(d.described) > 0, "an example is missing"},
		{len(d.Tags) > 0, "a tag is missing"},
		{d.Handle != nil || d.Forward != nil, "the handler is missing"},
		{d.dialect != nil, "the family has no error dialect"},
	}
	for _, p := range d.Permissions {
		rules = append(rules, rule{permissionForm.MatchString(string(p)), fmt.Sprintf("permission %q is not resource:create|read|update|delete", p)})
	}
	for i, description := range d.described {
		rules = append(rules, rule{strings.TrimSpace(description) != "", fmt.Sprintf("example %d has no description", i+1)})
	}
	if l := d.RateLimit; l != nil {
		rules = append(rules, rule{l.MaxCalls > 0 && l.Window > 0, "the rate limit needs a positive number of calls and a window"})
	}
	if p := d.Deprecated; p != nil {
		rules = append(rules, rule{p.Since != "" && p.Replacement != "", "a deprecation names since and replacement"},
			rule{p.RemovalDate.Sub(p.Announced) >= minDeprecation, "the removal date is less than 90 days after the announcement"})
	}
	return rules
}
