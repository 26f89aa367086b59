package redact

import (
	"context"
	"strings"
	"testing"
	"toolkit/internal/testenv"
)

// countdown is a context that ends after it was asked so often.
type countdown struct {
	context.Context
	left  int
	asked int
	ended func()
}

// Err counts.
func (c *countdown) Err() error {
	c.asked++
	if c.asked <= c.left {
		return nil
	}
	if c.asked == c.left+1 {
		c.ended()
	}
	return context.Canceled
}

func longTexts(t *testing.T) map[string]string {
	source := testenv.Read(t, "redact.go")
	texts := map[string]string{
		"code":           string(source),
		"secrets":        "We set the password to hunter22!! and the api key: sk-ant-api03-abcdef0123456789. Card 4111 1111 1111 1111, see https://user:pw12345@example.org/x?token=abc | name | password |\n",
		"one long line":  "https://ann:pw12345@example.org/ log in as ann, bearer of the token ",
		"numbers":        "1 2-3 ",
		"one value":      "a1B2",
		"accounts":       "DE89 3704 0044 0532 0130 0 ",
		"names of rules": "aws stripe slack github key token secret password ",
	}
	for name, text := range texts {
		texts[name] = strings.Repeat(text, (1<<16)/len(text)+1)
	}
	return texts
}

func TestRedactionEndsSoonAfterItsContext(t *testing.T) {
	for name, whole := range longTexts(t) {
		t.Run(name, func(t *testing.T) {
			all := &countdown{Context: t.Context(), left: 1 << 40}
			Text(all, whole)
			if least := len(whole) / maxWindow; all.asked < least {
				t.Errorf("it asked %d times whether anybody waits, want %d at least", all.asked, least)
			}
			for _, left := range []int{0, all.asked / 4, all.asked / 2, all.asked - 1} {
				ctx := &countdown{Context: t.Context(), left: left}
				x := newText(ctx, whole)
				steps := 0
				ctx.ended = func() { steps = x.steps }
				x.findSecrets()
				clean, kinds := x.redactSpans(nil)
				if clean != "" || kinds != nil {
					t.Errorf("ended after %d questions it returned %d bytes", left, len(clean))
				}
				if more := x.steps - steps; more > 100 || ctx.asked > left+1 {
					t.Errorf("ended after %d questions it took %d steps more and asked %d times", left, more, ctx.asked-left)
				}
			}
		})
	}
}

func TestWhatWasToldIsNotLookedForAfterTheEnd(t *testing.T) {
	var told Secrets
	told.RedactText(t.Context(), "the password is hunter22!!")
	whole := strings.Repeat("word ", 10_000) + "hunter22!!"
	if got := told.RemoveFrom(t.Context(), whole); strings.Contains(got, "hunter22") {
		t.Error("it was not found")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if got := told.RemoveFrom(ended, whole); got != "" {
		t.Errorf("after the end %d bytes were returned", len(got))
	}
	if clean, bare, kinds := told.RedactText(ended, whole); clean+bare != "" || kinds != nil {
		t.Errorf("after the end %d bytes were returned", len(clean)+len(bare))
	}
}
