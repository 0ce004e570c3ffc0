package shell

import "strings"

// carriage stands for a carriage return within a text that is followed: to
// bash it is a letter like any other, to the parser it is a blank.
const carriage = "\x1a"

// letters makes the carriage returns of a text letters.
func letters(text string) string { return strings.ReplaceAll(text, "\r", carriage) }

// returned shows carriage returns again.
func returned(text string) string {
	if strings.IndexByte(text, carriage[0]) < 0 {
		return text
	}
	return strings.ReplaceAll(text, carriage, "\r")
}

// withoutReturns follows the text once more as if its lines ended in a line
// feed only: who gives it to the shell may mend it before.
func (s *scope) withoutReturns(text string) {
	mended := strings.TrimSuffix(strings.ReplaceAll(text, carriage+"\n", "\n"), carriage)
	if mended == text {
		return
	}
	if !s.run.spend(len(mended)) {
		s.opaque("more shell text within shell text than is followed", 0)
		return
	}
	t := s.blank()
	t.sure, t.src, t.aliases, t.functions = false, mended, nil, nil
	t.stmts(s.run.parse(mended).stmts)
}
