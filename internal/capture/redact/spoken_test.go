package redact

import (
	_ "embed"
	"strings"
	"testing"
)

// spoken are what people type, by kind of secret, where «…» stands around what must go.
var spoken = map[string][]string{
	"two in one sentence": {
		"old password «tigerlily6» and the new one is «Tigerlily66!», neither works", "my old pin was «5823», the new one is «7714»", "Die alte PIN ist «5823» und für die Kreditkarte «9146»", "le code pin de la carte est «5823» et celui du téléphone «9146»",
		"la contraseña de casa es «Cereza.71» y la de la oficina es «Cereza.72»", "het wachtwoord was «appeltaart8», nu is het «Appeltaart88»", "the wifi password is «meadow-lark7», for guests it's «Meadow-Guest1»", "Passwort früher «Kaktus_44», jetzt ist es «Kaktus_45!»",
	},
	"behind its name": {
		"user root, password «Maple_cross4», host 10.2.3.4", "Benutzer eva.klein, Kennwort «Regenschirm31.» Geht nicht.", "login kim, passwd «Walnut-Tree8», nothing happens", "mot de passe «Framboise_12», identifiant paul", "utente marco, password «Girasole_88», errore 403",
		"usuario pepa, contraseña «Naranja-45», no entra", "wachtwoord «Tulpenveld_3», gebruiker jan", "пароль от роутера «Berezka_1975», не работает", "hasło do poczty «Jarzebina-77», login ewa", "heslo je «Javor_2015?»", "my netflix password, «Otter_pond5», stopped working",
		"the password for the scanner is «heron-pond-19» I think", "password of the nas: «badger12x»", "the pw of my mail is the dog and a year, «Rufus2011.»", "mon mdp c'est «Cerise-48»", "Le mot de passe du NAS, c'est «Myrtille-52», merci", "a senha do roteador é «Goiaba_71»", "mein Passwort (es ist «Spatzennest8») wurde geleakt", "they guessed my password (it's «unicorn77x», sorry)",
		"hab das Passwort auf «hansaforever12» geändert", "I changed the password to «quokka-Field9» yesterday", "密码是«Meihua_2020»吗", "パスワードは«sakura88neko»です", "contraseña wifi: «nubes&trigales»", "Passwort Router: «Fichtennadel#3»",
	},
	"behind words of any language": {
		"le mot de passe de l'espace adhérents c'est «Chene!Vert-31bois»", "le mot de passe c'est «Chene!Vert31»", "mon mdp caf.fr est «Tr7!lilasBleu4»", "mot de passe caf.fr = «Chene!Vert31»", "le nouveau mdp du compte fournisseur ce sera «Chene!Vert31»",
		"the password's «Chene!Vert31»", "my password for example.org is «Chene!Vert31»", "la password di esempio.it è «Chene!Vert31»", "hasło do poczty to «Chene!Vert31»",
	},
	"in a note": {
		"password «hunter2»", "password «hunter2» for the router", "remember: password «hunter2»", "wifi password «hunter2»", "- the password «hunter2»\n- milk", "Passwort «kaktus44» für das Forum", "mot de passe «framboise12»",
		"«ghp_abcdEFGHijklMNOPqrstUVWXyz0123456789»", "my github token is «ghp_abcdEFGHijklMNOPqrstUVWXyz0123456789»",
	},
	"where it is used": {
		"das WLAN-Passwort im Büro ist «Zimtstern#2026», falls der Testrechner fragt", "Passwort im Keller ist «Zimt#2026»", "das Passwort an der NAS ist «Lebkuchen44!»", "Passwort auf dem Server heißt «Printe?1999»", "Admin-Passwort im Wiki lautet «Vanille!Kipferl7»",
		"mein Kennwort im Intranet ist «Printe?1999»", "la contraseña en la oficina es «Churros!2288»", "le mot de passe dans le bureau est «Croissant#45»", "the shared secret between both services is «cheese-Cake-7741»", "remember that the vpn secret is «Mango-Lassi-89»", "basic auth on staging is «bob:Bagel!Cream88»",
	},
	"of several": {
		"alarm pin «6642.» my phone unlocks with «190583»", "wifi passwort gast: «Bergblick77» und fuer uns «Talblick88»", "aws: «AKIA4QZT7LKPW2XNVB6D» / «h7Kp2QzVt9XwLm4RbNc8YdJf3GsAe6UoTi1PqWxZ» for the backups", "tresor «24-31-08» links rechts links",
	},
	"the key of a network": {
		"wifi is Attic_Guest, key is «copper-teapot-83», checkout at ten", "WLAN: Hof_Gast, Schlüssel: «Heuboden#6»", "das WLAN heißt Kate5 und der Schlüssel ist «Apfelkiste-44»", "Wifi : LesCerisiers, clé : «7mwq-cerise-19»", "red wifi Patio, clave «girasol!2021»", "clave del wifi: «almendro2019»", "chiave wifi: «tramonto5blu»", "rete wifi Ospiti, chiave: «scoglio-blu-7»",
		"WiFiのSSIDはHana_Cafe、キーは«hojicha77pan»です", "the ssid is Loft and the network key is «w1ndmill-Creek»", "chave do wifi: «maracuja_88»", "klucz do wifi: «sosna-Las-12»", "wifi sleutel: «molenwiek_6»", "network={\n  ssid=\"Barn\"\n  psk=\"«threshing5floor»\"\n}",
	},
	"the pair of an account": {
		"For the demo box use mara / «Gr3yOtter», for live it's mara / «sl4te-Pier» please", "creds for staging: tomas / «Rhubarb44»", "Zugangsdaten für das Forum: kassenwart / «Lindenblatt9», fürs Wiki kassenwart / «Eichenlaub!2»", "les identifiants du site : bureau / «Noisette31»", "le credenziali del sito: tesoriere / «ottobre77»",
		"credenciales del foro: socia / «Ventana45»", "use svc_backup / «P1nto-Bean» to connect", "inloggegevens: beheer / «Klompen12»", "dane logowania: biuro / «Kasztan55»",
	},
	"a passphrase": {
		"my vault passphrase is \"«nine green herons above the mill»\", ok?", "Die Passphrase ist „«vier alte Boote hinterm Deich»“", "minha senha é \"«vento frio na janela velha»\", serve?", "the password is '«quiet river bends twice north»'",
	},
	"what opens a door": {
		"gate code «7306», the alarm «640917»", "the code for the side door is «4471#»", "alarm code «902817» within a minute", "Türcode «5583»", "der Code für die Haustür ist «2847»", "code du portail «6120A», code de l'alarme «88213» — merci", "el código de la puerta es «5512» y el de la alarma «9921»",
		"il codice del cancello è «7741»", "kod do bramy «5521#»", "код от подъезда «38К1946»", "de code van de kluis is «73915»", "her tablet unlock is «1379»", "the key safe opens with «4826»", "the safe combination is «402816»",
		"PIN do karty «5823», kod do domofonu «41#660»", "пин карты «5823»", "il PUK della sim è «41830562»", "pincode van de kelder is «6120» en het kluisje gaat open met «3391»", "PIN for the side gate is «7306»", "código pin de la tarjeta: «5823»",
	},
	"further factors and keys": {
		"2FA setup key for the shop: «MZXW 6YTB OI2G C43F NNSX 2LTP»", "authenticator key: «mzxw 6ytb oi2g c43f nnsx 2ltp»", "my backup codes for the forum if the phone breaks:\n«7d1f2-b90ae\n44c0a-19e3d\nf02b7-6610c»\nwhere to put them?", "Notfallcodes:\n«4821-9930\n7714-2208\n6650-1193»\nSo?", "BitLocker recovery key «514203-225719-400318-661925-702416-118305-336127-590414» loops",
		"Wiederherstellungsschlüssel: «514203-225719-400318-661925-702416-118305-336127-590414»", "códigos de recuperación: «84736251, 19283746»", "my seed phrase: «copper anchor violin meadow tractor lemon quilt harbor sketch walnut ribbon glacier»",
		"snmp v3: auth SHA with «Oysterb4nk77», priv AES with «R4zorshell88»", "snmpwalk -v3 -u mon -a SHA -A «oyster4bank» -x AES -X «razor4shell» 10.0.0.4",
	},
	"behind a label": {
		"wifi password (guest) is: password: «Blau-Wal-77»", "deploy password (staging): password: «hunter2-Zz88»", "deploy password: password: «hunter2-Zz88»", "deploy password (note): pin: «4711»", "alarm pin: code: «4711»", "the password is password: «hunter2-Zz88»",
		"Passwort (Gast): Kennwort: «Zimtstern»", "mot de passe (invité) : mot de passe : «Cerise-48»", "密码（访客）：密码：«Meihua_2020»",
	},
	"in a list": {
		"Passwords: grafana: «hunter2-Zz88», sentry: «kq83-Xx1»", "Passwords: grafana «Fjord-Zebra-42», sentry «Blau-Wal-77»", "Passwords: grafana admin: «hunter2-Zz88»; sentry (admin): «kq83-Xx1»", "Passwords:\n- grafana: «hunter2-Zz88»\n- sentry: «kq83-Xx1»", "PINs: card: «4711», phone: «9921»",
		"Passwords: grafana = «hunter2-Zz88», sentry = «kq83-Xx1»", "Passwörter: Grafana: «Zimtstern#2026», Sentry: «Kq83-Xx1»", "Mots de passe : grafana : «Cerise-48», sentry : «Framboise_12»", "contraseñas: grafana: «Cereza.71», sentry: «Ventana45»", "пароли: графана: «Berezka_1975», сентри: «Sosna-12»",
	},
	"in a setting or a command": {
		"resource \"x\" \"y\" {\n  username          = \"app\"\n  password          = \"«mT4vHeronPond»\"\n}", "DB_MOT_DE_PASSE=«Groseille_41»", "echo '«svc:Walnut-sky5»' | sudo chpasswd", "[db]\npass        = «mT4vHeron!»",
	},
}

// unspoken are of the same words, and hold no secret.
var unspoken = []string{
	"the old password and the new one must differ", "the old password was too short and the new one is too long", "PIN 3 is ground and pin 14 is the clock", "the pin of the hinge is 8 mm thick", "Verbinde Pin 12 mit Pin 13", "the pin for GPIO is 18",
	"password rules: 8 to 20 characters, see policy-2024", "wifi password guests: none", "AKIA ids and /usr/share/aws-sdk-go-v2/service/internal/presigned-url/doc.go",
	"password sha256 or bcrypt?", "the password, sha256sum of the file, and the name", "password hashing with PBKDF2-SHA512, please", "which password policy does ISO-27001 ask for?", "password for user jsmith42 expired", "the password of account 4711 was reset", "Passwort für Windows11 vergessen", "my password, like everybody's, is weak", "forgot the password, again.", "password, username, e-mail",
	"le mot de passe, c'est la base de la sécurité", "la contraseña es la de siempre", "hasło to podstawa", "das Passwort, es ist weg", "mon mot de passe, c'est compliqué", "a password (it's the old one) is on paper", "the password manager is 1Password", "password length: 12", "password rules: 8 to 20 characters", "set the password to at least 12-characters",
	"the wifi is slow and the key is under the mat", "WLAN-Schlüssel ändern, wie geht das?", "the key for the ssid is WPA2", "wifi key: WPA2-PSK", "clé de sol, clé de fa", "la clave del éxito: constancia", "the key is user_id, not email", "wifi 6 uses 802.11ax, the key is AES-256", "SSID and key are printed on the label", "key: value1\nwifi: on",
	"error code 4509 on the alarm panel", "the door returns status code 503", "zip code 90210 of the portal", "code 404 from the gate", "exit code 137", "Postleitzahl 10115, Code of Conduct", "the code of the door module has 4509 lines", "the source code 2024 of the alarm", "unlock the door at 18:30", "discount code at the door", "QR code on the door", "the safe opens with a key", "Fehlercode 4711 an der Alarmanlage",
	"password sha256 for the router", "we store the password argon2 hashed", "a password policy2024 is what they call it", "password form2 for guests", "alphabet = abcdefghijklmnopqrstuvwxyz0123456789",
	"use int32 / int64", "use Debian-12 / Ubuntu-22", "login p50 / p99", "try before / after", "add login/logout links", "the creds are in the vault / ask Eva", "login with Kerberos5 / LDAP", "which is better, admin/user roles or flags?", "identifiants / mot de passe oublié", "see accounts/v1beta1 of the API", "connect the builder({'on_click': (click, arg1)})",
	"passwords: see the vault", "password: rotated monthly", "the wifi password rotates yearly", "password: type: string, minLength: 8", "password: required: true", "passwords: policy: strict", "passwords: minimum length: 12, maximum length: 64", "passwords: see Ticket-4711", "password: note: the vault has it", "password: format: base64", "password: TODO: set it", "Passwords:\n- kind: scrypt\n- rotation: 2026-12", "PINs: 1 is ground, 2 is clock",
	"the password prompt says \"wrong password, try again please\"", "the password is \"not set\"", "his password is \"the same as always\"", "the passphrase is \"required for all users\"",
	"backup codes: ten of 8 digits each", "recovery codes are shown once:\nwrite them down", "our two-factor setup takes FOUR MORE DAYS THEN DONE", "Download the backup codes:\nSettings, Security, Codes", "the recovery key has 48 digits in 8 groups", "otp length is 6", "snmp with SHA and AES is enough", "snmp community public", "set snmp auth to SHA-256",
	"parser.add_argument('--password', required=True)", "USER_PASSWORD               = 1", "PATH_PASSWD       = \"/etc/passwd\"", "passwd:         files", "const AUTH_PASSWORD     = iota", "password             string", "SYS_MUNLOCK   = 204", "{\"name\": \"code\", \"value\": \"200\"}", "Key: \"k\", Value: \"v1\"", "prompt, password=password, stream=stream", "postgres://user:%s@host/db",
}

// moreSpoken and moreUnspoken are prompts, one a line, in ten languages.
//
//go:embed testdata/spoken.txt
var moreSpoken string

//go:embed testdata/unspoken.txt
var moreUnspoken string

func TestASecretGoesAsPeopleTellIt(t *testing.T) {
	for kind, lines := range spoken {
		for _, marked := range lines {
			parts := strings.Split(strings.ReplaceAll(marked, "»", "«"), "«")
			got, _ := Text(t.Context(), strings.Join(parts, ""))
			for i, part := range parts {
				if stays := strings.Contains(got, part); stays == (i%2 == 1) {
					t.Errorf("%s: %q became %q", kind, marked, got)
					break
				}
			}
			if again, _ := Text(t.Context(), got); again != got {
				t.Errorf("redacted again: %q became %q", got, again)
			}
		}
	}
}

func TestPromptsLoseTheirSecrets(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(moreSpoken), "\n") {
		parts := strings.Split(strings.ReplaceAll(strings.ReplaceAll(line, `\n`, "\n"), "»", "«"), "«")
		got, _ := Text(t.Context(), strings.Join(parts, ""))
		for i := 1; i < len(parts); i += 2 {
			if strings.Contains(got, parts[i]) {
				t.Errorf("%q became %q", line, got)
			}
		}
		if again, _ := Text(t.Context(), got); again != got {
			t.Errorf("redacted again: %q became %q", got, again)
		}
	}
}

func TestWhatIsSaidOfSecretsStays(t *testing.T) {
	for _, text := range append(strings.Split(strings.TrimSpace(moreUnspoken), "\n"), unspoken...) {
		if got, _ := Text(t.Context(), text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
