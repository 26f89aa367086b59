package redact

import (
	_ "embed"
	"strings"
	"testing"
)

// Each secret stands beside what is nearly one: «…» goes from the first, and the
// second stays as it is.
var ours = map[string]struct{ secret, near string }{
	"a token of an Anthropic account":     {"«sk-ant-oat01-" + made(95, letters) + "»", "keys begin with sk-ant-oat01- or sk-ant-api03-"},
	"an Anthropic key before a full stop": {"It is «sk-ant-api03-" + made(95, letters) + "».", "sk-ant-api03-…"},
	"a key of OpenRouter":                 {"«sk-or-v1-" + made(64, hex) + "»", "sk-or-v1-" + made(12, hex)},
	"a key of DeepSeek":                   {"key «sk-" + made(32, hex) + "», thanks", "the task-" + made(32, hex) + " branch"},
	"a key of a project at OpenAI":        {"«sk-proj-" + made(50, letters) + "»", "sk-proj-settings-page"},
	"a key of Groq":                       {"«gsk_" + made(52, letters) + "»", "gsk_model_version"},
	"a token of Hugging Face":             {"«hf_" + made(34, letters) + "»", "from huggingface_hub import hf_hub_download"},
	"a token of a Telegram bot":           {"«123456789:AA" + made(33, letters) + "»", "at 12345678:AA in the log"},
	"a webhook of Discord":                {"https://discord.com/api/webhooks/«123456789012345678/" + made(68, letters) + "»", "https://discord.com/api/webhooks/docs"},
	"a cookie":                            {"Cookie: «session=" + made(40, letters) + "»", "Cookie: a text that a site stores"},
	"a cookie behind another":             {"curl -H 'Cookie: theme=dark; «sid=" + made(24, letters) + "; lang=en»' https://x.org", "cookie: theme=dark; lang=en"},
	"a token given to a command":          {"deploy --token «tokF1agZZ99aa» now", "deploy --token takes a token"},
	"a key given to a command":            {"tool --api-key=«abc123def456»", "tool --api-key $API_KEY, or --token-file ~/.token1"},
	"a password given to a command":       {"tool --password «hunter2XY»", "use --password to give one, or --password-stdin"},
	"a password of sshpass":               {"sshpass -p «geheim» ssh x", "sshpass -p $PASSWORD ssh x; sshpass -e"},
	"a password of a registry":            {"docker login -u ann -p «hunter2XY»", "docker login --password-stdin; docker run -p 8080:80 x"},
	"a password of a database":            {"mysql -uroot -p«S3cretRoot» shop", "mysql -u root -p shop; mysql -P 3306"},
	"a password in .netrc":                {"machine example.org login bob password «hunter»", "the login with password fails"},
	"a password in XML":                   {"<password>«sesame»</password>", "<password>string</password><token>${TOKEN}</token>"},
	"a password in Markdown, quoted":      {"**Password:** `«sesame»`", "**Password:** `string`"},
	"a password in Markdown":              {"**Passwort:** «Sommer24»", "**Password:** required, at least eight letters"},
	"a password in the next line":         {"Password:\n«hunter2XY»\nthanks", "Password:\nrequired\n"},
	"a password in the line after that":   {"here\npassword:\r\n  «hunter2XY»\r\n", "Forgot your password:\nhttps://example.org/reset1"},
	"a password named after it":           {"use «hunter2XY» as the password", "use Postgres as the password store, and it as a password"},
	"a password named after it in German": {"nimm «Sommer24» als Passwort", "nimm etwas Langes als Passwort"},
	"a passphrase of words":               {"passphrase: «correct horse battery staple»", "passphrase: must have at least twelve letters"},
	"a password in the environment":       {"DB_PASS=«korrekt-pferd»", "BYPASS=enabled MAX_TOKENS=4096"},
	"a short token in the environment":    {"export SECRET_TOKEN=«short»", "export SECRET_TOKEN=$(cat file) TOKEN=true"},
	"a password of a network":             {"WIFI:S:net;T:WPA;P:«hunter»;;", "WiFi: S and P are the fields"},
	"the seed of one-time passwords":      {"otpauth://totp/Ex:a?secret=«JBSWY3DPEHPK3PXP&issuer=x»", "otpauth://totp/Ex?issuer=secret"},
	"a bank account":                      {"IBAN «DE89 3704 0044 0532 0130 00» TKS", "DE88 3704 0044 0532 0130 00"},
	"a bank account without blanks":       {"«GB82WEST12345698765432», please", "GB82WEST123456987654321"},
	"a password before more words":        {"Password:\n«hunter2XY» is it", "Password:\nat-least one digit, and 12-characters"},
	"a number on the back of a card":      {"cvv «123», exp 12/29", "the cvv 2 of 1234 cards"},
	"a card with dots":                    {"card «4111.1111.1111.1111»", "4111.1111.1111.1112"},
	"a seed phrase":                       {"seed phrase: «legal winner thank year wave sausage worth useful legal winner thank yellow»", "Recovery words: write them down, keep the paper away from every camera and never type them into any site"},
}

func TestSecretsThatGitleaksDoesNotKnowGo(t *testing.T) {
	for name, tc := range ours {
		whole := strings.NewReplacer("«", "", "»", "").Replace(tc.secret)
		before, rest, _ := strings.Cut(tc.secret, "«")
		secret, after, _ := strings.Cut(rest, "»")
		got, _ := Text(t.Context(), whole)
		if kept := strings.TrimPrefix(got, before); strings.Contains(got, secret) || !strings.HasPrefix(kept, PlaceholderPrefix) || !strings.HasSuffix(kept, "]"+after) {
			t.Errorf("%s: %q became %q", name, whole, got)
		}
		if again, kinds := Text(t.Context(), got); kinds != nil {
			t.Errorf("%s is redacted again: %q", name, again)
		}
		if got, kinds := Text(t.Context(), tc.near); kinds != nil {
			t.Errorf("no %s, but %q became %q", name, tc.near, got)
		}
	}
}

// Lines of our own pages and sources, taken at equal distances, with identifiers
// of all kinds.
//
//go:embed testdata/ordinary.txt
var ordinary string

func TestOrdinaryLinesStay(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(ordinary), "\n")
	if len(lines) < 200 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, line := range lines {
		if got, kinds := Text(t.Context(), line); kinds != nil {
			t.Errorf("%q became %q", line, got)
		}
	}
	if got, kinds := Text(t.Context(), ordinary); kinds != nil {
		t.Errorf("together: %v in %d bytes", kinds, len(got))
	}
}
