package entities

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

func TestSecretsOfFilesAreNotKept(t *testing.T) {
	const secret = "Tr0ub4dor-Zx91"
	for name, c := range map[string]struct {
		file, text string
		count      int
		stays      string // what is found afterwards
	}{
		"a text":     {"notes.txt", "Handover\n\nThe router stands in the cellar.\nThe admin password is " + secret + "\nThe heating is set to 20.\nMy IBAN is DE89370400440532013000.\n", 1, "DE89370400440532013000"},
		"a note":     {"notes.md", "# Handover\n\n- [ ] water the plants\n\nPasswort: " + secret + "\n", 1, "plants"},
		"a table":    {"logins.csv", "site,user,password\nshop.example,ann,correct" + secret + "\nbank.example,bob,other" + secret + "\n", 2, "shop.example"},
		"a mail":     {"mail.eml", "From: a@example.org\nTo: b@example.org\nSubject: Access\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nContent-Type: text/plain\n\nHello,\nthe password: " + secret + "\nBye\n", 1, "Hello"},
		"an invoice": {"invoice.txt", Sample + "\nIBAN: DE89 3704 0044 0532 0130 00\nPortal password: " + secret + "\n", 1, "INV-2041"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			testenv.Write(t, filepath.Join(b.folder, c.file), c.text)
			out := b.Call(uploadName, args{"file_path": c.file})
			contains(t, "it says how many", fmt.Sprint(out["warnings"]), fmt.Sprintf("%d secret(s)", c.count))
			for _, search := range []string{secret, "correct" + secret} {
				same(t, "found by the secret", b.Call(findName, args{"text": search})["total"], 0)
			}
			same(t, "found by the rest", len(b.Call(retrieveName, args{"search": []string{c.stays}, "limit": 5})["records"].([]any)) > 0, true)
			if kept := string(text(b.everything())); strings.Contains(kept, secret) || !strings.Contains(kept, c.stays) {
				t.Errorf("kept is %s", kept)
			}
			again := b.Call(uploadName, args{"file_path": c.file})
			same(t, "the same file again", again["created"], false)
		})
	}
}
