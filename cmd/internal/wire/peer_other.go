//go:build !(linux || darwin)

package wire

const prompt = false

// CheckPeer finds nothing out: here the directory alone keeps others away.
func CheckPeer(int) (pid int, err error) { return 0, nil }

// CheckView finds nothing out.
func CheckView(int) error { return nil }
