package disk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"time"
)

// MaxValue is the largest value, in bytes.
const MaxValue = 4 << 20

const (
	magic     = "pawl1"
	maxHeader = 128
	maxFile   = MaxValue + maxHeader
)

// encode is "pawl1 EXPIRY SUM\nVALUE": the expiry in nanoseconds since 1970,
// the sum over the expiry and the value.
func encode(value []byte, expires time.Time) []byte {
	stamp := strconv.FormatInt(expires.UnixNano(), 10)
	header := magic + " " + stamp + " " + checksum(stamp, value) + "\n"
	return append([]byte(header), value...)
}

// decode is the inverse of encode. Of a file that is not whole it returns an
// error.
func decode(data []byte) (value []byte, expires time.Time, err error) {
	header, value, ok := bytes.Cut(data, []byte("\n"))
	fields := bytes.Split(header, []byte(" "))
	if !ok || len(fields) != 3 || string(fields[0]) != magic {
		return nil, time.Time{}, errors.New("not a value of this store")
	}
	stamp := string(fields[1])
	if checksum(stamp, value) != string(fields[2]) {
		return nil, time.Time{}, errors.New("damaged: the checksum is wrong")
	}
	nanos, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return nil, time.Time{}, err
	}
	return value, time.Unix(0, nanos), nil
}

func checksum(stamp string, value []byte) string {
	h := sha256.New()
	h.Write([]byte(stamp))
	h.Write([]byte{'\n'})
	h.Write(value)
	return hex.EncodeToString(h.Sum(nil))
}
