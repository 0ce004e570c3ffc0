package resident

import "time"

// Status is what a server tells of itself.
type Status struct {
	PID         int               `json:"pid"`
	Version     string            `json:"version"`
	Started     time.Time         `json:"started"`
	HTTP        string            `json:"http,omitempty"` // where it listens for http hooks
	Connections int               `json:"connections"`
	Calls       int64             `json:"calls"`
	Declined    map[string]int64  `json:"declined,omitempty"` // why, and how often, clients were sent away
	Memory      uint64            `json:"memory_bytes"`
	Workspaces  []WorkspaceStatus `json:"workspaces"`
}

// WorkspaceStatus is one workspace of a Status.
type WorkspaceStatus struct {
	Root     string    `json:"root"`
	Files    []string  `json:"config_files,omitempty"`
	Snapshot string    `json:"snapshot"`
	Faults   []string  `json:"faults,omitempty"` // of the settings in force
	Kept     []string  `json:"kept,omitempty"`   // files whose change is not in force, and why
	Sessions int       `json:"sessions"`
	Calls    int       `json:"calls"`
	Opened   time.Time `json:"opened"`
	Used     time.Time `json:"used"`
}
