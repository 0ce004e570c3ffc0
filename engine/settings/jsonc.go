package settings

import "bytes"

// blankComments returns data with // and /* */ comments outside of strings
// turned into spaces, so that every offset stays. open is the offset of a
// comment that does not end, or -1.
func blankComments(data []byte) (blank []byte, open int) {
	if !bytes.Contains(data, []byte("//")) && !bytes.Contains(data, []byte("/*")) {
		return data, -1
	}
	blank = bytes.Clone(data)
	for i := 0; i < len(blank); {
		switch {
		case blank[i] == '"':
			i = afterString(blank, i)
		case bytes.HasPrefix(blank[i:], []byte("//")):
			end := bytes.IndexByte(blank[i:], '\n')
			if end < 0 {
				end = len(blank) - i
			}
			i = wipe(blank, i, i+end)
		case bytes.HasPrefix(blank[i:], []byte("/*")):
			end := bytes.Index(blank[i+2:], []byte("*/"))
			if end < 0 {
				return nil, i
			}
			i = wipe(blank, i, i+2+end+2)
		default:
			i++
		}
	}
	return blank, -1
}

// afterString returns the offset behind the string that begins at i.
func afterString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"', '\n':
			return i + 1
		}
	}
	return len(b)
}

// wipe blanks b[from:to], keeping line breaks, and returns to.
func wipe(b []byte, from, to int) int {
	for i := from; i < to; i++ {
		if b[i] != '\n' && b[i] != '\r' {
			b[i] = ' '
		}
	}
	return to
}

// jsonBegins reports whether the first thing in data, behind white space and
// comments, is a { .
func jsonBegins(data []byte) bool {
	for {
		data = bytes.TrimLeft(data, " \t\r\n")
		end := 0
		switch {
		case bytes.HasPrefix(data, []byte("//")):
			end = bytes.IndexByte(data, '\n')
		case bytes.HasPrefix(data, []byte("/*")):
			end = bytes.Index(data, []byte("*/")) + 1
		}
		if end <= 0 {
			return bytes.HasPrefix(data, []byte{'{'})
		}
		data = data[end+1:]
	}
}
