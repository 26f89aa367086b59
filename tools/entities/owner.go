package entities

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"toolkit/fixtures"
	"toolkit/internal/language"
	documents "toolkit/internal/reader"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/memory"
)

const (
	// maxOwnerDocuments bounds the statements and the invoices, each, that tell who the user is, and
	// maxOwnerInsights the insights, the newest first.
	maxOwnerDocuments = 500
	maxOwnerInsights  = 500
	// minBillingVendors is from how many vendors somebody gets invoices who can only be the user: two may be
	// two names of one.
	minBillingVendors = 3
	// minAccountLength is the letters and digits of an account that is no other by chance.
	minAccountLength = 8
	// maxFormWords is how many words a legal form has at most: "S. à r. l.".
	maxFormWords = 4
)

// Side is the user's side of an invoice.
type Side int

// Sides of an invoice.
const (
	SideUnknown Side = iota
	SidePays         // the user is to pay it
	SideIsPaid       // the user made it out, and others are to pay it
)

// owner is what is known of who the user is.
type owner struct {
	accounts    map[string]bool // as they are compared
	names       []string
	statedNames []string // what insights say that begins with the user's name
}

// inferOwner finds out who the user is: whose accounts the statements are of, who says so in an insight,
// and who gets the invoices of many vendors.
func inferOwner(tx *store.Tx) (*owner, error) {
	o := &owner{accounts: map[string]bool{}}
	statements, err := loadEntitiesOfType(entities.In(tx), documents.KindStatement, maxOwnerDocuments)
	if err != nil {
		return nil, err
	}
	for _, s := range statements {
		o.addName(firstText(s.values, "account_holder"))
		for _, field := range []string{"iban", "account", "account_number"} {
			if number := compactDocumentNumber(s.values[field]); len(number) >= minAccountLength {
				o.accounts[number] = true
			}
		}
	}
	insights, err := memory.In(tx).Insights(memory.InsightFilter{Limit: maxOwnerInsights})
	if err != nil {
		return nil, err
	}
	for _, i := range insights {
		o.statedNames = append(o.statedNames, extractTextsAfterOwnerPhrase(i.Content)...)
	}
	invoices, err := loadEntitiesOfType(entities.In(tx), invoiceType, maxOwnerDocuments)
	if err != nil {
		return nil, err
	}
	vendors := map[string][]string{} // by customer
	for _, i := range invoices {
		vendor, customer := firstText(i.values, "vendor_name"), firstText(i.values, "customer_name")
		if o.isOwnerAccount(i.values) || o.isStatedOwnerName(vendor) {
			o.addName(vendor)
		}
		if o.isStatedOwnerName(customer) {
			o.addName(customer)
		}
		key, _ := language.SplitLegalForm(customer)
		stem, _ := language.SplitLegalForm(vendor)
		if key != "" && stem != "" && key != stem && !slices.Contains(vendors[key], stem) {
			if vendors[key] = append(vendors[key], stem); len(vendors[key]) == minBillingVendors {
				o.addName(customer)
			}
		}
	}
	return o, nil
}

func (o *owner) addName(name string) {
	if name != "" && !o.isOwnerName(name) {
		o.names = append(o.names, name)
	}
}

func (o *owner) isOwnerName(name string) bool {
	return slices.ContainsFunc(o.names, func(own string) bool { return isSameCompanyName(own, name) })
}

// isOwnerAccount reports whether an invoice is to be paid to an account of the user.
func (o *owner) isOwnerAccount(invoice object) bool {
	return o.accounts[compactDocumentNumber(invoice["iban"])] || o.accounts[compactDocumentNumber(invoice["account_number"])]
}

// invoiceSide is the user's side of an invoice: what is not certain is unknown.
func (o *owner) invoiceSide(invoice object) Side {
	sells := o.isOwnerAccount(invoice) || o.isOwnerName(firstText(invoice, "vendor_name"))
	buys := o.isOwnerName(firstText(invoice, "customer_name"))
	switch {
	case sells && !buys:
		return SideIsPaid
	case buys && !sells:
		return SidePays
	}
	return SideUnknown
}

// ownerPhrases are the words by which somebody says who he is.
type ownerPhrases struct{ phrases, between, behind, denying []string }

var ownNameWords = sync.OnceValue(func() ownerPhrases {
	lists := payWords()
	return ownerPhrases{fixtures.WordLists("payments")["own name"], lists["is called"], lists["behind own name"], lists["no own name"]}
})

// extractTextsAfterOwnerPhrase returns the ends of a text that begin with what it says is the user's name, folded: "Our company is
// the Fern Bakery." gives "the fern bakery." and "fern bakery.".
func extractTextsAfterOwnerPhrase(text string) (list []string) {
	text = language.FoldNameLetters(text)
	for _, phrase := range ownNameWords().phrases {
		for from := 0; ; {
			at := strings.Index(text[from:], phrase)
			if at < 0 {
				break
			}
			from += at + len(phrase)
			list = appendTextsAfterPhrase(list, text[:from-len(phrase)], text[from:])
		}
	}
	return list
}

// appendTextsAfterPhrase adds what follows a phrase that says the user's name, also behind each word that may stand
// between the two.
func appendTextsAfterPhrase(list []string, before, after string) []string {
	w := ownNameWords()
	last, _ := utf8.DecodeLastRuneInString(before)
	words := strings.Fields(before)
	if unicode.IsLetter(last) || len(words) > 0 && slices.Contains(w.denying, words[len(words)-1]) {
		return list
	}
	for {
		after = strings.TrimLeft(after, " \n\t,:\"'“„«")
		list = append(list, after)
		word, rest, found := strings.Cut(after, " ")
		if !found || !slices.Contains(w.between, word) {
			return list
		}
		after = rest
	}
}

// isStatedOwnerName reports whether an insight says that a name is the user's: "Our company is Fern Bakery GmbH.",
// and not "Our company is Fern Bakery's best customer."
func (o *owner) isStatedOwnerName(name string) bool {
	stem, _ := language.SplitLegalForm(name)
	return stem != "" && slices.ContainsFunc(o.statedNames, func(text string) bool {
		after, is := strings.CutPrefix(text, stem)
		return is && isNameCompleteBefore(after)
	})
}

// isNameCompleteBefore reports whether a name ends before a text: with a legal form, with its clause, or before a
// word that goes on with the sentence.
func isNameCompleteBefore(after string) bool {
	if r, _ := utf8.DecodeRuneInString(after); unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '-' {
		return false
	}
	rest := strings.TrimLeft(after, " \t\"”“»")
	if rest == "" || strings.ContainsAny(rest[:1], ".,;:!?()\n") {
		return true
	}
	words := strings.Fields(rest)
	for n := range min(len(words), maxFormWords) {
		if language.LegalFormOf(strings.TrimRight(strings.Join(words[:n+1], ""), ",;:!?)")) != nil {
			return true
		}
	}
	return slices.Contains(ownNameWords().behind, words[0])
}
