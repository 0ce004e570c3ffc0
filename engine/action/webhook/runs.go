package webhook

// Runs is where the event goes.
func (a *action) Runs() string { return a.method + " " + a.url }
