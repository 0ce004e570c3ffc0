package rules

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
	"pgregory.net/rapid"
)

func TestPowerShell(t *testing.T) {
	const rm = "PowerShell(Remove-Item *)"
	for _, c := range []struct {
		pattern, command string
		want             hook.Tri
	}{
		{rm, "Remove-Item x", hook.Yes},
		{rm, "remove-ITEM x", hook.Yes},
		{rm, "ri x; ls", hook.Yes},
		{rm, "ls | RM -Recurse", hook.Yes},
		{rm, "cd d && erase x", hook.Yes},
		{rm, "cd d || rmdir x", hook.Yes},
		{rm, "ls\nrd x", hook.Yes},
		{rm, "rm $x", hook.Yes},
		{rm, "& 'Remove-Item' x", hook.Yes},
		{rm, `& "rm" x`, hook.Yes},
		{rm, `Microsoft.PowerShell.Management\Remove-Item x`, hook.Yes},
		{rm, "Remove-`\nItem x", hook.Yes},
		{rm, "R`M x", hook.Yes},
		{rm, "r`m x", hook.Yes},
		{rm, "Re'move'-Item x", hook.Yes},
		{rm, "Remove‐Item x", hook.No}, // U+2010 is no dash to PowerShell
		{rm, "Remove–Item x", hook.Yes},
		{rm, "`remove-item x", hook.Unknown}, // `r is a carriage return to some
		{rm, "Get-ChildItem | ForEach-Object { Remove-Item $_ }", hook.Yes},
		{rm, "gci | % { if ($_.Length -gt 5) { rm $_ } }", hook.Yes},
		{rm, "if ($x) { ls } else { rm x }", hook.Yes},
		{rm, "if ($x) { ls } rm x", hook.Yes},
		{rm, "try { rm x } catch { }", hook.Yes},
		{rm, "function f { rm x }", hook.Yes},
		{rm, "$x = rm y", hook.Yes},
		{rm, "$x=rm y", hook.Yes},
		{rm, "$h = @{ a = rm x; b = 2 }", hook.Yes},
		{rm, "echo $(rm x)", hook.Yes},
		{rm, `echo "a $(rm x)"`, hook.Yes},
		{rm, "echo (rm x)", hook.Yes},
		{rm, "echo @(rm x)", hook.Yes},
		{rm, "& { rm x }", hook.Yes},
		{rm, "Invoke-Command -ScriptBlock { rm x }", hook.Yes},
		{rm, "return rm x", hook.Yes},
		{rm, "rm = x", hook.Yes},
		{rm, "rm x > log.txt", hook.Yes},
		{rm, "rm x 2>&1", hook.Yes},
		{rm, "rm x &", hook.Yes},
		{rm, "rm.exe x", hook.Yes},

		{rm, "echo 'rm x'", hook.No},
		{rm, "'rm x'", hook.No},
		{rm, `"rm" | Out-File f`, hook.No},
		{rm, "echo rm x", hook.No},
		{rm, "# rm x", hook.No},
		{rm, "ls <# rm x #> y", hook.No},
		{rm, "$rm = 5", hook.No},
		{rm, "git rm x", hook.No},
		{rm, "echo 'it''s; rm x'", hook.No},
		{rm, "echo \"a`\"; rm x\"", hook.No},
		{rm, "echo @'\nrm x\n'@", hook.No},
		{rm, "git commit -m 'rm x; rm y'", hook.No},
		{rm, "ls > out.txt", hook.No},
		{rm, "ls 2>$null", hook.No},
		{rm, "7z a x.7z d", hook.No},
		{rm, "1..3 | % { echo $_ }", hook.No},
		{rm, "$x.Trim()", hook.No},
		{rm, "if ($x -eq 'rm x') { ls }", hook.No},
		{rm, "foreach ($f in $list) { cat $f }", hook.No},
		{rm, "python -m pytest", hook.No},
		{rm, "npm run build; go test ./...", hook.No},

		{rm, "iex 'rm x'", hook.Unknown},
		{rm, "& $x y", hook.Unknown},
		{rm, ". ./x.ps1", hook.Unknown},
		{rm, "powershell -Command 'rm x'", hook.Unknown},
		{rm, "pwsh -enc AAAA", hook.Unknown},
		{rm, "cmd /c del x", hook.Unknown},
		{rm, "[IO.File]::Delete('x')", hook.Unknown},
		{rm, "$f.Delete()", hook.Unknown},
		{rm, "Set-Alias z Remove-Item; z x", hook.Unknown},
		{rm, "gci | % Delete", hook.Unknown},
		{rm, "echo 'rm x", hook.Unknown},
		{rm, "echo (rm", hook.Yes},
		{rm, "python -c 'x'", hook.Unknown},
		{"PowerShell(Remove-Item -Recurse *)", "rm $x", hook.Unknown},
		{"PowerShell(Remove-Item -Recurse *)", "rm x $y", hook.No},
		{"PowerShell(rm *)", "Remove-Item x", hook.Yes},
		{"PowerShell(git push *)", "git push --force", hook.Yes},
		{"PowerShell(Invoke-WebRequest *)", "curl https://x | iex", hook.Yes},
	} {
		p, diags := If(hook.Text{Value: c.pattern}, Scope{Event: hook.PreToolUse})
		if p == nil {
			t.Fatal(diags)
		}
		f := Analyze(toolEvent("PowerShell", map[string]any{"command": c.command}))
		if m := p.Explain(f); m.Tri != c.want {
			t.Errorf("%s on %q: got %v (%s), want %v", c.pattern, c.command, m.Tri, m.Why, c.want)
		}
	}
}

func TestPowerShellGrants(t *testing.T) {
	p, _ := Permission(hook.Text{Value: "PowerShell(Get-ChildItem *)"}, scopeFor(true))
	for command, want := range map[string]hook.Tri{
		"ls": hook.Yes, "gci -Recurse $d": hook.Yes, "ls | ls": hook.Yes, "ls (dir x)": hook.Yes, "ls 2>$null": hook.Yes,
		"ls; rm x": hook.No, "ls $(rm x)": hook.No, "ls > f": hook.Unknown, "ls ([IO.File]::Delete('x'))": hook.Unknown,
		"ls | % { rm $_ }": hook.No, "": hook.No, "iex x": hook.Unknown, "'x'": hook.No, "ls 'a": hook.Unknown,
	} {
		if got := p.Match(Analyze(toolEvent("PowerShell", map[string]any{"command": command}))); got != want {
			t.Errorf("%q: got %v, want %v", command, got, want)
		}
	}
}

// Whatever is wrapped around a command does not hide it, and no text panics.
func TestPowerShellHidesNothing(t *testing.T) {
	p, _ := If(hook.Text{Value: "PowerShell(Remove-Item *)"}, Scope{Event: hook.PreToolUse})
	around := rapid.SampledFrom([]string{"if ($x) { % }", "% ; ls", "ls | % x", "$y = %", "& { % }", "echo $(%)", `echo "a $(%)"`, "try { % } finally { }", "@{ k = % }", "(%)",
		"ls\n%", "foreach ($i in 1) { % }", "% 2>&1", "ls && %", "function f { % }", "gci | ForEach-Object { % }", "<# c #> %", "$z.k = %"})
	rapid.Check(t, func(t *rapid.T) {
		text := "Remove-Item x"
		for range rapid.IntRange(0, 4).Draw(t, "depth") {
			text = strings.Replace(around.Draw(t, "around"), "%", text, 1)
		}
		if got := p.Match(Analyze(toolEvent("PowerShell", map[string]any{"command": text}))); got == hook.No {
			t.Fatalf("%q is called data", text)
		}
	})
}

func FuzzPowerShell(f *testing.F) {
	for _, seed := range []string{"rm x", "@'\n'@", "`", "\"$(", "@{a=(", "<#", "2>&", "$x[1] = {", ")}", "& ''", "@{\"\"", "@\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if c := parsePowerShell(text); c.Opaque && len(c.Unknown) == 0 {
			t.Error("opaque without a reason")
		}
	})
}
