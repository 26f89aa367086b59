package cli

import (
	"fmt"
	"slices"
	"strings"

	"toolkit/internal/app"
	"toolkit/internal/care/install"
	"toolkit/internal/language"
	"toolkit/tools"
	"toolkit/tools/forget"
	"toolkit/tools/recall"
)

// chosenFamilies is the flag of serve that limits the families, or none. The
// caller's flags decide; without them a client that carries few tools gets what
// it can carry, which is said.
func (o *settings) chosenFamilies(c install.Client, pass []string, f installFlags) ([]string, error) {
	if len(f.families) > 0 {
		return familiesFlag(f.families), nil
	}
	if c.Carries == 0 || slices.ContainsFunc(pass, limitsTools) {
		return nil, nil
	}
	registry, err := app.Registry()
	if err != nil {
		return nil, err
	}
	costs, err := tools.FamilyCosts(registry)
	if err != nil {
		return nil, err
	}
	chosen := carried(costs, c.Carries)
	if len(chosen) == len(costs) {
		return nil, nil
	}
	return familiesFlag(chosen), o.sayFamilies(c, costs, chosen)
}

// sayFamilies names the families that a client gets because it carries few tools.
func (o *settings) sayFamilies(c install.Client, costs []tools.FamilyCost, chosen []string) error {
	all, taken := 0, 0
	for _, f := range costs {
		all += f.Tools
		if slices.Contains(chosen, f.Name) {
			taken += f.Tools
		}
	}
	return o.say("%s carries about %s of all servers together, so it gets %d of %d: %s. --families decides, --families all takes all.\n",
		c.Title, language.Count(c.Carries, "tool", "tools"), taken, all, strings.Join(chosen, ", "))
}

func familiesFlag(families []string) []string {
	if slices.Contains(families, "all") {
		return nil
	}
	return []string{"--families", strings.Join(families, ",")}
}

// limitsTools reports whether a flag of serve chooses tools.
func limitsTools(flag string) bool {
	name, _, _ := strings.Cut(flag, "=")
	return name == "--families" || name == "--tools"
}

// always are the families of one tool that every client has room for.
var always = map[string]bool{recall.Name: true, forget.Name: true}

// carried are the families that fit a client, in order, as long as there is
// room; every one where it has no limit. A quarter of what it carries is left to
// other servers. Recalling and forgetting are always among them: who cannot forget
// should not remember.
func carried(costs []tools.FamilyCost, limit int) (names []string) {
	room := limit - limit/4
	for _, f := range costs {
		if always[f.Name] {
			room -= f.Tools
		}
	}
	for _, f := range costs {
		switch {
		case limit == 0, always[f.Name]:
			names = append(names, f.Name)
		case f.Tools <= room:
			names = append(names, f.Name)
			room -= f.Tools
		}
	}
	return names
}

// tellOtherPlaces says where else the client finds the toolkit: of two entries
// of one name it uses only the nearer, and one that stays is easily forgotten.
func (o *settings) tellOtherPlaces(c install.Client, file string, f installFlags) error {
	s, err := o.surroundings()
	if err != nil {
		return err
	}
	places, err := c.Places(s, f.name)
	for _, p := range places {
		if p.File == file && p.Scope != "local" {
			continue
		}
		text := "%s has %q in its scope %s too, in %s; the nearest of them counts: local, then project, then user.\n"
		if f.uninstall {
			text = "%s still has %q in its scope %s, in %s.\n"
		}
		if err := o.say(text, c.Title, f.name, scopeOf(p), p.File); err != nil {
			return err
		}
	}
	if err != nil {
		_, err = fmt.Fprintf(o.streams.Out, "Another configuration of %s cannot be read: %s\n", c.Title, oneLine(err))
	}
	return err
}

// scopeOf is a place's scope, with the folder of a local one.
func scopeOf(p install.Place) string {
	if p.For != "" {
		return p.Scope + " for " + p.For
	}
	return p.Scope
}
