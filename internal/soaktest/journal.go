package soaktest

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"toolkit/store"
)

// tokenForm is what tokens look like: one word for every tokenizer.
var tokenForm = regexp.MustCompile(`tk[0-9]+n[0-9]+z`)

// Journal notes what was acknowledged, by token.
type Journal map[string]acknowledgement

// acknowledgement says that one of the tables must hold a token, or none when it was removed.
type acknowledgement struct {
	tables  []string
	removed bool
}

// markRemovedOrForget notes the removal of a token: acknowledged, or with an error in doubt, and
// then either is right.
func (j Journal) markRemovedOrForget(token string, err error) {
	if a, ok := j[token]; ok && err == nil {
		j[token] = acknowledgement{a.tables, true}
		return
	}
	delete(j, token)
}

// FindLost seeks every token in a database and describes what is lost, or there
// again. rows is how many rows all tables have.
func (j Journal) FindLost(ctx context.Context, path string) (lost []string, rows int, err error) {
	i, err := store.OpenInspection(ctx, path)
	if err != nil {
		return nil, 0, err
	}
	defer i.Close() //nolint:errcheck // it was only read
	tables, err := i.Tables(ctx)
	if err != nil {
		return nil, 0, err
	}
	holders := map[string][]string{} // by token, the tables that hold it
	for _, t := range tables {
		if t.Virtual {
			continue
		}
		err := i.EachRow(ctx, t, func(values []any) error {
			rows++
			for _, token := range tokenForm.FindAllString(fmt.Sprint(values...), -1) {
				holders[token] = append(holders[token], t.Name)
			}
			return nil
		})
		if err != nil {
			return nil, rows, err
		}
	}
	for token, a := range j {
		held := slices.ContainsFunc(a.tables, func(table string) bool { return slices.Contains(holders[token], table) })
		switch {
		case held && a.removed:
			lost = append(lost, fmt.Sprintf("%s was removed and is in one of %v again", token, a.tables))
		case !held && !a.removed:
			lost = append(lost, fmt.Sprintf("%s was acknowledged and is in none of %v", token, a.tables))
		}
	}
	return lost, rows, nil
}
