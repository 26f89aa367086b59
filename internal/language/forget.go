package language

import (
	"strings"

	"toolkit/internal/lazyregexp"
)

// forgetRequest is a prompt of one sentence that asks for what was said of something to be forgotten.
var forgetRequest = lazyregexp.New(`(?i)^(?:(?:please|pls|ok|okay|hey|bitte|por favor)[, ]+)*(?:can you |could you )?(?:` +
	`(?:forget|delete|erase)(?: (?:about )?(?:what|whatever|everything|anything|all(?: of)?(?: that)?)(?: (?:that )?(?:i|we)(?:'ve| have)? (?:said|told you|mentioned|wrote))?(?: (?:to you )?(?:about|of|on|regarding))?)|` +
	`(?:vergiss|lösche?)(?: bitte)?,? (?:alles|was|alles,? was)(?: ich(?: dir)?)?(?: (?:über|von|zu))|` +
	`oublie(?: tout)?(?: ce que j'ai dit)?(?: (?:sur|de|à propos de))|` +
	`olvida(?: todo)?(?: lo que dije)?(?: (?:sobre|de))` +
	`) (.+?)(?: (?:gesagt|erzählt|weiß|weißt)(?: habe)?)?[.!?]*$`)

// ParseForgetRequest returns of what a person asks everything to be forgotten, or empty where a prompt
// asks for no such thing, or for something else besides.
func ParseForgetRequest(prompt string) (what string) {
	prompt = strings.TrimSpace(prompt)
	found := forgetRequest().FindStringSubmatch(prompt)
	if found == nil || len(Sentences(prompt)) != 1 {
		return ""
	}
	return found[1]
}
