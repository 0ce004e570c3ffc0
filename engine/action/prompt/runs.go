package prompt

import "strings"

// Runs is the model that is asked, and the question, shortened.
func (j Judge) Runs() string {
	text := []rune(strings.Join(strings.Fields(j.text), " "))
	if most := 60; len(text) > most {
		text = append(text[:most], '…')
	}
	return "asks model " + j.model + ": " + string(text)
}
