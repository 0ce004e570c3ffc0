package shell

import (
	"path"
	"strings"
)

// maxCopies bounds the names that one text gives to programs.
const maxCopies = 64

// copied notes what cp, ln, install and mv make: a program may have another
// name then.
func (s *scope) copied(name string, args []word) {
	if !has("cp gcp ln gln install ginstall mv gmv", name) {
		return
	}
	var operands []string
	into := ""
	for i, w := range args {
		switch {
		case i > 0 && hasTarget(args[i-1].text):
			into = w.text
		case strings.HasPrefix(w.text, "--target-directory="):
			_, into, _ = strings.Cut(w.text, "=")
		case w.known && w.text != "" && w.text[0] != '-':
			operands = append(operands, w.text)
		}
	}
	if into != "" {
		operands = append(operands, into)
	}
	if len(operands) < 2 {
		return
	}
	to := operands[len(operands)-1]
	for _, from := range operands[:len(operands)-1] {
		s.copy(to, path.Base(from))
		s.copy(to+"/"+path.Base(from), path.Base(from))
	}
}

// hasTarget reports that the word behind an option is the directory that the
// operands go to.
func hasTarget(option string) bool {
	return option == "--target-directory" || len(option) > 1 && option[0] == '-' && option[1] != '-' && option[len(option)-1] == 't'
}

func (s *scope) copy(to, program string) {
	if s.run.copies == nil {
		s.run.copies = map[string]string{}
	}
	if path.Base(to) != program && len(s.run.copies) < maxCopies {
		s.run.copies[s.placed(to)] = program
		s.run.copies[path.Base(to)] = program // it may be found on PATH
	}
}

// placed is a name with the directory that it is in, as far as that is known.
func (s *scope) placed(name string) string {
	if !path.IsAbs(name) && s.dir.Known {
		name = s.dir.Text + "/" + name
	}
	return path.Clean(name)
}

// copyOf is the program that a name was given to earlier in the text.
func (s *scope) copyOf(name string) (program string, ok bool) {
	if len(s.run.copies) == 0 {
		return "", false
	}
	if strings.Contains(name, "/") {
		name = s.placed(name)
	}
	program, ok = s.run.copies[name]
	return program, ok
}
