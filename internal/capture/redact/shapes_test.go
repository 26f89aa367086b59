package redact

import (
	"strings"
	"testing"
)

// shapes are ways to write a secret, where «…» stands around it.
var shapes = []string{
	// given to commands
	"PGPASSWORD=«apfelbaum» psql -h db", "mysql --password=«apfelbaum» shop", "echo «apfelbaum9!» | sudo -S ls", `echo "«apfel baum»" | sudo -S ls`, "redis-cli -a «apfelbaum» ping", "mongosh -u a -p «apfelbaum» x",
	`psexec \\h -u a -p «Apfelbaum9» x`, `net use z: \\s\x /user:a «Apfelbaum9!»`, "unzip -P «apfelbaum» a.zip", "7z x -p«apfelbaum9» a.7z", "openssl enc -k «apfelbaum9» -in f", "openssl rsa -passin pass:«apfelbaum9»",
	"htpasswd -b f user «apfelbaum9»", "ldapsearch -w «apfelbaum9» -D x", "smbclient //s/x -U user%«apfelbaum9»", "rclone obscure «apfelbaum9»", "kubectl create secret generic s --from-literal=pw=«apfelbaum9»",
	"jdbc:oracle:thin:scott/«tiger99»@h:1521", `Authorization: Digest username="a", response="«` + made(32, hex) + `»"`,
	// in sentences, lists and tables
	"set the root password to «apfelbaum9»", "the password changed to «apfelbaum9»", "change my password from «Apfel9!baum» to another", "Ändere das Passwort auf «Apfel9baum!»", "password → «apfelbaum9»", "password -> «apfelbaum9»",
	"password - «apfelbaum9»", "password – «apfelbaum9»", "| password | «apfelbaum9» |", "Password (admin): «apfelbaum9»", "Passwort (NAS): «apfelbaum9»", "Password\n«Apfel9!baum»", "my password is «apfelbaum»", "my wifi password is «correct horse battery staple»",
	"my pw is «apfel9baum»", "username bob, pw «Apfel9baum!»", "user: bob pass: «apfelbaum9»", "login: bob / «Apfel9baum!»", "login nora / «Kirschbaum!5»", "credentials: admin/«Apfel9baum!»", "Zugangsdaten: nora/«Apfel9baum!»",
	"identifiants : nora / «Pommier!9»", "pass phrase: «apfelbaum9»", `password = """«apfelbaum9»"""`, "secret: «apfelbaum9»", "api_key: «apfelbaum9x»", "token=«880587061ce69367»", "**Password**: «apfelbaum9»", "*Kennwort*: `«apfelbaum9»`", "mdp : «pommier9!»",
	"Die PIN meiner EC-Karte ist «4471»", "the PIN for my card is «4471»", "la contraseña de la wifi es «Manzano9!»", "le mot de passe du wifi est «Pommier9!»",
	"Das Root-Passwort lautet jetzt «Zwetschge77!»", "La clave del wifi es «Membrillo77!»", "le code wifi: «Coing77!»", "WPA2 key is «Quitte77!Baum»", "user=ann password=«quincetart» dbname=x", "log in as ann with «Quince&77»", "I connected with «Maple-Syrup+88»", "TOTP: «JBSWY3DPEHPK3PXP»",
	// standing bare
	"«GOCSPX-" + made(28, letters) + "»", "«ya29." + made(100, letters) + "»", "«1//0" + made(60, letters) + "»", "«xai-" + made(80, letters) + "»", "«nvapi-" + made(64, letters) + "»", "«r8_" + made(37, letters) + "»", "«whsec_" + made(32, letters) + "»",
	"«figd_" + made(40, letters) + "»", "«ntn_" + made(46, letters) + "»", "«secret_" + made(43, letters) + "»", "«sbp_" + made(40, hex) + "»", "«vercel_" + made(24, letters) + "»", "«tskey-auth-" + made(16, letters) + "-" + made(32, letters) + "»",
	"«ATATT3" + made(180, letters) + "»", "«rnd_" + made(32, letters) + "»", "«cfut_" + made(40, letters) + "»", "«tvly-" + made(32, letters) + "»", "«fc-" + made(32, hex) + "»", "«dckr_pat_" + made(27, letters) + "»", "«pat_" + made(40, letters) + "»", "«key-" + made(32, hex) + "»",
	"«pk.eyJ1I" + made(60, letters) + "." + made(22, letters) + "»", `SECRET_KEY = "«django-insecure-` + made(50, letters) + `»"`,
	"«ops_eyJ" + made(300, letters) + "»", "«sl.B" + made(135, letters) + "»", "«nfp_" + made(36, letters) + "»", "«sntrys_eyJ" + made(90, letters) + "_" + made(43, letters) + "»", "«NRAK-" + made(27, base32) + "»", "«ATBB" + made(32, letters) + "»", "«pat" + made(14, letters) + "." + made(64, hex) + "»", "«" + made(32, hex) + "-us6»",
	"«nsec1" + made(58, "023456789acdefghjklmnpqrstuvwxyz") + "»", "pay «L" + made(51, base58) + "» out", "«oy2" + made(43, small) + "»", "«cio" + made(32, letters) + "»", "«sqp_" + made(40, hex) + "»", "«CCIPAT_" + made(22, letters) + "_" + made(40, hex) + "»", "«bkua_" + made(40, hex) + "»", "«vcp_" + made(56, letters) + "»",
	"«re_" + made(8, letters) + "_" + made(24, letters) + "»", "«sk_" + made(48, hex) + "»", "«pcsk_" + made(6, letters) + "_" + made(60, letters) + "»", "«CFPAT-" + made(43, letters) + "»", "«pat-na1-" + made(8, hex) + "-" + made(4, hex) + "-4a5b-8c9d-" + made(12, hex) + "»", "«tfp_" + made(44, letters) + "_" + made(14, letters) + "»",
	"«AAAAAAAAAAAAAAAAAAAAA" + made(8, letters) + "%2B" + made(70, letters) + "»", "cohere key «" + made(40, letters) + "»", "my datadog api key is «" + made(40, small) + "», why?", "root:«$6$" + made(16, letters) + "$" + made(86, letters) + "»:19000:0", "«$2b$12$" + made(53, letters) + "»", "«$argon2id$v=19$m=65536,t=3,p=4$" + made(22, letters) + "$" + made(43, letters) + "»", "«pbkdf2_sha256$600000$" + made(22, letters) + "$" + made(43, letters) + "=»",
	// in addresses
	"https://«" + made(40, hex) + "»@github.com/a/b", "SENTRY_DSN=https://«" + made(32, hex) + "»@o123.ingest.sentry.io/4", "https://x.blob.core.windows.net/c?sv=2022&sig=«" + made(43, letters) + "%3D»&se=2030",
	"https://b.s3.amazonaws.com/k?X-Amz-Credential=x&X-Amz-Signature=«" + made(64, hex) + "»", "see https://x.org/f?token=«" + made(32, letters) + "» there",
	// keys and numbers
	"«---- BEGIN SSH2 ENCRYPTED " + "PRIVATE KEY ----\nP2/56wAAAi4A\n---- END SSH2 ENCRYPTED " + "PRIVATE KEY ----» after", "client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tL" + made(60, letters) + "»", "«xprv9" + made(106, letters) + "»",
	"«4111111111111111» 09/27", "Visa «4111 1111 1111 1111» 12/28 737", "mastercard «5105-1051-0510-5100» 12/28", "«4111 1111 1111 1111» 0927", "«4111111111111111»/09/27/123", "order 12 «4111 1111 1111 1111»", "12/28 «4111–1111–1111–1111»",
	"«٤١١١ ١١١١ ١١١١ ١١١١» ٠٩/٢٧", "«４１１１　１１１１　１１１１　１１１１» 12/28", "«41\u200b11 1111 1111 1111»", "pass\u200bword: «apfelbaum9»", "Passwo\u0308rd: «apfelbaum9»", "paſſword: «apfelbaum9»", "contrasen\u0303a: «apfelbaum9»", "ｐａｓｓｗｏｒｄ：«apfelbaum9» ｐ", "PIN: «٤٤٧١» ٩",
	"wallet key «5" + made(50, letters) + "»", "«4111\u00a01111\u00a01111\u00a01111»", "«4111\u20111111\u20111111\u20111111»", "iban «de89370400440532013000»", "SSN: «078-05-1120»", "2FA backup codes: «84736251 19283746»", "license: «AAAA1-BBBB2-CCCC3-DDDD4-EEEE5»",
	"«legal winner thank year wave sausage worth useful legal winner thank yellow»", "can you check this: «velvet hammer orbit tuna crisp maple lunar ghost width spare oven pencil»?", "Seed words:\n«1. legal\n2. winner\n3. thank\n4. year\n5. wave\n6. sausage\n7. worth\n8. useful\n9. legal\n10. winner\n11. thank\n12. yellow»\nok",
	"[\"«legal\", \"winner\", \"thank\", \"year\", \"wave\", \"sausage\", \"worth\", \"useful\", \"legal\", \"winner\", \"thank\", \"yellow»\"]", "«abeja ácido acuerdo adorno afición ágil aire alarma alba álbum alcalde aldea»", "seed phrase: «1. quokka 2. winner 3. thank 4. year 5. wave 6. sausage 7. worth 8. useful 9. legal 10. winner 11. thank 12. yodel»",
	"backup codes «1. aa11-bb22-cc33 2. 77dj-82ks-1k2l 3. 9d8f-2k3j-44ls» thanks", "recovery codes:\n«" + strings.Repeat("4f2ab-90cd1\n", 29) + "4f2ab-90cd1»\nok", "my backup codes are «12345678, 23456789 and 34567891»", "código de recuperación: «9KX4-TT02-LQ8M»", "mijn herstelcode is «6QF2-0WRA-88LZ»",
	"seed: «abandon ability able about above absent absorb abstract absurd abuse access accident»", "my recovery phrase is\n«legal winner thank year wave sausage worth useful legal winner thank yellow»",
}

func TestASecretGoesInEveryShape(t *testing.T) {
	for _, marked := range shapes {
		before, rest, _ := strings.Cut(marked, "«")
		secret, after, _ := strings.Cut(rest, "»")
		got, _ := Text(t.Context(), before+secret+after)
		if strings.Contains(got, secret) || !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) {
			t.Errorf("%q became %q", marked, got)
		}
		if again, _ := Text(t.Context(), got); again != got {
			t.Errorf("redacted again: %q, %q", got, again)
		}
	}
}

// ordinaryTalk must stay whole.
var ordinaryTalk = []string{
	"the password is required", "reset your password", "Reset your password to continue.", "token limit is 4096", "git push -p", "secret santa is on Friday", "The password was changed to be longer", "set a password to protect the page", "set the password to something strong",
	"change the password to the new one", "the password field is disabled", "the password is case-sensitive", "the password is stored encrypted", "my password is expired", "my password is compromised", "our password is outdated", "Das Passwort ist abgelaufen", "mein Passwort ist gesperrt",
	"le mot de passe est obligatoire", "la contraseña es obligatoria", "password - at least 12 characters", "password → see the vault", "| password | string | required |", "| password | varchar(255) | not null |", "| token | the one of the session |", "Password (optional)", "Password (min. 8 characters): required",
	"--- PASS: TestReload9 (0.02s)", "PASS: 12, FAIL: 0", "pass an explicit -mod=vendor flag", "pass m+1 to the call", "pass: the third", "first pass: done", "bypass: enabled", "pw is short for password", "pw=80 px wide", "the pass over the Alps", "compass: north",
	"unzip -p a.zip", "mkdir -p build/out", "docker run -p 8080:80 web", "ssh -p 2222 host", "cp -a src dst", "openssl x509 -in cert.pem", "openssl rand -hex 32", "redis-cli -h cache ping", "mongosh --port 27017", "7z x archive.7z", "ldapsearch -x -b dc=example", "echo done | tee log", "echo hello | sudo tee /etc/motd", "curl -s https://example.org/a?page=2&sort=name",
	"https://example.org/login?next=/account", "https://example.org/?key=name&code=42", "https://example.org/a@b", "https://github.com/torvalds/linux", "login: see the wiki", "login at 10:30", "credentials: none", "log in / sign up", "log in with OAuth2 or Google", "logged in with the account of Ann", "connected with SSL/TLS and retry=3", "signed in with Google+GitHub", "angemeldet mit ann@example.org", "the password is now required", "le mot de passe est maintenant obligatoire", "login/logout buttons", "login: bob", "Login / Registrierung",
	"commit 9fceb02d0ae598e95dc970b74767f19372d61af8", "revert 1a2b3c4", "digest sha256:" + made(64, hex), "uuid 550e8400-e29b-41d4-a716-446655440000", "version 1.26.0-rc.2+build5", "v2.13.4", "ISBN 978-3-16-148410-0", "/usr/local/share/ca-certificates/root.crt", "C:\\Users\\ann\\token.txt", "~/.ssh/id_ed25519.pub",
	"4111 1111 1111 1112 12/28", "٤١١١١١١١١١١١١١١٢", "https://example.org/orders/4111111111111111/items", "1700000000123 2026/11/29", "the pass\u200bword is re\u00adquired", "+49 30 901820", "(555) 123-4567", "order 40028-11923", "Bestellung DE-2026-000471", "invoice RE2026-0815", "tracking 00340434161094042557", "ticket SHOP-1234", "room B-214", "flight LH1234 on 2026-12-03", "port 5432 on host db1", "192.168.178.1", "2001:db8::1", "aa:bb:cc:dd:ee:ff",
	"key: value1", "key-value store", "the key is under the mat", "primary key: user_id", "token: Bearer", "token count: 1234", "secret: true", "secretName: shop-tls", "api_key: string", "API key: see the vault", "license: Apache-2.0", "License: MIT", "product key: unknown",
	"seed: 42", "seed=1234567890", "backup codes: keep them safe", "recovery phrase: write it down", "social security is discussed", "the seed of the random numbers is 20261122", "wallet: empty", "import the wif format", "the signature is (a, b) int", "sig=3", "?code=200", "PIN the version", "the pin is bent", "pin 12 is ground", "max tokens = 128000",
	"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUR" + made(40, letters), "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + made(40, letters), "password reset tokens last 15 minutes", "Passwords:\nkeep them in the vault", "Forgot password\nUbuntu",
}

func TestOrdinaryTalkStaysWhole(t *testing.T) {
	if len(ordinaryTalk) < 80 {
		t.Fatalf("%d texts", len(ordinaryTalk))
	}
	for _, text := range ordinaryTalk {
		if got, kinds := Text(t.Context(), text); got != text || kinds != nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}
