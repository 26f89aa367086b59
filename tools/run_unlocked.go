package tools

import "context"

type unlockedRunnerKey struct{}

// WithUnlockedRunner tells the tools called under a context how the transport lets other calls pass
// while they do long work of their own.
func WithUnlockedRunner(ctx context.Context, run func(work func())) context.Context {
	return context.WithValue(ctx, unlockedRunnerKey{}, run)
}

// RunUnlocked does work of a call that neither reads nor changes what is stored, such as reading a
// file. Should it take long, the calls behind this one go first.
func RunUnlocked(ctx context.Context, work func()) {
	if run, ok := ctx.Value(unlockedRunnerKey{}).(func(work func())); ok {
		run(work)
		return
	}
	work()
}
