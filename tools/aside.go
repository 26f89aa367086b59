package tools

import "context"

type asideKey struct{}

// WithAside tells the tools called under a context how the transport lets other calls pass
// while they do long work of their own.
func WithAside(ctx context.Context, aside func(work func())) context.Context {
	return context.WithValue(ctx, asideKey{}, aside)
}

// Aside does work of a call that neither reads nor changes what is stored, such as reading a
// file. Should it take long, the calls behind this one go first.
func Aside(ctx context.Context, work func()) {
	if aside, ok := ctx.Value(asideKey{}).(func(work func())); ok {
		aside(work)
		return
	}
	work()
}
