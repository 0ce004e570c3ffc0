package cli

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// QuoteShell returns word as a shell reads it back.
func QuoteShell(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=@%+,", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// QuoteJSON returns s as a JSON string.
func QuoteJSON(s string) string {
	quoted, _ := jsontext.AppendQuote(nil, s) // invalid UTF-8 is replaced
	return string(quoted)
}
