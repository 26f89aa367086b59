package language

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
)

// countdown is a context that ends after it was asked so often.
type countdown struct {
	context.Context
	left, asked int
}

// Err counts.
func (c *countdown) Err() error {
	if c.asked++; c.asked <= c.left {
		return nil
	}
	return context.Canceled
}

func TestReadingDaysEndsSoonAfterItsContext(t *testing.T) {
	reference := time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)
	for name, unit := range map[string]string{"words": "the roof and a cake ", "of no language": "xyzzy plugh ", "numbers": "12 34 ", "marks": ",;."} {
		t.Run(name, func(t *testing.T) {
			whole := strings.Repeat(unit, testenv.Choose(1<<15, 1<<17)/len(unit))
			all := &countdown{Context: t.Context(), left: 1 << 40}
			CalendarTermsContext(all, whole, reference)
			if least := len(whole) / (32 * tokensAtOnce); all.asked < least {
				t.Errorf("it asked %d times whether anybody waits, want %d at least", all.asked, least)
			}
			for _, left := range []int{0, all.asked / 2, all.asked - 1} {
				ctx := &countdown{Context: t.Context(), left: left}
				CalendarTermsContext(ctx, whole, reference)
				if more := ctx.asked - left; more > 1+len(calendarLanguages) {
					t.Errorf("ended after %d questions it went on for %d more", left, more)
				}
			}
		})
	}
}

func TestTermsAreThoseOfTheWholeTextWhileSomebodyWaits(t *testing.T) {
	reference := time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)
	whole := strings.Repeat("the roof and a cake ", 1000) + "since 2023-05-03"
	if got, want := CalendarTermsContext(t.Context(), whole, reference), CalendarTerms(whole, reference); !slices.Equal(got, want) || len(got) < 4 {
		t.Errorf("%v, want %v", got, want)
	}
}
