package lua

import (
	"container/list"
	"sync"
)

// sessions keeps the states of the sessions that were active last.
type sessions struct {
	mu    sync.Mutex
	max   int
	order list.List // of *state, most recently used first
	byID  map[string]*list.Element
}

func (s *sessions) init(n int) {
	s.max, s.byID = n, map[string]*list.Element{}
}

// get returns the state of a session. One that is pushed out by it goes on
// with the calls it has.
func (s *sessions) get(id string, make func() *state) *state {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.byID[id]; ok {
		s.order.MoveToFront(e)
		return e.Value.(*state)
	}
	st := make()
	s.byID[id] = s.order.PushFront(st)
	if s.order.Len() > s.max {
		s.remove(s.order.Back())
	}
	return st
}

// drop forgets st, so that the next call of its session gets another.
func (s *sessions) drop(st *state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.byID[st.session]; ok && e.Value.(*state) == st {
		s.remove(e)
	}
}

func (s *sessions) remove(e *list.Element) {
	s.order.Remove(e)
	delete(s.byID, e.Value.(*state).session)
}
