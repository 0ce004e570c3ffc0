package audit

// secret is one rule of what must not get into the log.
type secret struct {
	name string // stands in its place: [name]
	// hints are in lower case; a text without one of them cannot match, and
	// most texts have none.
	hints []string
	// pattern is RE2, in linear time. What its groups match is hidden, or all
	// of the match if it has none. It tells a secret by how that begins, so
	// that one whose end is out of sight is hidden too.
	pattern string
}

// Pieces of patterns.
const (
	// blank is what parts the words of a command.
	blank = `(?:[ \t]|\\\n)+`
	// bare is what a word of a shell is made of outside of quotes.
	bare = `(?:[^\s"'\\;&|<>()]|\\.)`
	// inner are quotes inside of a word. A quote before a blank or an end ends
	// a text around the word instead: -e "TOKEN=x" image.
	inner = `(?:"[^\s"'\\;&|<>(),\]}](?:[^"\\]|\\.)*(?:"|\z)|'[^\s"'\\;&|<>(),\]}][^']*(?:'|\z))`
	// quoted is a text in quotes, which may be escaped themselves.
	quoted = `(?:\\+".*?(?:\\+"|\z)|"(?:[^"\\]|\\.)*(?:"|\z)|'[^']*(?:'|\z))`
	// word is a word of a shell, to its end.
	word = `(?:` + quoted + `|` + bare + `)(?:` + bare + `|` + inner + `)*`
	// operand is a word that does not look like a flag.
	operand = `(?:(?-i:-[a-z-]*[A-Z0-9_+/.])` + bare + `*|` + quoted + `(?:` + bare + `|` + inner + `)*|(?:[^\s"'\\;&|<>()-]|\\.)(?:` + bare + `|` + inner + `)*)`
	// name is what the name of a secret has in it.
	name = `(?:passw(?:or)?d|passphrase|secret|token|credential|signature|(?:api|access|private|account|signing|encryption|master|shared)[_-]?(?:access[_-]?)?key|[_;]pwd|_pass|_auth)`
	// header is a header that holds a secret.
	header = `(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:[a-z]+-)+(?:key|token|secret|auth|password))`
)

// secrets returns every rule. Forms of tokens come first: theirs are the better
// names.
func secrets() []secret {
	named := []string{"passw", "passphrase", "secret", "token", "credential", "signature", "key", "_pwd", ";pwd", "_pass", "_auth"}

	return []secret{
		{"private-key", []string{"private key"}, `(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`},
		{"age-key", []string{"age-secret-key-"}, `AGE-SECRET-KEY-1[A-Z0-9]{8,}`},
		{"aws-key", []string{"akia", "asia", "aroa", "aida", "abia", "acca"}, `(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,}`},
		{"github-token", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, `(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{16,}`},
		{"gitlab-token", []string{"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-"}, `gl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{16,}`},
		{"slack-token", []string{"xox", "xapp-"}, `(?:xox[a-z]|xapp)-[A-Za-z0-9-]{8,}`},
		{"slack-hook", []string{"hooks.slack.com"}, `hooks\.slack\.com/[a-z]+/([A-Za-z0-9/_-]+)`},
		{"api-key", []string{"sk-", "sk_", "rk_", "aiza", "hf_", "npm_", "pypi-", "dop_v1_", "sg."}, `(?:\b|_)(?:sk-[A-Za-z0-9_-]{16,}|[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|AIza[A-Za-z0-9_-]{24,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|pypi-[A-Za-z0-9_-]{20,}|dop_v1_[a-z0-9]{20,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]*)`},
		{"bot-token", []string{":aa"}, `[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}`},
		{"google-token", []string{"ya29."}, `ya29\.[A-Za-z0-9_-]{16,}`},
		{"jwt", []string{"eyj"}, `eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*`},
		{"bearer", []string{"bearer"}, `(?i)\bbearer` + blank + `([a-z0-9._~+/-]{16,}=*)`},
		{"header", []string{"authorization", "cookie", "-key", "-token", "-secret", "-auth", "-password"},
			`(?i)"` + header + `[ \t]*:[ \t]*([^"\r\n]+)|'` + header + `[ \t]*:[ \t]*([^'\r\n]+)|` + header + `[ \t]*:[ \t]*([^"'\r\n]+)`},
		{"password", []string{"://"}, `(?i)[a-z][a-z0-9+.-]*://(?:[^\s/?#"'@:]*:([^\s/"']*)@|([^\s/:@"']{16,})@)`},
		{"password", []string{"-u", "-user"}, `(?is)(?:^|[\s"'=])(?:-u|-U|--(?:proxy-)?user)(?:=|[ \t]|\\\n)*(?:"[^":]+:([^"]*)|'[^':]+:([^']*)|[^\s:"'-][^\s:"']*:(` + word + `))`},
		{"secret", named, `(?is)` + name + `[a-z0-9_.-]*\\*["']?\]?(?:[:+?!]?(?:={1,3}|=>)(` + word + `)|[ \t]+[:+?!]?(?:={1,3}|=>)[ \t]*(` + word + `)|[:+?!]?(?:={1,3}|=>)[ \t]+(` + quoted + `))`},
		{"secret", []string{"key=", "keys=", "pass=", "pwd=", "auth="}, `(?s)(?:\b(?:KEY|PASS|AUTH|pass|pwd|auth)|[?&]key|[A-Z0-9_](?:KEY|PASS|AUTH))S?=(` + word + `)`},
		{"secret", append([]string{"authorization", "cookie"}, named...),
			`(?is)(?:` + name + `|authorization|cookie)[a-z0-9_.-]*\\*["']\s*:\s*(?:\\+"(.*?)(?:\\+"|\z)|"((?:[^"\\]|\\.)*)|'([^']*)|([^\s,}\]"'\\]+))`},
		{"secret", named, `(?is)(?:passw(?:or)?d|passphrase|(?:api|secret|access|private)[_-]?key|client[_-]?secret|(?:access|auth|api)[_-]?token)[ \t]*:[ \t]*(` + word + `)`},
		{"secret", []string{"token", "secret"}, `(?ims)^[ \t-]*[\w.-]*(?:token|secret)[\w.-]*[ \t]*:[ \t]*(` + word + `)`},
		{"secret", named, `(?is)\bset(?:x|env)?(?:` + blank + `-\S+)*` + blank + `[\w.:/-]*` + name + `[\w.-]*` + blank + `(` + word + `)`},
		{"secret", append([]string{"pass", "pwd"}, named...), `(?is)-[a-z0-9_-]*(?:pass(?:w(?:or)?d|phrase|in|out)?|pwd|token|secret|credentials?|(?:api|access|secret|account)[_-]?key)` + blank + `(` + operand + `)`},
		{"password", []string{"pass:"}, `(?is)\bpass:(` + word + `)`},
		{"password", []string{"password"}, `(?is)\blogin\s+\S+\s+password\s+(` + word + `)`},
		{"password", []string{"convertto-securestring"}, `(?is)ConvertTo-SecureString(?:\s+-(?:String|AsPlainText|Force))*\s+(` + operand + `)`},
		{"password", []string{"sshpass"}, `(?is)\bsshpass` + blank + `-p[ \t]*(` + word + `)`},
		{"password", []string{"mysql", "mariadb"}, `(?s)\b(?:mysql|mariadb)[a-z-]*\b[^;&|\n]*?[ \t]-p(` + word + `)`},
		{"password", []string{"login"}, `(?s)\blogin\b[^;&|\n]*?[ \t]-p[ \t=]*(` + word + `)`},
		{"password", []string{"mongo", "ldap", "redis-cli", "zip", "7z"},
			`(?s)\b(?:mongo[a-z]*\b[^;&|\n]*?[ \t]-p[ \t=]*|ldap[a-z]+\b[^;&|\n]*?[ \t]-w[ \t=]*|redis-cli\b[^;&|\n]*?[ \t]-a[ \t]*|(?:un)?zip\b[^;&|\n]*?[ \t]-P[ \t]*|7z[a-z]*\b[^;&|\n]*?[ \t]-p)(` + word + `)`},
		{"cookie", []string{"curl"}, `(?s)\bcurl\b[^;&|\n]*?[ \t](?:-b|--cookie)[ \t=]*("[^"=]+=[^"]*(?:"|\z)|'[^'=]+=[^']*(?:'|\z)|[^\s"'=;&|<>()]+=(?:` + bare + `|` + inner + `)*)`},
		{"bearer", []string{"-bearer"}, `(?is)-bearer(?:` + blank + `|=)(` + operand + `)`},
		{"password", []string{"%"}, `(?s)(?:[ \t]-U|--user)[ \t=]*["']?[^\s;&|"'%=]+%(` + word + `)`},
		{"password", []string{"htpasswd"}, `(?s)\bhtpasswd` + blank + `(?:-[a-zA-Z]*(?:n[a-zA-Z]*b|b[a-zA-Z]*n)[a-zA-Z]*|(?:-\S+` + blank + `)*-[a-zA-Z]*b[a-zA-Z]*(?:` + blank + `-\S+)*` + blank + `[^\s;&|-][^\s;&|]*)` + blank + `[^\s;&|-][^\s;&|]*` + blank + `(` + operand + `)`},
		{"secret", []string{"vault"}, `(?s)\bvault` + blank + `login(?:` + blank + `-\S+)*` + blank + `(` + operand + `)`},
		{"secret", []string{"secret"}, `(?s)\bsecret` + blank + `set\b[^;&|\n]*?[ \t](?:-b|--body)[ \t=]*(` + word + `)`},
		{"password", []string{"openssl"}, `(?s)\bopenssl\b[^;&|\n]*?[ \t]-[kK]` + blank + `(` + operand + `)`},
		{"password", []string{"echo", "printf"}, `(?s)\b(?:echo|printf)(?:` + blank + `-[a-z]+)*` + blank + `(` + word + `)\s*\|[^|;&]*?(?:[ \t]-[a-zA-Z]*S|--password-stdin|--with-token|--passphrase-fd|passwd)`},
		{"password", []string{"<<<"}, `(?s)(?:[ \t]-[a-zA-Z]*S|--password-stdin|--with-token|--passphrase-fd|passwd)[^|;&\n]*?<<<[ \t]*(` + word + `)`},
	}
}
