package rules

import (
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// commandView is one command as a condition sees it.
type commandView struct {
	Name     string   `expr:"name"` // base name of the program
	Args     []string `expr:"args"` // words after it
	Text     string   `expr:"text"`
	Raw      string   `expr:"raw"`
	Dir      string   `expr:"dir"`
	Wrappers []string `expr:"wrappers"`
}

// commands returns the commands of the event. Asking for them is asking all
// that the text cannot tell of them.
func (r *run) commands() []commandView {
	if r.views != nil {
		return r.views
	}
	c := r.facts.Commands()
	if c.Opaque || len(c.Possible) > 0 {
		r.doubt(doubtOf(c))
	}
	r.views = make([]commandView, len(c.List))
	for i := range c.List {
		cmd := &c.List[i]
		r.views[i] = commandView{Text: cmd.Text, Raw: cmd.Raw, Dir: cmd.Dir.Text, Wrappers: cmd.Wrappers, Args: make([]string, max(len(cmd.Argv)-1, 0))}
		for j, w := range cmd.Argv {
			if !w.Known && (j == 0 || r.cond.deep) {
				r.doubt(w.Text + " is not literal")
			}
			if j > 0 {
				r.views[i].Args[j-1] = w.Text
			} else {
				r.views[i].Name = w.Text[strings.LastIndexByte(w.Text, '/')+1:]
			}
		}
	}
	return r.views
}

func doubtOf(c hook.Commands) string {
	if len(c.Unknown) > 0 {
		return c.Unknown[0].Reason
	}
	return "what runs cannot be told"
}
