package recall

import (
	"context"
	"strings"

	"toolkit/store"
	"toolkit/store/captures"
	"toolkit/tools"
)

type projectKey struct{}

// In returns a context in which the project of a key is at hand: what was said in
// it comes first.
func In(ctx context.Context, project string) context.Context {
	return context.WithValue(ctx, projectKey{}, project)
}

// inProjects finds the project at hand, which may be unknown, and the only one that
// is asked for, by name or key.
func inProjects(ctx context.Context, tx *store.Tx, q *tools.Question, only string) error {
	if key, _ := ctx.Value(projectKey{}).(string); key != "" {
		at, err := captures.In(tx).ProjectsNamed(key)
		if err != nil {
			return err
		}
		if len(at) == 1 {
			q.Prefer = at[0].ID
		}
	}
	if only == "" {
		return nil
	}
	named, err := captures.In(tx).ProjectsNamed(only)
	if err != nil {
		return err
	}
	switch len(named) {
	case 0:
		return tools.Invalid(tools.CodeInvalid, "project", "the name or key of a project", "no captured session belongs to a project %q", only)
	case 1:
		q.Project = named[0].ID
		return nil
	}
	var keys []string
	for _, p := range named {
		keys = append(keys, p.Key)
	}
	return tools.Invalid(tools.CodeInvalid, "project", "the key of one project", "%d projects are called %q; give the key of one: %s", len(named), only, strings.Join(keys, ", "))
}
