package shell

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Known faults of other products: each text, and what one pattern must say.
func TestFaults(t *testing.T) {
	for _, row := range []struct {
		id, pattern string
		want        hook.Tri
		texts       []string
	}{
		{"B021", "git clean:*", hook.Yes, []string{"git fetch && git pull && git clean -fd", "npm run build; git clean -fd", "if true; then git clean -f; fi", "for f in *; do git clean -f; done", "f(){ git clean -f; }; f"}},
		{"B022", "rm *", hook.Yes, []string{`echo "$(rm -rf x)"`, "echo `rm -rf x`", "(rm -rf x)", "{ rm -rf x; }", "diff <(rm a) b", "a=( $(rm x) )", "echo ${y:-$(rm z)}", "echo $((1+$(rm x;echo 1)))", "coproc rm x", "! rm y", "time rm x"}},
		{"B023", "rm *", hook.Yes, []string{`eval "rm -rf x"`, "bash -c 'rm -rf x'", "bash <<< 'rm x'", "bash <<'E'\nrm x\nE", "trap 'rm x' EXIT", "ssh h 'rm x'"}},
		{"B023 opaque", "rm *", hook.Unknown, []string{"echo cm0= | base64 -d | sh", `python3 -c 'import os;os.system("rm x")'`}},
		{"B024", "*>*", hook.Yes, []string{"cat > f <<'EOF'\nbody\nEOF"}},
		{"B026", "git stash*", hook.Yes, []string{"cat <<EOF\nx\nEOF\ngit stash"}},
		{"B026 data", "git stash*", hook.No, []string{"cat <<-E\n\tgit stash\n\tE\necho ok", "gh pr create --body \"$(cat <<'B'\n`git stash`\nB\n)\""}},
		{"B028", "rm *", hook.Yes, []string{"timeout -k 5 30 rm x", "nice -n 10 rm x", "nohup rm x", "stdbuf -oL rm x", "command rm x", "noglob rm x", "xargs rm", "xargs -n1 rm", "sudo rm x", "env A=1 rm x", "watch rm x", `find . -exec rm {} \;`}},
		{"B028 query", "rm *", hook.No, []string{"command -v rm", "timeout 30 npm test a"}},
		{"B029", "rm -rf *", hook.Yes, []string{"find . -name x | xargs rm -rf a", "timeout 9 rm -rf a"}},
		{"B030", "rm -rf *", hook.Yes, []string{"rm  -rf  /"}},
		{"B030 spelling", "rm -rf *", hook.No, []string{"rm -fr /", "rm -r -f /", "rm -Rf /", "rm --recursive --force /"}},
		{"B035", "npm *", hook.Unknown, []string{"npm test &&", `npm test "`}},
		{"B036", "rm *", hook.Yes, []string{`\rm -rf x`, `r''m -rf x`, `"rm" -rf x`, `$'\x72m' -rf x`, "/bin/rm -rf x", "r\\\nm -rf x"}},
		{"B036 shifted", "git push *", hook.Yes, []string{"git 'push' o", "git -C . push o", "git -c a=b push o"}},
		{"B038", "rm -rf /*", hook.Unknown, []string{`rm -rf "$UNSET/"`, "rm -rf ${X}/*"}},
		{"B038 interpreter", "rm *", hook.Unknown, []string{`cmd /c rd /s /q "C:\$Get"`, `powershell -c "Remove-Item -Recurse $x\\"`}},
		{"B039", "rm *", hook.No, []string{`git commit -m "a && rm -rf x; b | c"`, "echo 'a\nrm -rf /'"}},
		{"B039 comment", "rm *", hook.Yes, []string{"ls # don't\nrm x"}},
		{"B040", "rm *", hook.No, []string{"echo $(date)"}},
		{"B040 inside", "rm *", hook.Yes, []string{"echo $(rm -rf /)", "FOO=1 rm x", "npm t && rm x"}},
		{"B041", "ls *", hook.No, []string{`pwd && echo "$(date +%Y)"`}},
		{"B041 inside", "ls *", hook.Yes, []string{`pwd && ls "$(date)"`}},
		{"B042", "git *", hook.No, []string{"for i in 1 2; do echo $i; done", "echo {a,b,c}", "sleep 1 & echo x; wait", "case a in a) echo x;; esac"}},
		{"B045", "rm *", hook.Yes, []string{"cat <<'E'\nend \\\nE\nrm y", "X=`cat <<E\nhi\nE`\nrm -rf x"}},
		{"B045 no end", "rm *", hook.Unknown, []string{"echo `\\``"}},
		{"B045 dollar", "rm *", hook.No, []string{`sed -e "s/^int$/x/" f`}},
		{"B186", "rm *", hook.Unknown, deep(1e3, 1e4, 2e5, 1e6)},
	} {
		for _, text := range row.texts {
			if got, _, why := CompileGlob(row.pattern).Match(Parse(text, Options{}), false); got != row.want {
				t.Errorf("%s: %s on %.80q: got %v (%s), want %v", row.id, row.pattern, text, got, why, row.want)
			}
		}
	}
}

func deep(sizes ...int) (out []string) {
	for _, n := range sizes {
		for _, unit := range [][2]string{{"$(echo ", ")"}, {"(", ")"}, {"{ ", ";}"}, {`"$(`, `)"`}, {"${a:-", "}"}, {"$((", "))"}} {
			out = append(out, "echo "+strings.Repeat(unit[0], n)+"x"+strings.Repeat(unit[1], n))
		}
	}
	return out
}
