package reader

import (
	"slices"
	"strings"
)

// Who sends a paper and who receives it is decided by evidence. Every name that may be a party's is a
// candidate; what speaks for it and against it is a set of named evidence; partyWeights says what each
// is worth for which role; chooseParty takes the name with most, or none.

// evidence is a set of what speaks for or against a name.
type evidence uint32

const (
	senderLabel       evidence = 1 << iota // a label calls it the sender: the vendor, the bank
	recipientLabel                         // a label calls it the recipient: the customer, the holder
	foreignLabel                           // it stands under a label that names somebody else
	besideAccount                          // it stands beside the number of the account
	addressLine                            // its line says the sender's whole address, as above the window of an envelope
	legalForm                              // it has a legal form
	legalFormOnLetter                      // it has one, and an address below it as a recipient's has
	ownDomain                              // a mail or web address of the page has its name
	taxNumberBelow                         // the number of a tax payer stands in its block
	letterhead                             // it heads a postal address in the first lines
	bankWord                               // it says that it is a bank, a broker, an insurer
	largePrint                             // it is larger than the text of the page
	topLines                               // it stands in the first three lines
	topLine                                // it stands in the first line
	shopLine                               // it stands where tills print the shop
	belowGoods                             // it stands below the first of the goods of a slip
	attentionWord                          // a word beside it says that the letter is for it
	addressHead                            // it heads a postal address and stands alone on its line
	underName                              // it has no legal form and stands under another name of the same block
	titleWord                              // it ends like the title of a paper
	labelColumn                            // it stands below a label in a column of labels with their values beside them
	digitsInName                           // it has no legal form, but digits, as lines of addresses have
	ownerBelow                             // the line below names somebody of a profession: the practice or its owner
)

// partyRole is what somebody is on a paper: the index of a column of partyWeights.
type partyRole int

const (
	roleSender partyRole = iota
	roleBank             // the sender of a statement
	roleShop             // the sender of a receipt
	roleRecipient
	roleCount
)

// partyWeights says what evidence is worth for each role. What does not support a name only chooses
// between names that something supports.
var partyWeights = []struct {
	evidence evidence
	supports bool
	weights  [roleCount]float64
}{
	//                          sender bank  shop  recipient
	{senderLabel, true, [...]float64{40, 40, 40, -20}},
	{recipientLabel, true, [...]float64{-40, -40, -40, 40}},
	{foreignLabel, false, [...]float64{-10, -10, -10, -4}},
	{besideAccount, true, [...]float64{0, 0, 0, 20}},
	{addressLine, true, [...]float64{3.5, 3.5, 3.5, -4}},
	{legalForm, true, [...]float64{3, 3, 3, 0}},
	{legalFormOnLetter, false, [...]float64{3, 3, 3, 0}},
	{ownDomain, true, [...]float64{3, 3, 3, 0}},
	{taxNumberBelow, true, [...]float64{3, 3, 3, 0}},
	{letterhead, true, [...]float64{1, 1, 1, 0}},
	{bankWord, true, [...]float64{0, 6, 0, 0}},
	{largePrint, false, [...]float64{1.5, 1.5, 1.5, 0}},
	{topLines, false, [...]float64{0.75, 0.75, 0.75, 0}},
	{topLine, false, [...]float64{0.75, 0.75, 0.75, 0}},
	{shopLine, true, [...]float64{0, 0, 1.5, 0}},
	{belowGoods, false, [...]float64{-4, -4, -4, 0}},
	{attentionWord, true, [...]float64{-10, -10, -10, 7}},
	{addressHead, true, [...]float64{0, 0, 0, 3}},
	{underName, false, [...]float64{-4, -1, 0, -4}},
	{titleWord, false, [...]float64{-10, -10, -10, -10}},
	{labelColumn, false, [...]float64{-40, -40, -40, -40}},
	{digitsInName, false, [...]float64{-4, -4, -0.5, -4}},
	{ownerBelow, false, [...]float64{-10, -10, -10, 0}},
}

// partyRules are how much a name of a role needs, and how much more than the next one.
var partyRules = [roleCount]struct{ min, margin float64 }{
	roleSender: {min: 3, margin: 0.5}, roleBank: {min: 3, margin: 2}, roleShop: {min: 2.25, margin: 0.5}, roleRecipient: {min: 3, margin: 3.5},
}

// partyScore is how much speaks for a name having a role; 0 for one that nothing supports.
func partyScore(found evidence, role partyRole) (score float64) {
	supported := false
	for _, row := range partyWeights {
		if found&row.evidence != 0 {
			score += row.weights[role]
			supported = supported || row.supports && row.weights[role] > 0
		}
	}
	if !supported {
		return 0
	}
	return score
}

// chooseParty returns the name for which most speaks, the first of several; none where too little does,
// or nearly as much for another.
func chooseParty(names []partyName, role partyRole) (best partyName, ok bool) {
	rule, most, next := partyRules[role], 0.0, 0.0
	for _, name := range names {
		switch score := partyScore(name.evidence, role); {
		case score > most:
			best, most, next = name, score, most
		case score > next:
			next = score
		}
	}
	return best, most >= rule.min && (next == 0 || most-next >= rule.margin)
}

// partyFields are the fields of the parties of a kind of paper, and the labels that announce them.
type partyFields struct {
	role                        partyRole
	sender, recipient           string
	senderLabel, recipientLabel labelKind
}

// findParties returns the names on the paper that may be a party's, each with all its evidence.
func (result *extraction) findParties(fields partyFields) []partyName {
	read := result.form
	names := slices.Concat(read.findLabeledParties(fields.senderLabel, senderLabel), read.findLabeledParties(fields.recipientLabel, recipientLabel), read.findPartyNames(result.slip))
	if fields.role == roleBank {
		names = append(names, read.findAccountHolders()...)
	}
	names = mergeMentions(names)
	return names
}

// setSenderAndRecipient sets who sends a paper and who receives it. A recipient without a label needs a sender that
// is known: of two addresses either may be the one or the other.
func (result *extraction) setSenderAndRecipient(fields partyFields) {
	if len(result.form.pages) == 0 {
		return
	}
	names := result.findParties(fields)
	sender, known := chooseParty(names, fields.role)
	chosen := sender.key
	if known {
		sender = result.form.completeSenderName(names, sender)
		result.setField(fields.sender, sender.text, sender.source)
	}
	names = slices.DeleteFunc(names, func(name partyName) bool {
		return known && (name.key == chosen || strings.EqualFold(name.text, sender.text)) || !known && name.evidence&(recipientLabel|besideAccount) == 0
	})
	if recipient, known := chooseParty(names, roleRecipient); known {
		result.setField(fields.recipient, recipient.text, recipient.source)
	}
}

// warnOfMissingVendor tells that nobody can be said to have sent an invoice: it is not found by its vendor, and its
// payments and credit notes are not.
func (result *extraction) warnOfMissingVendor() {
	if !result.hasField("vendor_name") && result.tells {
		result.content.warn("vendor_name was left out: no name on the paper is surely that of who sent it")
	}
}

// mergeMentions makes one name of the mentions of a party, with the evidence of all of them.
func mergeMentions(mentions []partyName) (names []partyName) {
	for _, mention := range mentions {
		at := slices.IndexFunc(names, mention.isSameParty)
		if at < 0 {
			names = append(names, mention)
			continue
		}
		merged := names[at]
		if mention.isLongerThan(merged) {
			label := merged.source.Label
			merged = mention
			merged.source.Label = label
		}
		merged.evidence = names[at].evidence | mention.evidence
		names[at] = merged
	}
	return names
}

// isSameParty tells whether two names are one, or one is the other with its legal form.
func (name partyName) isSameParty(other partyName) bool {
	return name.key == other.key || name.isLongerThan(other) || other.isLongerThan(name)
}

// maxAddedWords is how many words the full name of a firm has at most behind the one it is known by.
const maxAddedWords = 5

// isLongerThan tells a name with a legal form of which another is the beginning, without one.
func (name partyName) isLongerThan(short partyName) bool {
	return name.legal && !short.legal && strings.HasPrefix(name.key, short.key+" ") && strings.Count(name.key, " ") <= strings.Count(short.key, " ")+maxAddedWords
}
