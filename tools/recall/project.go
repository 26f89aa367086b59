package recall

import (
	"context"

	"toolkit/store"
	"toolkit/store/sessions"
	"toolkit/tools"
)

type projectKey struct{}

// WithProject returns a context in which the project of these keys is at hand: what was said
// in it comes first.
func WithProject(ctx context.Context, project ...string) context.Context {
	return context.WithValue(ctx, projectKey{}, project)
}

// withProjectOfFolder makes the project of the server's folder the one at hand where none is.
func (f family) withProjectOfFolder(ctx context.Context) context.Context {
	if f.Folder == "" || ctx.Value(projectKey{}) != nil {
		return ctx
	}
	at, ok := tools.FindProjectOfFolder(f.Folder)
	if !ok {
		return ctx
	}
	return WithProject(ctx, at.Keys()...)
}

// setProjectNames says of candidates in which project they were said, or hold.
func setProjectNames(tx *store.Tx, list []ranked) error {
	names := map[int64]string{0: ""}
	for i := range list {
		id := list[i].Project
		if _, known := names[id]; !known {
			p, err := sessions.In(tx).ProjectByID(id)
			if err != nil {
				return err
			}
			names[id] = p.Name
		}
		list[i].Place.Project = names[id]
	}
	return nil
}

// resolveProjects finds the project at hand, which may be unknown, and the only one that
// is asked for, by name or key.
func resolveProjects(ctx context.Context, tx *store.Tx, q *tools.Question, only string) error {
	if keys, _ := ctx.Value(projectKey{}).([]string); len(keys) > 0 {
		at, err := sessions.In(tx).ProjectByKey(keys...)
		if err != nil {
			return err
		}
		q.CurrentProject = at.ID
	}
	if only == "" {
		return nil
	}
	named, err := tools.FindProject(tx, "project", only)
	if err == nil && named.ID == 0 {
		err = tools.Invalid(tools.CodeInvalid, "project", "the name or key of a project", "no project is called %q; leave project out to ask in all", only)
	}
	q.Project = named.ID
	return err
}
