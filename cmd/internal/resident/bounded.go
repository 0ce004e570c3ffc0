package resident

import (
	"net"
	"sync"
)

// bounded takes so many connections at a time; others wait.
type bounded struct {
	net.Listener
	slots chan struct{}
}

// Accept waits for a slot and then for a connection.
func (b *bounded) Accept() (net.Conn, error) {
	b.slots <- struct{}{}
	conn, err := b.Listener.Accept()
	if err != nil {
		<-b.slots
		return nil, err
	}
	return &slotted{Conn: conn, free: sync.OnceFunc(func() { <-b.slots })}, nil
}

// slotted is a connection that has a slot.
type slotted struct {
	net.Conn
	free func()
}

// Close ends the connection and frees its slot.
func (c *slotted) Close() error {
	defer c.free()
	return c.Conn.Close()
}
