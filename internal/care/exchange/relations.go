package exchange

import "strings"

// connect gives the relations their places: those of outcomes and realities go
// to their charts, all others into the document. What charts and beats imply
// anyway is left out.
func (a *assembly) connect() {
	implied := map[relationKey]string{}
	for _, r := range a.document.impliedRelations() {
		implied[r.key()] = string(r.Metadata)
	}
	charts := map[string]*Chart{}
	for i := range a.document.Charts {
		charts[a.document.Charts[i].ID] = &a.document.Charts[i]
	}
	for _, r := range a.mergeRelations() {
		metadata, isImplied := implied[r.key()]
		if isImplied {
			a.report.Implied++
		}
		if isImplied && r.Extra == nil && (r.Metadata == nil || string(r.Metadata) == metadata) {
			continue
		}
		part := a.byPart[r.From]
		if part == nil {
			part = a.byPart[r.To]
		}
		missing := a.findMissingEnd(&r)
		switch {
		case missing != "":
			a.report.note(r.Line, "the relation %q from %q to %q: there is no entity %q in this file, so it waits for one", r.RelationType, r.From, r.To, missing)
		case part != nil:
			chart := charts[part.ID]
			chart.Ties = append(chart.Ties, r)
			if !isImplied {
				a.report.Implied++
			}
			continue
		}
		for _, end := range []*string{&r.From, &r.To} {
			if chart := a.byName[*end]; chart != nil {
				*end = chart.ID
			}
		}
		a.document.Relations = append(a.document.Relations, r)
	}
}

// mergeRelations returns each relation once, in file names. One that comes again
// adds what the first does not say.
func (a *assembly) mergeRelations() []Relation {
	var relations []Relation
	at := map[relationKey]int{}
	for _, r := range a.relations {
		for _, end := range []*string{&r.From, &r.To} {
			if chart := a.byName[*end]; chart != nil {
				*end = ChartEntityName(chart.ID)
			}
		}
		first, again := at[r.key()]
		if !again {
			at[r.key()] = len(relations)
			relations = append(relations, r)
			continue
		}
		_, differing := mergeRest(&relations[first].Metadata, &relations[first].Extra, r.Metadata, r.Extra)
		remark := ""
		if len(differing) > 0 {
			remark = "; it has another " + strings.Join(differing, ", ") + " there, which was kept"
		}
		a.report.note(r.Line, "the relation %q from %q to %q was merged into that of line %d%s", r.RelationType, r.From, r.To, relations[first].Line, remark)
	}
	return relations
}

// findMissingEnd returns an end that nothing in the file has, or nothing.
func (a *assembly) findMissingEnd(r *Relation) string {
	for _, name := range []string{r.From, r.To} {
		_, known := a.index[name]
		if !known && a.byName[name] == nil && a.byPart[name] == nil && a.byStep[name] == nil {
			return name
		}
	}
	return ""
}
