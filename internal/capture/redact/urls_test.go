package redact

import (
	"strings"
	"testing"
)

// Addresses as people mistype them: the secret must go all the same.
func TestPasswordOfAMalformedAddressIsRedacted(t *testing.T) {
	for text, secrets := range map[string][]string{
		"redis://:p@ss/word9@host:6379/0":                   {"p@ss", "word9"},
		"redis://user:p#ss9word@host":                       {"ss9word"},
		"redis://user:p?ss9word@host:6379":                  {"ss9word"},
		"redis://:Zwetsch77/gen@":                           {"Zwetsch77"},
		"redis://:Zwetsch77gen@":                            {"Zwetsch77"},
		"redis://:Zwetsch77gen@:6379/0":                     {"Zwetsch77"},
		"redis://user:Zwetsch 77gen@host:6379":              {"77gen"},
		"redis://:Zwetsch 77gen@host":                       {"77gen"},
		"rediss://default:Zwetsch77'gen@cache.example:6380": {"77", "gen@"},
		"postgres://app:Zwet/sch77@db.example/shop":         {"sch77"},
		"postgres://app:Zwet@sch77@db.example/shop":         {"sch77"},
		"postgres://app:Zwet:sch77@db.example/shop":         {"sch77"},
		"postgres://app:Zwet#sch77@db.example:5432/shop":    {"sch77"},
		"postgresql://app:Zwetsch77gen@/shop":               {"Zwetsch77"},
		"postgres:/app:Zwetsch77gen@db.example/shop":        {"Zwetsch77"},
		"postgres:app:Zwetsch77gen@db.example/shop":         {"Zwetsch77"},
		"postgres//app:Zwetsch77gen@db.example/shop":        {"Zwetsch77"},
		"postgres:///app:Zwetsch77gen@db.example/shop":      {"Zwetsch77"},
		"postgres:// app:Zwetsch77gen@db.example/shop":      {"Zwetsch77"},
		"mysql://root:Zwetsch77<gen>@db:3306/shop":          {"77", "gen"},
		"mongodb+srv://app:Zwetsch77/gen?@cluster/shop":     {"Zwetsch77", "gen"},
		"amqp://guest:Zwetsch77 @mq:5672/vhost":             {"Zwetsch77"},
		"amqps://guest:Zwet\"sch77@mq:5671":                 {"sch77"},
		"https://ann:Zwet/sch77@git.example/shop.git":       {"sch77"},
		"ftp://ann:Zwet#sch77@files.example/":               {"sch77"},
		"smtp://ann@example.org:Zwetsch77gen@mail:587":      {"Zwetsch77"},
		"smtps://ann@example.org:Zwet/sch77@mail:465":       {"sch77"},
	} {
		for _, around := range []string{"%s", "The cache is at %s and nowhere else.", "REDIS_URL=%s\nPORT=8080", "url: \"%s\",", "`%s`"} {
			whole := strings.Replace(around, "%s", text, 1)
			got, _ := Text(t.Context(), whole)
			for _, secret := range secrets {
				if strings.Contains(got, secret) {
					t.Errorf("%q becomes %q", whole, got)
				}
			}
		}
	}
}

func TestAddressWithoutAPasswordStays(t *testing.T) {
	for _, text := range []string{
		"redis://cache:6379/0", "redis://cache:6379 or ask ann@example.org", "https://example.org:8443/@ann/post", "https://example.org/a:b@c",
		"https://registry.npmjs.org:443/@scope/package", "git+ssh://git@github.com:owner/repo.git@v1.2", "ssh://git@github.com:22/owner/repo", "http://[::1]:8080/@ann",
		`{"url":"http://localhost:8080","mail":"ann@example.org"}`, `{"url":"http://host:port","mail":"ann@example.org"}`, "mongodb://h1:27017,h2:27017/?replicaSet=a@b",
		"postgres:16-alpine@sha256:0a1b2c3d4e5f", "docker://registry:5000/image@sha256:0a1b2c3d4e5f", "postgres://app:$PASSWORD@db/shop", "postgres://user:password@localhost/db",
		"http://host:PORT/@ann", "redis: see the cache, or ask ann@example.org", "https://maps.example/@52.5,13.4,12z", "mysql: user:root on db, mail ann@example.org",
		"Look at https://a.example:8080/x and at https://b.example/@ann.", "postgres://db.example and ann@example.org", "jdbc:postgresql://db:5432/shop",
	} {
		if got, kinds := Text(t.Context(), text); got != text {
			t.Errorf("%q becomes %q (%v)", text, got, kinds)
		}
	}
}

func TestHostAndPathBehindAPasswordStay(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://app:Zwetsch77gen@db.example/shop":             "postgres://app:[redacted: password]@db.example/shop",
		"https://ann:Zwetsch77gen@git.example/a/@scope/b":         "https://ann:[redacted: password]@git.example/a/@scope/b",
		"redis://:p@ss/word9@host:6379/0":                         "redis://:[redacted: password]@host:6379/0",
		"redis://:Zwetsch77gen@cache.example:6379 or ann@mail.eu": "redis://:[redacted: password]@cache.example:6379 or ann@mail.eu",
	} {
		if got, _ := Text(t.Context(), text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
