//go:build !unix

package watcher

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
