package redact

import (
	"strings"
	"testing"
)

// declared are secrets in the languages of infrastructure and of shells, in tables and
// in sentences, where «…» stands around what must go.
var declared = []string{
	// a name in one place, and its value behind "default" or "value"
	`variable "db_password" { default = "«Quittenbaum»" }`, "variable \"db_password\" {\n  type      = string\n  sensitive = true\n  default   = \"«Quitte77!»\"\n}",
	`variable "root_pass" { default = "«Quitte77!»" }`, "variable \"api_token\" {\n  default = \"«q8Zr4Tn2Lw9Xk3Vb7»\"\n}",
	`{ name = "DB_PASSWORD", value = "«quittenbaum»" }`, `{"name": "DB_PASSWORD", "value": "«quittenbaum»"}`, "- name: DB_PASSWORD\n  value: «quittenbaum»\n- name: REGION\n  value: eu-west-1", "- name: \"DB_PASSWORD\"\n  value: \"«quitte 77»\"",
	"Parameters:\n  DBPassword:\n    Type: String\n    NoEcho: true\n    Default: «Quitte77!»\n", `{"ParameterKey": "DBPassword", "ParameterValue": "«Quitte77!»"}`, `"adminPassword": { "value": "«Quitte77!»" }`, `ParameterKey=DbPassword,ParameterValue=«Quitte77!»`,
	`param adminPassword string = '«Quitte77!»'`, `<add key="Password" value="«Quitte77!»" />`, `<property name="password" value="«quittenbaum»"/>`, `<entry key="password">«quittenbaum»</entry>`, `<param name='db.password'>«Quitte77!»</param>`,
	`define('DB_PASSWORD', '«quittenbaum»');`, `os.environ["DB_PASSWORD"] = "«quittenbaum»"`, `os.getenv("DB_PASSWORD", "«Quitte77!»")`, `os.environ.setdefault('DB_PASSWORD', '«Quitte77!»')`, `System.setProperty("db.password", "«Quitte77!»");`,
	`ENV DB_PASSWORD «Quitte77!»`, `ENV DB_PASSWORD=«Quitte77!»`, `setx DB_PASSWORD «Quitte77!»`, `setx DB_PASSWORD "«Quitte 77!»" /M`, `set -gx DB_PASSWORD «Quitte77!»`, `setenv DB_PASSWORD «quitte77»`,
	`pulumi config set --secret dbPassword «Quitte77!»`, `pulumi config set dbPassword «Quitte77!» --secret`, `heroku config:set DB_PASSWORD=«Quitte77!»`, `vault kv put secret/db password=«Quitte77!»`, `gh secret set DB_PASSWORD --body "«Quitte77!»"`, `gh secret set DEPLOY -b «Quitte77!»`,
	`helm install x --set auth.password=«Quitte77!»`, `users.users.ann.initialPassword = "«Quitte77!»";`, `ansible_become_pass: «Quitte77!»`,
	// accounts
	`net user ann «Quitte77!» /add`, `net user ann «quittenbaum» /add /domain`, `net user "Ann Lee" «Quitte77!»`, `net.exe user ann «quittenbaum» /ADD`, `NET USER ann "«Quitte 77!»" /add`,
	`cmdkey /add:srv /user:ann /pass:«Quitte77!»`, `wmic /node:srv /user:ann /password:«Quitte77!» os get name`, `schtasks /create /ru ann /rp «Quitte77!» /tn x`, `xfreerdp /v:srv /u:ann /p:«Quitte77!»`,
	`$p = ConvertTo-SecureString "«Quitte77!»" -AsPlainText -Force`, `ConvertTo-SecureString -String '«quittenbaum»' -AsPlainText -Force`, `[Environment]::SetEnvironmentVariable("DB_PASSWORD", "«Quitte77!»", "User")`, `$env:DB_PASSWORD = "«Quitte77!»"`,
	`CREATE USER ann WITH PASSWORD '«quittenbaum»';`, `CREATE USER 'ann'@'%' IDENTIFIED BY '«quittenbaum»';`, `ALTER ROLE ann PASSWORD '«quittenbaum»'`, `ALTER USER ann IDENTIFIED WITH mysql_native_password BY '«Quitte77!»'`, `CREATE LOGIN ann WITH PASSWORD = '«Quitte77!»'`, `SET PASSWORD FOR 'ann' = PASSWORD('«Quitte77!»')`,
	`echo "«ann:Quitte77!»" | chpasswd`, `chpasswd <<< "ann:«Quitte77!»"`, `dscl . -passwd /Users/ann «Quitte77!»`, `sysadminctl -addUser ann -password «Quitte77!»`, `echo -e "«Quitte77!»\n«Quitte77!»" | passwd ann`,
	`curl -u «ann:Quitte77!» https://example.org`, `curl --user «'ann:Quitte77!'» https://example.org`, `lftp -u ann,«Quitte77!» host`, `sqlplus ann/«Quitte77!»@db`, `sqlcmd -S srv -U ann -P «Quitte77!» -Q x`, `ipmitool -H h -U ann -P «Quitte77!» power on`,
	`nmcli dev wifi connect Home password «quittenbaum»`, `wpa_passphrase Home «quittenbaum»`, `security add-generic-password -a ann -s x -w «Quitte77!»`, `keytool -list -storepass «Quitte77!»`, `ssh-keygen -t ed25519 -N "«quitte baum»"`, `signtool sign /f a.pfx /p «Quitte77!» x.exe`,
	// tables
	"| Host | User | Password |\n|------|------|----------|\n| db1 | root | «quittenbaum» |", "| User | Passwort |\n| --- | --- |\n| ann | `«Quitte 77»` |\n", "| Service | Password |\n|:--|:-:|\n| mail | «Quitte77!» |", "Host | User | Password\n--- | --- | ---\ndb1 | root | «Quitte77!»",
	"| Benutzer | **Kennwort** |\n|---|---|\n| ann | «quittenbaum» |", "| Compte | Mot de passe |\n|---|---|\n| ann | «quittenbaum» |", "| Usuario | Contraseña |\n|---|---|\n| ann | «quittenbaum» |", "| User | Root password (new) |\n|---|---|\n| ann | «quittenbaum» |",
	"| Account | PIN |\n|---|---|\n| bank | «4471» |", "| Service | API key |\n|---|---|\n| maps | «q8Zr4Tn2Lw9Xk3Vb7» |", " user | password \n------+----------\n ann  | «quittenbaum»\n(1 row)", "+------+-----------+\n| user | password |\n+------+-----------+\n| ann  | «quittenbaum» |\n+------+-----------+",
	"│ user │ password │\n├──────┼──────────┤\n│ ann  │ «quittenbaum» │", "user,password\nann,«quittenbaum»\n", "name,url,username,password,note\nMail,https://example.org,ann,«Quitte77!»,\"a, b\"\n", "user;passwort\r\nann;«quittenbaum»\r\n", "user\tpassword\nann\t«quittenbaum»\n", "\"username\",\"password\"\n\"ann\",\"«quitte, baum»\"",
	"username, password\nann, «Quitte77!»\n", "USER      PASSWORD     HOST\nann       «Quitte77!»    db1\n", "Benutzer   Kennwort\n--------   --------\nann        «Quitte77!»\n",
	// sentences
	"login with ann / «Quitte77!»", "Log in with ann / «Sommer24» please", "you can log in as admin / «quittenbaum».", "login with ann@example.org / «quittenbaum»", "sign in with ann.lee / «hunter2»", "log in using admin/«Quitte77!»", "logged in as root / «t00r»", "login: ann, «Quitte77!»",
	"use ann / «Quitte77!» to log in", "the credentials are ann / «Sommer24»", "test account: ann / «Sommer24»", "demo user demo / «demo1234»", "Melde dich mit ann / «Sommer24» an", "einloggen mit ann / «Sommer24»", "Anmeldung als admin / «quittenbaum»", "Zugang: ann / «Sommer24»",
	"connecte-toi avec ann / «Soleil83»", "se connecter avec ann / «Soleil83!»", "identifiants : ann / «Soleil83»", "inicia sesión con ann / «Verano24»", "entra con ann / «Verano24!»", "credenciales: ann / «Verano24»", "user ann with «Quitte77!» as password", "username: ann\npassword: «quittenbaum»",
	// written after the rules
	"variable \"admin_password\" {\n  description = \"admin login\"\n  default     = \"«Mispel#42»\"\n}", `variable "rds_master_password" { type = string, default = "«mispelbaum1»" }`, "variable \"github_token\" {\n default=\"«x7Kq92LmPz44TtYw»\" }",
	"resource \"aws_db_instance\" \"x\" {\n  password = \"«mispelbaum»\"\n}", "locals {\n  db_password = \"«mispelbaum»\"\n}", "      - name: POSTGRES_PASSWORD\n        value: \"«mispelbaum»\"", "env:\n  - name: REDIS_PASS\n    value: «Mispel#42»",
	"    {\n      \"name\": \"MYSQL_ROOT_PASSWORD\",\n      \"value\": \"«mispelbaum»\"\n    }", "  MasterUserPassword:\n    Type: String\n    Default: «Mispel#42»\n    MinLength: 8", `"administratorLoginPassword": {"type": "securestring", "defaultValue": "«Mispel#42»"}`,
	"net user bob «Mispel42x» /add && net localgroup administrators bob /add", "C:\\> net user guest «mispel» /active:yes", "Net User bob «M!spel»", "net user bob \"«mispel baum»\" /add",
	"| Account | Password | Notes |\n|---|---|---|\n| admin | «mispelbaum» | main |\n| bob | «Mispel#42» | |", "| Login | Kennwort |\n|:---|---:|\n| bob | «geheim» |", "|Server|Nutzer|Passwort|\n|-|-|-|\n|nas|bob|«geheim99»|", "| Service | Username | Password |\n| ------- | -------- | -------- |\n| Jira | bob | **«Mispel42»** |",
	"login,password\nbob,«geheim»\neve,«Mispel#42»", "email;password\nbob@example.org;«mispelbaum»", "id,name,email,password\n1,Bob,bob@example.org,«mispel42»", "username\tpassword\nbob\t«Mispel#42»", "Login     Password\n-----     --------\nbob       «Mispel#42»\neve       «mispel99x»", "Utilisateur,Mot de passe\nbob,«mispel»",
	"log in with bob / «Mispel42»", "You can login with bob/«Mispel#42».", "please sign in as bob / «p4ssw0rt»", "Log in with admin / «mispelbaum»", "Einloggen als bob / «Mispel42»", "Bitte mit bob / «Mispel#42» anmelden", "connectez-vous avec bob / «Nefle42!»", "iniciar sesión con bob / «Nispero42»", "the login is bob / «Mispel42»", "admin user: admin / «mispelbaum»", "Test-Zugang: bob / «Mispel42»", "accède avec bob / «Nefle42»", "log into the router with admin / «mispelbaum»",
	"CREATE USER bob IDENTIFIED BY '«mispel»'", "GRANT ALL ON *.* TO 'bob'@'localhost' IDENTIFIED BY '«mispel»'", "export const password: string = '«mispelbaum»'", "setx API_TOKEN «mispel42x»", "define( 'DB_PASSWORD', '«mispelbaum»' );",
}

// undeclared stand beside what declared finds, and must stay whole.
var undeclared = []string{
	`variable "region" { default = "eu-west-1" }`, `default = "eu-west-1"`, "variable \"db_password\" {\n  type      = string\n  sensitive = true\n}\n\nvariable \"region\" {\n  default = \"eu-west-1\"\n}", `variable "password_length" { default = 24 }`, `variable "db_password" { default = "" }`, `variable "db_password" { default = var.other }`,
	`variable "db_password" { description = "The password of the database", default = null }`, `variable "token_ttl" { default = "3600s" }`, `variable "secret_name" { default = "shop-tls-2024" }`, "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n      key: value1\n- name: REGION\n  value: eu-west-1", `{"name": "password", "type": "string", "required": true}`,
	"password:\n  type: string\n  description: the password of the account\n  default: null", `{"name": "DB_PASSWORD", "value": "${DB_PASSWORD}"}`, `<input name="password" type="password" value="">`, `<label for="password">Password</label>`, `<input type="password" name="password" placeholder="Enter your password">`, `<add key="Password" value="#{DbPassword}" />`,
	`param adminPassword string`, `os.getenv("DB_PASSWORD", "")`, `os.getenv("DB_PASSWORD", None)`, `form.add("password", "Password")`, `["username", "password", "email"]`, `t("password", "Your password")`, `ENV PASSWORD_FILE /run/secrets/db`, `setx PATH "%PATH%;C:\bin"`, `validates("password", min=8)`,
	`gh secret set DB_PASSWORD < file`, `vault kv get secret/db`, `helm install x --set auth.existingSecret=db-auth`, `pulumi config get dbPassword`,
	`net user`, `net user ann`, `net user ann /delete`, `net user ann * /add`, `net user ann /active:yes`, "net user growth was 5% this year", "the net user experience got better", "net users added 2024", `net user %USERNAME% %PASSWORD% /add`, `ConvertTo-SecureString $plain -AsPlainText -Force`, `ConvertTo-SecureString turns a string into a secure one`,
	`CREATE USER ann WITH PASSWORD $1`, "IDENTIFIED BY means that a password follows", `ALTER USER ann PASSWORD EXPIRE`, `PASSWORD VALID UNTIL '2027-01-01'`, "rows are identified by 'id'", "curl -u $USER:$PASS https://example.org", "curl -u ann https://example.org", "docker run -u 1000:1000 x", "sort -u a:b", `ssh-keygen -t ed25519 -N ""`, "cp -P a b", "signtool verify /pa x.exe",
	"| Field | Password |\n|---|---|\n| Required | yes |\n| Length | 8 to 64 |", "| Method | Password | Token |\n|---|---|---|\n| Security | low | high |\n| Setup | easy | medium |", "| Column | Type | Note |\n|---|---|---|\n| password | varchar(255) | hashed |", "| user | password |\n|---|---|\n| varchar(20) | varchar(60) |", "| user | password |\n|---|---|\n| ann | ******** |\n| bob | see the vault |\n| eve | expired |\n| kim | — |\n| joe | |",
	"| Test | Pass | Fail |\n|---|---|---|\n| unit | 120 | 3 |", "| Pin | Function |\n|---|---|\n| 12 | GND |\n| 1234 | VCC |", "| Token | Count |\n|---|---|\n| hello | 1200 |", "| Model | Token limit |\n|---|---|\n| a | 128000 |", "| User | Password reset |\n|---|---|\n| ann | 2026-03-01 |", "| Week | kW |\n|---|---|\n| 12 | 4.5kW |",
	"We store the user, password and email.\nThanks, bob", "user,password\nare the two fields, as said.", "user, password\nThe two fields, explained", "username,password,email\nstring,string,string", "Name      Password set\nann       2026-03-01", "username and password\nann and bob",
	"login with Google / GitHub", "Log in with email / password", "sign in with SSO / SAML2", "login with OAuth2 / OIDC", "login with OpenID / OAuth 2.0", "log in as admin / editor", "log in with Windows / macOS", "sign in with username / password", "login with Facebook / Twitter / X", "log in with your phone / e-mail", "Anmelden mit Google / Apple", "einloggen mit Benutzername / Passwort", "connecte-toi avec Google / Apple",
	"inicia sesión con Google / Apple", "se connecter avec identifiant / mot de passe", "login with TLS1.2 / TLS1.3", "log in as ann / bob", "login with ann@example.org / bob@example.org", "log in with a 4-digit / 6-digit code", "use login / logout", "log in from 10.0.0.1 / 10.0.0.2", "sign in on web / iOS17", "login at https://example.org / see docs",
	"test account: see the wiki / ask Ann", "demo user and / or guest", "the password field is required", "user ann / group staff", "credentials are read / written", "logged in as ann / admin", "log in as root / sudo", "login with LDAP / Kerberos5", "login with FIDO2 / WebAuthn", "log in between 9 / 17", "Zugang: Mo / Di", "login page / v2.1", "log in with ann / see 1Password",
	// written after the rules
	"variable \"instance_type\" { default = \"t3.micro\" }", "variable \"db_password\" {\n  type = string\n  default = null\n}", "variable \"enable_password_rotation\" {\n  default = true\n}", "variable \"password_policy\" { default = \"strict-2024\" }", "output \"db_password\" { value = module.db.password }", "output \"db_password\" {\n  value     = aws_db_instance.x.password\n  sensitive = true\n}",
	"- name: DB_PASSWORD\n  value: $(DB_PASS)", "parameters:\n  - name: password\n    in: query\n    description: the password", "password:\n  minLength: 8\n  default: ''", "{\"name\": \"token\", \"value\": \"string\"}",
	"the net user count is 42", "run net user to list accounts", "net user bob /domain", "net user interface v2",
	"| Password | Strength |\n|---|---|\n| abc | weak |", "| Setting | Default | Password |\n|---|---|---|\n| tls | on | off |", "| Feature | Password login | SSO |\n|---|---|---|\n| cost | free | paid |", "| Endpoint | Token |\n|---|---|\n| /login | none |\n| /users | bearer |", "| Role | Can reset password |\n|---|---|\n| admin | yes |\n| user | own |", "| User | Has password |\n|---|---|\n| ann | yes |\n| bob | no |", "| User | Password |\n|---|---|\n| ann | expired |\n| bob | (in the vault) |\n| eve | n/a |\n| joe | <redacted> |",
	"name,age\nbob,42", "user, group, password policy\nann, staff, strict", "For user, host and password\nask Ann, please", "Fields: user,password\nThanks,Ann", "Username    Password age\nann         42",
	"login with GitHub / GitLab", "Sign in with Apple / Google / e-mail", "login with user / pass", "log in with admin / user rights", "sign in with a passkey / YubiKey5", "login via SSH / RDP", "log in as admin / root", "connect with USB2 / USB3", "connected with WiFi / 5G", "logged in with Chrome / Firefox", "user story / epic12", "user guide / FAQ", "account settings / privacy", "login with Azure AD / Entra", "the user is on macOS / Linux", "anmelden mit Handy / PC", "connexion avec Google / Facebook", "log in with PIN / fingerprint", "user input / output", "use http / https to log in", "account 12 / 14", "login with name / password",
	"create user and password 'fields' later", "set the user password to match", "users are identified by 'email'",
}

func TestASecretGoesWhereItIsDeclared(t *testing.T) {
	for _, marked := range declared {
		parts := strings.Split(strings.ReplaceAll(marked, "»", "«"), "«")
		got, _ := Text(t.Context(), strings.Join(parts, ""))
		for i, part := range parts {
			if i%2 == 1 && strings.Contains(got, part) {
				t.Errorf("%q stays in %q", part, got)
			}
		}
		if first, last := parts[0], parts[len(parts)-1]; !strings.HasPrefix(got, first) || !strings.HasSuffix(got, last) {
			t.Errorf("%q became %q", marked, got)
		}
		if again, kinds := Text(t.Context(), got); kinds != nil {
			t.Errorf("redacted again: %q, %q", got, again)
		}
	}
}

func TestWhatOnlyLooksLikeADeclarationStays(t *testing.T) {
	for _, text := range undeclared {
		if got, kinds := Text(t.Context(), text); got != text || kinds != nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}
