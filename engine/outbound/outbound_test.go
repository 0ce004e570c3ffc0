package outbound

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/engine/hook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// B116: addresses where clouds hand out credentials are refused in every spelling;
// those of services that people run are not.
func TestAddresses(t *testing.T) {
	for _, tt := range []struct {
		addrs   string
		refused bool
	}{
		{"169.254.169.254 169.254.170.2 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 64:ff9b:1::a9fe:a9fe 2002:a9fe:a9fe::1 ::169.254.169.254", true},
		{"fe80::1 fe80::1%eth0 fd00:ec2::254 fd00:ec2::23 fd20:ce::254 100.100.100.200 fd00:c1::a9fe:a9fe fd00:42::42 ::ffff:0:169.254.169.254 168.63.129.16 192.0.0.192", true},
		{"0.0.0.0 0.1.2.3 :: 224.0.0.1 240.0.0.1 255.255.255.255 ff02::1", true},
		{"127.0.0.1 ::1 ::ffff:127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 fd12:3456::1 93.184.216.34 2606:2800::1", false},
	} {
		for _, text := range strings.Fields(tt.addrs) {
			if err := check(netip.MustParseAddr(text)); (err != nil) != tt.refused {
				t.Errorf("%s: %v, want refused %v", text, err, tt.refused)
			}
		}
	}
}

// B116: a name that is a harmless host when it is looked at, and another one when it
// is dialled, is refused: it is the dialled address that is judged.
func TestRebinding(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	addresses := make(chan netip.Addr, 2)
	addresses <- netip.MustParseAddr("127.0.0.1")
	addresses <- netip.MustParseAddr("169.254.169.254")
	d := dialer()
	d.Resolver = &net.Resolver{PreferGo: true, Dial: nameserver(t, addresses)}

	conn, err := d.DialContext(t.Context(), "tcp4", "rebind.test.:"+port)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	conn, err = d.DialContext(t.Context(), "tcp4", "rebind.test.:"+port)
	if err == nil {
		conn.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "no request goes to 169.254.169.254") {
		t.Errorf("second dial: %v", err)
	}
}

// nameserver answers each question for an A record with the next address. It
// ends with t.
func nameserver(t *testing.T, addresses <-chan netip.Addr) func(context.Context, string, string) (net.Conn, error) {
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pc.Close() })
	go func() {
		buf := make([]byte, 512)
		for {
			n, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			pc.WriteTo(answerA(buf[:n], <-addresses), from)
		}
	}()
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", pc.LocalAddr().String())
	}
}

// answerA is the answer to a DNS question: the same header and question, and
// one record.
func answerA(question []byte, addr netip.Addr) []byte {
	end := 12
	for question[end] != 0 {
		end += int(question[end]) + 1
	}
	b := append([]byte{}, question[:end+5]...)
	binary.BigEndian.PutUint16(b[2:], 0x8180) // an answer
	binary.BigEndian.PutUint16(b[6:], 1)      // with one record
	binary.BigEndian.PutUint32(b[8:], 0)      // and nothing else
	b = append(b, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
	return append(b, addr.AsSlice()...)
}

// B116: a proxy of the environment sees nothing.
func TestNoProxy(t *testing.T) {
	seen := false
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { seen = true }))
	defer proxy.Close()
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	resp, err := Client(Options{}).Get("http://169.254.169.254/latest/meta-data/")
	if err == nil {
		resp.Body.Close()
	}
	if err == nil || seen {
		t.Errorf("error %v, the proxy was asked: %v", err, seen)
	}
	n := Failure(t.Context(), time.Now(), "no answer", err)
	if n.Cause != hook.CauseHTTP || strings.Contains(n.Error(), "meta-data") || !strings.Contains(n.Error(), "credentials") {
		t.Errorf("failure %v", n)
	}
}

// A body of the largest size is read whole; one byte more is an error.
func TestCap(t *testing.T) {
	for size, whole := range map[int]bool{0: true, 99: true, 100: true, 101: false, 1 << 20: false} {
		body := capped{io.NopCloser(strings.NewReader(strings.Repeat("x", size))), 100, 100}
		data, err := io.ReadAll(&body)
		if (err == nil) != whole || len(data) != min(size, 100) {
			t.Errorf("%d bytes: read %d, error %v", size, len(data), err)
		}
	}
}
