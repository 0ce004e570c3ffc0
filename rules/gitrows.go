package rules

import "sync"

// subcommands are the programs whose first operand chooses a row, and their
// options with a value before it.
var subcommands = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"git":     "-c --git-dir --work-tree --namespace --config-env --exec-path",
		"docker":  "-c --context -H --host -l --log-level --config",
		"podman":  "-c --connection --url --log-level",
		"nerdctl": "-n --namespace -a --address -H --host",
		"kubectl": "-n --namespace --context --cluster --user --kubeconfig -s --server --token",
		"oc":      "-n --namespace --context --kubeconfig -s --server --token",
		"gh":      "-R --repo",
		"helm":    "-n --namespace --kube-context --kubeconfig",
		"perf":    "",
		"biome":   "",
		"pawl":    "",
	}
})

// gitRows are the subcommands of git.
func gitRows() map[string]fileCommand {
	const diff = "-S -G -O -U -l -n --grep --author --since --until --format --pretty --stat --diff-filter --max-count -L --date"
	return map[string]fileCommand{
		"git push|git fetch|git pull|git branch|git switch|git merge|git rebase|git tag|git remote|git rev-parse|git rev-list|git describe|git reset|" +
			"git bisect|git cherry-pick|git revert|git status|git reflog|git ls-remote|git name-rev|git merge-base|git symbolic-ref|git for-each-ref|git gc|git fsck|git help|git version|git count-objects": {},
		"git add|git commit|git stage": {all: rd, values: "-m -C -c --message --author --date --fixup --squash --reuse-message --trailer", in: "-F --file -t --template --pathspec-from-file"},
		"git diff|git log|git show|git whatchanged|git diff-tree|git diff-index|git diff-files|git difftool|git range-diff|git shortlog": {special: gitFiles, all: rd, values: diff, out: "--output"},
		"git blame|git annotate|git ls-files|git ls-tree|git cat-file|git check-ignore|git check-attr|git hash-object":                   {special: gitFiles, all: rd, values: "-L -S -x -X --exclude --date"},
		"git grep":         {special: gitFiles, all: rd, skip: 1, unskip: "-e -f", in: "-f", values: "-A -B -C -m --max-depth --threads"},
		"git config":       {out: "-f --file"},
		"git archive":      {special: gitFiles, all: rd, in: "--add-file", out: "-o --output", values: "--format --prefix --remote", tree: "*"},
		"git rm":           {special: gitSpecs, all: wr},
		"git restore":      {special: gitSpecs, all: wr, values: "-s --source --pathspec-from-file --conflict"},
		"git checkout":     {special: gitCheckout, all: wr, values: "-b -B --orphan --conflict --pathspec-from-file"},
		"git mv":           {all: rw, last: wr, tree: "*"},
		"git stash":        {special: anyWritten},
		"git clean":        {special: anyWritten},
		"git apply|git am": {special: patched, all: rd, values: "-p -C --directory --exclude --include --whitespace"},
	}
}
