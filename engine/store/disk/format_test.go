package disk

import (
	"bytes"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SliceOf(rapid.Byte()).Draw(t, "value")
		expires := time.Unix(0, rapid.Int64().Draw(t, "expires"))
		got, when, err := decode(encode(value, expires))
		if err != nil || !bytes.Equal(got, value) || !when.Equal(expires) {
			t.Fatalf("got %q %v, %v", got, when, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(encode([]byte("7"), time.Unix(1, 0)))
	f.Add([]byte("pawl1 x y\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		value, expires, err := decode(data)
		if err == nil && !bytes.Equal(encode(value, expires), data) {
			t.Errorf("%q was read as %q until %v", data, value, expires)
		}
	})
}
