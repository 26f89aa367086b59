package judge

import (
	"context"
	"sync"
	"time"
)

// pace lets requests start at a fixed distance from each other.
type pace struct {
	every time.Duration
	now   func() time.Time
	sleep func(context.Context, time.Duration) error

	mu   sync.Mutex
	next time.Time // when the next request may start
}

func newPace(every time.Duration, now func() time.Time, sleep func(context.Context, time.Duration) error) *pace {
	return &pace{every: every, now: now, sleep: sleep}
}

// wait returns when it is the caller's turn, in the order of the calls. A call
// that has ended, or will have ended by then, takes no turn from later ones.
func (p *pace) wait(ctx context.Context) error {
	d, err := p.reserve(ctx)
	if err != nil || d <= 0 {
		return err
	}
	return p.sleep(ctx, d)
}

func (p *pace) reserve(ctx context.Context) (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	now := p.now()
	turn := p.next
	if turn.Before(now) {
		turn = now
	}
	if deadline, ok := ctx.Deadline(); ok && turn.After(deadline) {
		return 0, context.DeadlineExceeded
	}
	p.next = turn.Add(p.every)
	return turn.Sub(now), nil
}
