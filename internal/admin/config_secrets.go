package admin

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// maxSecretBytes is the longest secret that a file may hold, in bytes.
const maxSecretBytes = 64 << 10

// readSecrets reads the settings that stand in files of their own, as containers
// and systemd hand secrets over: NAME_FILE says where the value of NAME is. Only
// what is secret may be given so, and the address of the database, which may
// hold a password. Who may read such a file is up to whoever hands it over.
func (c *Config) readSecrets() error {
	for _, s := range settings {
		path := c.getenv(s.Env + "_FILE")
		if path == "" || !s.Secret && s.Env != "TOOLKIT_DB" {
			continue
		}
		if c.getenv(s.Env) != "" {
			return fmt.Errorf("%s and %s_FILE are both set; keep one", s.Env, s.Env)
		}
		text, err := readSecret(path)
		if err != nil {
			return fmt.Errorf("%s_FILE: %w", s.Env, err)
		}
		c.values[s.Env] = text
	}
	return nil
}

func readSecret(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(file, maxSecretBytes+1))
	switch value := strings.TrimSpace(string(text)); {
	case err != nil:
		return "", err
	case len(text) > maxSecretBytes:
		return "", fmt.Errorf("%s is longer than a secret", path)
	case value == "":
		return "", fmt.Errorf("%s is empty", path)
	default:
		return value, nil
	}
}
