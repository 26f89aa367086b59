package fileserver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// signature signs the right to use a method on a path until a moment, in unix
// seconds. A line break cannot be part of a method or of an escaped path.
func signature(key []byte, method, path string, expires int64) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(method + "\n" + path + "\n" + strconv.FormatInt(expires, 10)))
	return mac.Sum(nil)
}

// signed reports, in constant time, whether text is the signature in hexadecimal.
func signed(key []byte, method, path string, expires int64, text string) bool {
	given, err := hex.DecodeString(text)
	return err == nil && hmac.Equal(given, signature(key, method, path, expires))
}
