package resident

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// readToken returns the token of the user, which is made once: agents have it
// in their settings or environment. The directory keeps others away.
func readToken(dir string) (string, error) {
	path := filepath.Join(dir, "http-token")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		token := rand.Text()
		return token, os.WriteFile(path, []byte(token+"\n"), 0o600)
	}
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	if len(token) < 20 || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s is not a token that only you can read: remove it", path)
	}
	return token, nil
}
