package audit

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// In the texts of these tests ‹…› marks what must not be seen.
var hiding = []struct{ text, want string }{
	// Tokens, by their form.
	{"aws s3 ls # ‹AKIAIOSFODNN7EXAMPLE›", "aws s3 ls # [aws-key]"},
	{"git clone https://‹ghp_16C7e42F292c6912E7710c838347Ae178B4a›@github.com/x/y", "git clone https://[github-token]@github.com/x/y"},
	{"echo ‹github_pat_11ABCDEFG0abcdefghijkl_MNOPQRSTUVWXYZ0123456789›", "echo [github-token]"},
	{"x ‹glpat-ABCDEFGHIJKLMNOPQRST› y", "x [gitlab-token] y"},
	{"say ‹xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx› loud", "say [slack-token] loud"},
	{"curl https://hooks.slack.com/services/‹T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX›", "curl https://hooks.slack.com/services/[slack-hook]"},
	{"run ‹sk-proj-abcDEF123_456-ghiJKL789mnoPQR› now", "run [api-key] now"},
	{"run ‹sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA-BBBB_CC› now", "run [api-key] now"},
	{"stripe ‹sk_live_4eC39HqLyjWDarjtT1zdp7dc›", "stripe [api-key]"},
	{"maps ‹AIzaSyA1234567890abcdefghijklmnopqrstuv›", "maps [api-key]"},
	{"hub ‹hf_abcdefghijklmnopqrstuvwxyzABCDEFGH› npm ‹npm_abcdefghijklmnopqrstuvwxyz0123456789›", "hub [api-key] npm [api-key]"},
	{"curl https://api.telegram.org/bot‹123456789:AAF1234567890abcdefghijklmnopqrstuv›/getMe", "curl https://api.telegram.org/bot[bot-token]/getMe"},
	{"x ‹eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U› y", "x [jwt] y"},
	{"echo '‹-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc=\n-----END RSA PRIVATE KEY-----›' > k", "echo '[private-key]' > k"},
	{"echo '‹-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk›", "echo '[private-key]"},

	// Headers.
	{`curl -H "Authorization: ‹Bearer abc.def.ghi›" https://h/p`, `curl -H "Authorization: [header]" https://h/p`},
	{`curl -H 'authorization: ‹Basic dXNlcjpwYXNzd29yZA==›' -H 'Accept: */*' https://h`, `curl -H 'authorization: [header]' -H 'Accept: */*' https://h`},
	{`curl -H 'Authorization: ‹AWS4-HMAC-SHA256 Credential=x/y, Signature="fe5f"›' https://h`, `curl -H 'Authorization: [header]' https://h`},
	{`curl -H "X-Api-Key: ‹0123456789›" https://h`, `curl -H "X-Api-Key: [header]" https://h`},
	{`curl -b x -H 'Cookie: ‹sid="a b"; t=1›' https://h`, `curl -b x -H 'Cookie: [header]' https://h`},
	{`bash -c "curl -H \"PRIVATE-TOKEN: ‹abcdef\›" https://h"`, `bash -c "curl -H \"PRIVATE-TOKEN: [header]" https://h"`},
	{"the call with bearer ‹0123456789abcdef0123› was refused", "the call with bearer [bearer] was refused"},
	{"the bearer of bad news", "the bearer of bad news"},

	// URLs and basic authentication.
	{"psql postgres://app:‹p@ss:w0rd›@db/x?sslmode=off", "psql postgres://app:[password]@db/x?sslmode=off"},
	{"git push https://‹0123456789abcdef0123›@git.example.com/x", "git push https://[password]@git.example.com/x"},
	{"curl http://localhost:8080/@scope/pkg", "curl http://localhost:8080/@scope/pkg"},
	{"curl -u admin:‹hunter2› https://h", "curl -u admin:[password] https://h"},
	{`curl --user="admin:‹hunter 2›" https://h`, `curl --user="admin:[password]" https://h`},
	{`curl -u admin:‹"hunter 2"› https://h`, `curl -u admin:[password] https://h`},
	{"rsync -au host:/src dir", "rsync -au host:/src dir"},

	// Assignments.
	{"GITHUB_TOKEN=‹abc› gh pr list", "GITHUB_TOKEN=[secret] gh pr list"},
	{`export DB_PASSWORD=‹'a b'"c d"e›; run`, "export DB_PASSWORD=[secret]; run"},
	{`env KEY=‹abc› MY_PASS=‹x\ y› X_AUTH=‹z› cmd`, `env KEY=[secret] MY_PASS=[secret] X_AUTH=[secret] cmd`},
	{`docker run -e "API_TOKEN=‹abc›" image --flag "x y"`, `docker run -e "API_TOKEN=[secret]" image --flag "x y"`},
	{`sh -c 'SECRET=‹abc› run' other`, `sh -c 'SECRET=[secret] run' other`},
	{`AWS_SECRET_ACCESS_KEY=‹wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY› aws s3 ls`, `AWS_SECRET_ACCESS_KEY=[secret] aws s3 ls`},
	{`TOKEN= curl https://h`, `TOKEN= curl https://h`},
	{`python -c "password = ‹'x y'›; go()"`, `python -c "password = [secret]; go()"`},
	{`python -c 'os.environ["API_TOKEN"] = ‹"x y"›'`, `python -c 'os.environ["API_TOKEN"] = [secret]'`},
	{"curl 'https://h/p?access_token=‹abc›&x=y'", "curl 'https://h/p?access_token=[secret]&x=y'"},
	{"AccountName=me;AccountKey=‹abc==›;Suffix=x", "AccountName=me;AccountKey=[secret];Suffix=x"},
	{"curl -d 'user=u&pass=‹abc›&x=y' 'https://h?key=‹def›'", "curl -d 'user=u&pass=[secret]&x=y' 'https://h?key=[secret]'"},
	{`$p = ConvertTo-SecureString ‹"a b"› -AsPlainText; $env:API_TOKEN = ‹"x"›`, `$p = ConvertTo-SecureString [password] -AsPlainText; $env:API_TOKEN = [secret]`},
	{"Server=db;UID=sa;PWD=‹abc›;", "Server=db;UID=sa;PWD=[secret];"},
	{"aws configure set aws_secret_access_key ‹abc/def›", "aws configure set aws_secret_access_key [secret]"},
	{"set -gx API_TOKEN ‹abc›; run", "set -gx API_TOKEN [secret]; run"},
	{"npm config set //registry.npmjs.org/:_authToken ‹abc› --global", "npm config set //registry.npmjs.org/:_authToken [secret] --global"},
	{"PWD=/home/x make", "PWD=/home/x make"},

	// JSON and YAML.
	{`curl -d '{"user":"u","password":"‹a\"b›","url":"x"}' https://h`, `curl -d '{"user":"u","password":"[secret]","url":"x"}' https://h`},
	{`curl -d "{\"token\": \"‹abc›\", \"x\": 1}" https://h`, `curl -d "{\"token\": \"[secret]\", \"x\": 1}" https://h`},
	{`{"Authorization": "‹Bearer x›"}`, `{"Authorization": "[secret]"}`},
	{"echo 'db:\n  password: ‹hunter2›\n  port: 1' > c.yaml", "echo 'db:\n  password: [secret]\n  port: 1' > c.yaml"},

	{"kubectl apply -f - <<E\nstringData:\n  token: ‹abc›\n  - clientSecret: ‹'d e'›\nE", "kubectl apply -f - <<E\nstringData:\n  token: [secret]\n  - clientSecret: [secret]\nE"},
	{"this reads a secret: ask first", "this reads a secret: ask first"},

	// Flags.
	{"mysql --password=‹hunter2› -h db", "mysql --password=[secret] -h db"},
	{"tool --password ‹hunter2› --verbose", "tool --password [secret] --verbose"},
	{"tool --api-key \\\n  ‹hunter2› x", "tool --api-key \\\n  [secret] x"},
	{"tool --password --token ‹abc› x", "tool --password --token [secret] x"},
	{"tool --token ‹-Abc123› x", "tool --token [secret] x"},
	{"keytool -storepass ‹changeit› -list", "keytool -storepass [secret] -list"},
	{"docker login --password-stdin -u me reg", "docker login --password-stdin -u me reg"},
	{"docker login -u me -p ‹hunter2› reg", "docker login -u me -p [password] reg"},
	{"mysql -u root -p‹hunter2› db", "mysql -u root -p[password] db"},
	{"mysqldump -uroot -p db", "mysqldump -uroot -p db"},
	{"sshpass -p ‹hunter2› ssh h", "sshpass -p [password] ssh h"},
	{"openssl enc -pass pass:‹hunter2› -in x", "openssl enc -pass [secret] -in x"},
	{"curl -s -b ‹session=hunter2› x", "curl -s -b [cookie] x"},
	{"curl --cookie=‹'s=hunter2; t=1'› x", "curl --cookie=[cookie] x"},
	{"curl --oauth2-bearer ‹hunter2› x", "curl --oauth2-bearer [bearer] x"},
	{"smbclient -U me%‹hunter2› //h/s", "smbclient -U me%[password] //h/s"},
	{"date -u +%F; du -U x; curl -w '%{http_code}' x", "date -u +%F; du -U x; curl -w '%{http_code}' x"},
	{"htpasswd -cb f me ‹hunter2›", "htpasswd -cb f me [password]"},
	{"htpasswd -nbB me ‹hunter2›", "htpasswd -nbB me [password]"},
	{"htpasswd -B f me; htpasswd -D f me", "htpasswd -B f me; htpasswd -D f me"},
	{"vault login -no-print ‹hunter2› && vault kv list x", "vault login -no-print [secret] && vault kv list x"},
	{"gh secret set FOO --body ‹hunter2› -R a/b", "gh secret set FOO --body [secret] -R a/b"},
	{"openssl enc -aes-256-cbc -k ‹hunter2› -in x", "openssl enc -aes-256-cbc -k [password] -in x"},
	{"redis-cli -h x -a ‹hunter2› ping", "redis-cli -h x -a [password] ping"},
	{"unzip -P ‹hunter2› x.zip", "unzip -P [password] x.zip"},
	{"echo ‹hunter2› | sudo -S id", "echo [password] | sudo -S id"},
	{"echo -n ‹'a b'› | docker login --password-stdin", "echo -n [password] | docker login --password-stdin"},
	{"sudo -S id <<< ‹hunter2›", "sudo -S id <<< [password]"},
	{"machine h login me password ‹hunter2›", "machine h login me password [password]"},

	// What is no secret stays.
	{"mkdir -p a/b && docker run -p 80:80 x", "mkdir -p a/b && docker run -p 80:80 x"},
	{"go test ./... -run TestToken", "go test ./... -run TestToken"},
	{"cat risk-assessment-of-the-whole-project.md", "cat risk-assessment-of-the-whole-project.md"},
	{"use trash-put; rm is for good: ask first", "use trash-put; rm is for good: ask first"},
	{"/home/me/src/token.go", "/home/me/src/token.go"},
	{"hooks.PreToolUse[0].hooks[1]", "hooks.PreToolUse[0].hooks[1]"},
}

var (
	mark   = regexp.MustCompile(`(?s)‹(.*?)›`)
	marker = regexp.MustCompile(`\[[a-z-]+\]`)
)

// planted splits a text with marks into the text and its secrets.
func planted(marked string) (text string, secrets []string) {
	for _, m := range mark.FindAllStringSubmatch(marked, -1) {
		secrets = append(secrets, m[1])
	}
	return strings.NewReplacer("‹", "", "›", "").Replace(marked), secrets
}

func redactor(t testing.TB, own ...string) *Redactor {
	t.Helper()
	r, err := NewRedactor(own...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestClean(t *testing.T) {
	hide := redactor(t)
	for _, tt := range hiding {
		text, secrets := planted(tt.text)
		got := hide.Clean(text, 1024)
		if got != tt.want {
			t.Errorf("%q\n got %q\nwant %q", text, got, tt.want)
		}
		for _, s := range secrets {
			if strings.Contains(got, s) {
				t.Errorf("%q shows %q", got, s)
			}
		}
	}
}

// Wherever a secret stands, and wherever the text is cut, no part of the
// secret that could be told from chance is in what is left.
func TestCleanAtTheCut(t *testing.T) {
	hide := redactor(t)
	for _, tt := range hiding {
		text, secrets := planted(tt.text)
		padded := "é " + text + " ; x"
		hidden := hide.find(padded)
		for most := range len(padded) + 1 {
			got := shown(padded, hidden, most)
			if !utf8.ValidString(got) {
				t.Fatalf("%q cut at %d is %q: not valid", text, most, got)
			}
			shows(t, got, text, secrets)
		}
		// And where more follows than is looked at.
		shows(t, hide.Clean(text+" ; "+strings.Repeat("x ", sight), len(text)/2), text, secrets)
	}
}

// shows fails if got shows a piece of a secret that the rest of text has not.
func shows(t *testing.T, got, text string, secrets []string) {
	t.Helper()
	const piece = 5
	rest := marker.ReplaceAllString(got, "")
	for _, s := range secrets {
		for i := 0; i+piece <= len(s); i++ {
			if p := s[i : i+piece]; strings.Contains(rest, p) && strings.Count(text, p) == strings.Count(s, p) {
				t.Fatalf("%q became %q, which shows %q", text, got, p)
			}
		}
	}
}

// A secret that is longer than what is looked at is hidden by its beginning.
func TestCleanEndless(t *testing.T) {
	hide := redactor(t)
	random := rand.New(rand.NewPCG(1, 2))
	body := make([]byte, 3*sight)
	for i := range body {
		body[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[random.IntN(32)]
	}
	for _, start := range []string{
		"-----BEGIN PRIVATE KEY-----\n", "ghp_", "sk-", "eyJ", "xoxb-", "AKIA", "glpat-", "Authorization: ", "PASSWORD=", `PASSWORD="`, "PASSWORD='",
		`{"token":"`, "--token ", "mysql -p", "curl -u me:", "password: ",
	} {
		for _, most := range []int{10, 64, 1024} {
			got := hide.Clean("run "+start+string(body), most)
			if strings.Contains(got, string(body[16:24])) || len(got) > 80 {
				t.Errorf("%s at %d: %.100q", start, most, got)
			}
		}
	}
}

func TestOwnRules(t *testing.T) {
	hide := redactor(t, `ACME-[0-9]{6}`, `employee (\w+) of (\w+)`)
	const text = "badge ACME-123456 for employee jane of sales"
	if got := hide.Clean(text, 100); got != "badge [secret] for employee [secret] of [secret]" {
		t.Error(got)
	}
	for pattern, want := range map[string]string{"(": "missing closing )", "a*": "matches the empty text", `(?=a)`: "invalid or unsupported Perl syntax"} {
		if _, err := NewRedactor(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

// A hint only saves time: without the hints the rules find the same.
func TestHints(t *testing.T) {
	hinted, all := redactor(t), redactor(t)
	for i := range all.rules {
		all.rules[i].hints = nil
	}
	for _, tt := range hiding {
		text, _ := planted(tt.text)
		if got, want := hinted.Clean(text, 1024), all.Clean(text, 1024); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}
