package redact

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"toolkit/internal/testenv"
)

// made is a text of n characters of an alphabet that looks random and is always
// the same, so that no key of anybody stands in this file.
func made(n int, alphabet string) string {
	b := make([]byte, n)
	x := uint32(7*n + len(alphabet))
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = alphabet[x>>8%uint32(1<<16)%uint32(len(alphabet))]
	}
	return string(b)
}

const (
	digit    = "0123456789"
	hex      = "0123456789abcdef"
	small    = "abcdefghijklmnopqrstuvwxyz" + digit
	letters  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + small
	base58   = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	base32   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	pemBegin = "-----BEGIN RSA " + "PRIVATE KEY-----\n"
	pemEnd   = "\n-----END RSA " + "PRIVATE KEY-----"
)

// secrets are texts in which «…» stands around what must go.
var secrets = []string{
	// of services, by the rules of gitleaks
	"token «ghp_" + made(36, letters) + "» for CI", "use «gho_" + made(36, letters) + "»", "«github_pat_" + made(82, letters) + "»",
	"«glpat-" + made(20, letters) + "»", "key «AKIA" + made(16, base32) + "» here", "«AIza" + made(35, letters) + "»",
	"«xoxb-" + made(12, digit) + "-" + made(12, digit) + "-" + made(24, letters) + "»", "«sk_live_" + made(24, letters) + "»",
	"«npm_" + made(36, small) + "»", "«pypi-AgEIcHlwaS5vcmc" + made(60, letters) + "»", "«dop_v1_" + made(64, hex) + "»",
	"«hf_" + made(34, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") + "»", "«SG." + made(66, letters) + "»", "«shpat_" + made(32, hex) + "»",
	"«rubygems_" + made(48, hex) + "»", "«AGE-SECRET-KEY-1" + made(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L") + "»", "«glc_" + made(40, letters) + "»",
	"«sk-ant-api03-" + made(93, letters) + "AA»", "«sk-proj-" + made(74, letters) + "T3BlbkFJ" + made(74, letters) + "»",
	`api_key = "«` + made(32, hex) + `»"`, `export API_TOKEN=«` + made(40, small) + `»`, "client_secret: «" + made(36, letters) + "»",
	// in headers and addresses
	"Authorization: Bearer «" + made(40, letters) + "»", "curl -H 'authorization: Basic «" + made(32, letters) + "»'",
	"postgres://app:«hunter2»@db:5432/shop", "https://me:«p4ss»@example.org/x", "redis://:«geheim»@cache", "mongodb+srv://u:«sesam»@cluster",
	// private keys, whole and cut off
	"«" + pemBegin + made(64, letters) + "\n" + made(64, letters) + pemEnd + "» after", "«" + pemBegin + "MII»",
	"x «-----BEGIN OPENSSH " + "PRIVATE KEY-----\nabc\n-----END OPENSSH " + "PRIVATE KEY-----»", "«-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\n\nlQ\n-----END PGP " + "PRIVATE KEY BLOCK-----»",
	"«" + made(64, letters) + "\n" + made(64, letters) + "\nab12==" + pemEnd + "» then", "so a «" + made(64, letters) + " " + made(64, letters) + " ab" + strings.TrimSpace(pemEnd) + "» b", "…«k9/" + made(9, letters) + "\n" + made(64, letters) + pemEnd + "»",
	"«" + made(12, letters) + pemEnd + "» and «" + made(64, letters) + "\n" + made(64, letters) + pemEnd + "»", "{\"key\": \"«" + made(64, letters) + "\\n" + made(64, letters) + "\\n" + strings.TrimSpace(pemEnd) + "»\"}",
	"«PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAA»",
	// what the user marked
	"a «<private>my diary</private>» b", "«<PRIVATE>x</Private>»", "«<private>a<private>b</private>c</private>» d", "open «<private>to the end", "«&lt;private&gt;x&lt;/private&gt;»",
	"«<private>one</private>» and «<private>two</private>»", `a «<private reason="x">one</private>» b`, "a «< private >one</ private >» b", "a «<private/>one»", "«before</private>» after",
	"«a</private>» b «<private>c»", "a «<pri\u200bvate>one</private>» b", "a «&amp;lt;private&amp;gt;one&amp;lt;/private&amp;gt;» b", `a «\u003cprivate\u003eone\u003c/private\u003e» b`, "a «&#60;private&#62;one»",
	// passwords, short ones and in other letters too
	"password: «hunter2»", "Password = «geheim»", "passwd=«abc»", "pwd: «x1»", `"password": "«swordfish»"`, `password='«open sesame 1»'`, "PASSWORD:=«Tr0ub4dor&3»",
	"my password is «hunter2», remember it", `the password is "«swordfish»"`, "DB_PASSWORD=«letmein»", "db_password2 = «q»", "mysql -u root --password=«toor»",
	"Das Passwort ist «Sommer2024»", "Passwort: «Müllerstraße»", "Kennwort lautet «blau7»", "mot de passe : «soleil»", "Mot de passe: «été99»",
	"contraseña: «clave»", "la contraseña es «abc123»", "senha = «segredo»", "hasło: «zółw»", "пароль: «секрет»", "пароль это «котик1»", "Пароль: «кот»",
	"密码：«我的密码»", "密码是«abc123»", "密碼: «龍»", "パスワード：«さくら»", "パスワードは«sakura1»。", "비밀번호: «나비»", "סיסמה: «שלום»", "รหัสผ่าน: «แมว»", "κωδικός: «θάλασσα»",
	"passphrase: «correct-horse-battery»", "passcode: «4711»", "PIN: «1234»", "the pin is «9876»", "CVV: «123»",
	// cards
	"card «4111 1111 1111 1111» exp 12/29", "«4111111111111111»", "«5500-0000-0000-0004»", "amex «3782 822463 10005»", "«6011 1111 1111 1117»", "«2223003122003222»", "«3530111333300000»",
}

// harmless are texts that must stay as they are.
var harmless = []string{
	"", "hello", "Use testify for assertions.", "The password is required", "the password is wrong", "Password: must be at least 8 characters", "password: string",
	"password: str = None", "password = os.Getenv(\"DB_PASSWORD\")", "password = config.password", "password=${DB_PASSWORD}", "password: $PASSWORD", "password: <your password>",
	"password: ********", "PASSWORD=%PASSWORD%", "password={{ vault.db }}", "I forgot my password", "password reset link", "Passwords are hashed with bcrypt.", "a password issue#12 was closed",
	"password: null", "password: true", "passwd: undefined", "password := readPassword()", "pwd", "run pwd to see the folder", "cd $(pwd)", "the pwd is a folder", "password hashing: use argon2id",
	"How do I change the password of the database?", "Das Passwort ist falsch", "Passwort vergessen?", "пароль неверный", "密码错误", "the password to host1 was rotated",
	"pin the version to 1.2.3", "pin: the dependency", "spin 1234", "PIN is wrong", "the pinned commit", "password_hash column", "user.password.length",
	"order 1234567890123456", "4111 1111 1111 1112", "id 4111111111111111abc", "v4111.1111.1111.1111", "1772000000000", "2026-03-01 10:00:00.000", "+49 170 1234567", "0x4111111111111111", "0000 0000 0000 0000",
	"isbn 978-3-16-148410-0", "commit 9fceb02d0ae598e95dc970b74767f19372d61af8", "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	"uuid 550e8400-e29b-41d4-a716-446655440000", "https://example.org/a:b@c", "https://user@example.org/x", "git@github.com:owner/name.git", "postgres://localhost:5432/shop",
	"-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----", "how is a private key made?", "The file has to end with -----END RSA " + "PRIVATE KEY-----", "with -----END " + "PRIVATE KEY-----", "the private method is called", "private: true",
	"the bearer of bad news arrives", "a basic understanding", "token count: 1234", "max_tokens = 800", "the API key is read from the environment", "key: value", "primary_key: id",
	"access = granted", "author: Ada Lovelace", "secret santa is on friday", "AKIA is a prefix", "sk_test", "ghp_", "npm_config_cache", "func TestToken(t *testing.T) {", "import \"crypto/rand\"",
	"keyboard layout: qwertz", "api_version: 2024-01-01", "tokenizer = AutoTokenizer.from_pretrained(name)", "monkey: banana", "a < b & c > d", "&lt;b&gt;", "how does `<private>` end?", "<privately>", "[redacted: password]",
	"Ich brauche 500 g Mehl und 7 g Hefe.", "我对花生过敏", "The build took 12.5 s; 3 tests failed.", "If the key is not valid, NewEncapsulationKey768 returns an error.", "acts like s.ReadUint16LengthPrefixed, but", "line 4242 4242", "port = 5432", "version: 1.26.0",
}

func TestSecretsAreRemoved(t *testing.T) {
	if len(secrets) < 60 {
		t.Fatalf("%d cases", len(secrets))
	}
	for _, marked := range secrets {
		whole := strings.NewReplacer("«", "", "»", "").Replace(marked)
		got, kinds := Text(t.Context(), whole)
		if len(kinds) == 0 {
			t.Errorf("nothing was found in %q", whole)
		}
		for n, part := range strings.Split(strings.ReplaceAll(marked, "»", "«"), "«") {
			switch in := strings.Contains(got, part); {
			case n%2 == 1 && in:
				t.Errorf("%q is still in %q", part, got)
			case n%2 == 0 && !in:
				t.Errorf("%q is gone from %q", part, got)
			}
		}
		if again, _ := Text(t.Context(), got); again != got {
			t.Errorf("redacted again: %q, %q", got, again)
		}
	}
}

// People write keys into sentences, where a program would have a quotation mark or an
// end of line.
func TestPrivateKeyIsRemovedInAnySurrounding(t *testing.T) {
	for _, key := range []string{
		"ghp_" + made(36, letters), "glpat-" + made(20, letters), "AKIA" + made(16, base32), "AIza" + made(35, letters), "sk_live_" + made(24, letters),
		"npm_" + made(36, small), "dop_v1_" + made(64, hex), "SG." + made(66, letters), "shpat_" + made(32, hex), "rubygems_" + made(48, hex),
		"hf_" + made(34, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), "sk-ant-api03-" + made(93, letters) + "AA",
		"sk-proj-" + made(74, letters) + "T3BlbkFJ" + made(74, letters), "xoxb-" + made(12, digit) + "-" + made(12, digit) + "-" + made(24, letters),
		"eyJ" + made(30, letters) + ".eyJ" + made(60, letters) + "." + made(43, letters),
	} {
		for _, around := range []string{
			"it is %, please", "it is %.", "(%)", "why %?", "%!", "**%**", "%: ours", "<%>", "https://example.org/%/v1", "`%`", "„%“", "“%”", "«%»", "[%]", "{%}", "|%|", "%…", "a %;", "'%'", "%",
		} {
			text := strings.Replace(around, "%", key, 1)
			if got, _ := Text(t.Context(), text); strings.Contains(got, key[8:]) {
				t.Errorf("%s in %q became %q", key[:8], around, got)
			}
		}
	}
}

func TestHarmlessTextStays(t *testing.T) {
	if len(harmless) < 60 {
		t.Fatalf("%d cases", len(harmless))
	}
	for _, text := range harmless {
		if got, kinds := Text(t.Context(), text); got != text || kinds != nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestItIsKnownWhetherSomethingPrivateIsStillOpen(t *testing.T) {
	for text, want := range map[string][2]bool{
		"": {false, true}, "a": {false, true}, "<private>a": {true, true}, "a</private>": {false, false}, "</private> <PRIVATE>": {true, true},
		"<private>a<private>b</private>": {false, false}, "`<private>`": {false, true},
	} {
		if got := [2]bool{IsPrivateOpen(text, false), IsPrivateOpen(text, true)}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestWhatGoesIsNamedAndCounted(t *testing.T) {
	got, kinds := Text(t.Context(), "password: hunter2 and <private>x</private>, 4111 1111 1111 1111")
	if want := "password: [redacted: password] and [redacted: private], [redacted: card number]"; got != want || kinds["password"] != 1 || kinds["private"] != 1 || kinds["card number"] != 1 {
		t.Errorf("%q, %v", got, kinds)
	}
}

func TestEveryRuleOfTheListCanBeUsed(t *testing.T) {
	usable := 0
	for _, r := range rules().Rules {
		if r.Regex == "" {
			continue
		}
		usable++
		if m := r.pattern(); r.Group > m.NumSubexp() || len(r.Keywords) == 0 && r.MinValue == 0 {
			t.Errorf("%s: group %d, keywords %v", r.ID, r.Group, r.Keywords)
		}
		for _, k := range r.Keywords {
			if k != strings.ToLower(k) {
				t.Errorf("%s: keyword %q is sought in small letters", r.ID, k)
			}
		}
	}
	if usable < 200 {
		t.Errorf("%d rules", usable)
	}
}

// Text that begins a match everywhere still takes time in proportion to its length. A hook
// reads 128 KB of a prompt; the test reads up to twice as much, and allows four times what eight
// times the text should take. On a busy machine one of several attempts is left alone.
func TestTheTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	pieces := []string{
		"api key token secret= ", "password=x&token:", "<private>", "-----begin ", "-----end private key", "a1b2c3d4 -----end private key", "the quick brown fox ", "a://b:",
		"password ", "password is ", "password: ", "password | ", "the password to ", "--password=", "api_key=", "token is ", "sk-ant-api03-", "4111 ", "login ", "pin is ",
		"name: password\n", "\"password\", value", "password:\n", "user,password\n", "| a | password |\n|-|-|\n", "login with ann / b7 ", "net user ann ", "user  password\n",
		"wifi key ", "door code 1 ", "password for the ", "password a1, ", "pin 1234 ", "my password is abcdef77 ", "backup codes: 1a2b3c\n", "seed phrase: word ", "ann / b7 creds ", "snmp SHA abc12345 ", "setup AB2C ", "recovery 123456-",
		"legal winner ", "password (a ", "password, a ", "was changed to password ", "log in as ann with ", "expect \"password\" send ", "password = a ? b : ", "backup codes 1. ab12-", "sort code account 123456 ", "o\u0308\u200bpass\u00adword ", "密码1", "login(\"a\", ", "pin one two ",
	}
	for _, piece := range testenv.Sample(pieces, 5) {
		took := func(size int) time.Duration {
			text := strings.Repeat(piece, size/len(piece))
			start := time.Now()
			Text(t.Context(), text)
			return time.Since(start)
		}
		size := testenv.Choose(1<<12, 1<<15)
		took(1 << 10)
		small, large := took(size), took(8*size)
		for attempt := 0; attempt < 10 && large > 8*4*small+250*time.Millisecond; attempt++ {
			small, large = took(size), took(8*size)
		}
		if large > 8*4*small+250*time.Millisecond {
			t.Errorf("%q: %v for %d bytes, %v for eight times as many", piece, small, size, large)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, text := range append(secrets, harmless...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, kinds := Text(t.Context(), text)
		if (kinds == nil) != (got == text) {
			t.Errorf("%q became %q with %v", text, got, kinds)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q became broken text %q", text, got)
		}
	})
}

func TestEachFinderFindsKeywordsByItself(t *testing.T) {
	for _, text := range []string{"login with ann / Zug1907!", "use the account: admin / Zug1907!"} {
		if found := findLoginPasswords(newText(t.Context(), text)); len(found) == 0 {
			t.Errorf("%q: findLogins alone finds nothing", text)
		}
	}
}
