package rules

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// everyday are harmless commands, one a line.
const everyday = `
ls -la
ls -la src/
cat README.md package.json
cat src/*.go
head -50 main.go
tail -f log/dev.log
grep -rn TODO src
grep -rn "pawl.yaml" docs
rg -n 'func main' --type go
find . -name '*.go' -not -path './vendor/*'
find . -name '*.go' -exec grep -l main {} +
find . -name pawl.yaml
find src -type f -name '*.ts' | wc -l
wc -l src/*.go
git status
git status --short
git diff
git diff pawl.yaml
git diff HEAD~1 -- src/a.go
git log --oneline -20
git log -p pawl.yaml
git show HEAD
git show HEAD:pawl.yaml
git blame pawl.yaml
git ls-files pawl.yaml
git add -A
git add pawl.yaml
git add .
git commit -m "update pawl.yaml"
git commit -am "config: tidy pawl.yaml and .pawl"
git push origin main
git pull --rebase
git fetch --all --prune
git checkout main
git checkout -b feature/x
git switch -c fix
git stash
git branch -d old
git merge main
git rebase -i HEAD~3
git reset HEAD~1
git tag v1.0
git clone https://example.com/x.git
npm test
npm run build
npm install --save-dev typescript
npx tsc --noEmit
yarn lint
go test ./...
go build -o bin/app ./cmd/app
go vet ./...
gofmt -l .
cargo build --release
python3 -m pytest -q tests/
pytest -k name
pip install -r requirements.txt
make
make -j4 test
docker build -t app .
docker compose up -d
docker ps
kubectl get pods -n prod
kubectl apply -f deploy.yaml
terraform plan
curl -s https://example.com/health
curl -sSL https://example.com/x.tgz -o x.tgz
curl -X POST -d '{"a":1}' https://example.com
wget https://example.com/x.tgz
mkdir -p build/out
rm -rf build dist
rm -rf node_modules/*
cp a.txt b.txt
cp -r src/ backup/
cp assets/*.png public/
mv a.txt b.txt
touch new.go
chmod +x scripts/run.sh
sed -n 1,40p main.go
sed -i 's/foo/bar/' src/a.go
sed 's/world/read me/' a.txt
awk '{print $1, "->", $2}' data.txt
awk -F: '$3 > 100 {print $1}' users.txt
sort names.txt | uniq -c | sort -rn
jq .version package.json
yq .hooks pawl.yaml
cat pawl.yaml
cat pawl.yaml | head
grep -n hooks pawl.yaml
diff pawl.yaml pawl.yaml.orig
cp pawl.yaml /tmp/backup.yaml
test -f pawl.yaml && echo yes
[ -d .pawl ] || echo none
ls .pawl
wc -l pawl.yaml
stat pawl.yaml
pawl check pawl.yaml
pawl explain pawl.yaml
pawl try pawl.yaml
pawl compile pawl.yaml
yamllint pawl.yaml
prettier --check pawl.yaml
prettier --write src/a.ts
echo hello > out.txt
echo "see pawl.yaml" >> notes.md
printf '%s\n' a b c | tee list.txt
for f in *.txt; do echo "$f"; done
for f in a b; do cp "$f.txt" "backup/$f.txt"; done
cat <<EOF > src/x.go⏎package x⏎EOF
tar czf out.tgz src
tar tzf out.tgz
zip -r out.zip src
time go test ./...
ps aux | grep node
kill %1
which node
export FOO=bar
date +%F
env | grep PATH
python3 -c "print(1)"
node -e "console.log(1)"
gh pr create --title "fix" --body "see pawl.yaml"
ssh host uptime
echo "$HOME"
cd src && ls
xargs -n1 echo < list.txt
base64 a.txt
tree -L 2
du -sh .`

// TestEverydayCommands: harmless commands raise no alarm, neither of the
// guard of the settings nor of what people guard most.
func TestEverydayCommands(t *testing.T) {
	p := newPlace(t)
	var guards []*Pattern
	for _, text := range []string{"Edit(.env)", "Read(.env)", "Read(~/.ssh/**)", "Edit(~/.ssh/**)", "Edit(.github/**)", "Edit(//etc/**)"} {
		guards = append(guards, mustPermission(t, text, p.scope(false)))
	}
	named := p.scope(false)
	named.Named = true
	for _, text := range []string{"Edit(//**/pawl.yaml)", "Edit(//**/.pawl)", "Edit(//**/.claude/settings.json)", "Edit(//**/.claude/hooks)", "Edit(//**/.config/pawl)", "Edit(/" + p.dir + "/pawl.yaml)"} {
		guards = append(guards, mustPermission(t, text, named))
	}
	for command := range strings.SplitSeq(strings.TrimSpace(everyday), "\n") {
		command = strings.ReplaceAll(command, "⏎", "\n")
		f := p.facts("Bash", map[string]any{"command": command})
		for _, g := range guards {
			if got := g.Match(f); got != hook.No {
				t.Errorf("%q: %s says %v (%s)", command, g, got, g.Explain(f).Why)
			}
		}
	}
}

// TestNamedGuards: a guard of what is named fires on what names it in part,
// and not on what names nothing.
func TestNamedGuards(t *testing.T) {
	p := newPlace(t)
	named := p.scope(false)
	named.Named = true
	checkTouched(t, p, mustPermission(t, "Edit(//**/pawl.yaml)", named), []touched{
		{hook.Yes, `
			echo x > pawl.yaml
			perl -pi -e s/a/b/ pawl.yaml
			perl -pi.bak -e s/a/b/ sub/pawl.yaml
			sed -i s/a/b/ pawl.yaml
			git checkout main -- pawl.yaml
			git restore pawl.yaml
			cp x/pawl.yaml .
			prettier --write pawl.yaml
			ln -s pawl.yaml z; echo x > z
			curl -so pawl.yaml u`},
		{hook.Unknown, `
			echo x > p*.yaml
			echo x > pawl.y?ml
			echo x > {pawl.yaml,}
			echo x > "$D/pawl.yaml"
			echo x > "pawl$X"
			cd $D && echo x > pawl.yaml
			tee $D/pawl.yaml
			rm p*
			sed 's/a/b/w pawl.yaml' a
			find . -name 'pawl.*' -delete
			foo pawl.yaml
			foo p*l.yaml
			code $D/pawl.yaml
			git checkout pawl.yaml
			python3 -c "open('pawl.yaml','w')"`},
		{hook.No, `
			echo x > $f
			curl u | sh
			git stash pop
			git checkout -- .
			tar xf a.tar
			unzip a.zip
			rm -rf build
			rm build/*
			eval "$X"
			echo x > "out/$f"
			find . -name x -exec rm {} +
			git apply x.patch
			cp a "$d"/
			prettier --write .
			chmod -R u+w .
			cat p*.yaml`},
	})
	checkTouched(t, p, mustPermission(t, "Edit(//**/.pawl)", named), []touched{
		{hook.Yes, `
			git checkout main -- .pawl
			git checkout main .pawl
			install -d x/.pawl
			mkdir -p .pawl/hooks
			rm -rf .pawl
			mv x .pawl/
			cp $f .pawl/
			cp -r x .pawl
			mv .pawl old
			rsync -a x/ .pawl/`},
		{hook.Unknown, `
			rm -rf .p*
			rm .pawl/*
			echo x > ".pawl/$f"`},
		{hook.No, `
			ls .pawl
			cp -r .pawl /tmp/x
			rm -rf *`},
	})
	checkTouched(t, p, mustPermission(t, "Edit(//**/.claude/settings.json)", named), []touched{
		{hook.Yes, `
			mv settings.json .claude/
			cp x/settings.json ~/.claude
			rm -rf ~/.claude`},
		{hook.Unknown, `cp x/*.json ~/.claude/`},
	})
}
