package reader

import (
	"slices"
	"strings"

	"toolkit/internal/reader/bank"
)

// blocksHead are the names of the lines of which each movement of a text is a block: "Date: …",
// "Amount: …", "Balance: …". It is nil where the text is no such list, as of invoices, which have
// no balance. The first name opens a block.
func blocksHead(text string) (head []string) {
	for line := range strings.Lines(text[:min(len(text), SniffLength)]) {
		name, _, named := strings.Cut(line, ":")
		switch {
		case !named:
		case len(head) > 0 && name == head[0] && slices.ContainsFunc(head, bank.IsBalanceHead) && bank.HeaderRow([][]string{head}) == 0:
			return head
		case len(head) == 0 && !bank.IsDayHead(name):
		case !slices.Contains(head, name):
			head = append(head, name)
		}
	}
	return nil
}

// splitBlocks keeps the head, a row for each block, and what stands above them.
func splitBlocks(text string, head []string, keeper *rowKeeper) {
	var row []string
	for line := range strings.Lines(text) {
		keeper.line++
		name, said, named := strings.Cut(line, ":")
		at := slices.Index(head, name)
		switch {
		case at == 0 && row == nil:
			keeper.add(head)
			row = make([]string, len(head))
		case at == 0:
			keeper.add(row)
			row = make([]string, len(head))
		case at < 0 && row == nil && named:
			keeper.add([]string{name, strings.TrimSpace(said)})
		}
		if at >= 0 && row != nil {
			row[at] = strings.TrimSpace(said)
		}
	}
	if row != nil {
		keeper.add(row)
	}
}
