package outbound

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"syscall"
)

// refusal is a range of addresses that no request goes to.
type refusal struct {
	prefix netip.Prefix
	why    string
}

var refusals = sync.OnceValue(func() []refusal {
	const metadata = "a cloud hands out credentials there"
	list := []struct{ prefix, why string }{
		{"169.254.0.0/16", "link-local: " + metadata},
		{"fe80::/10", "link-local: " + metadata},
		{"fd00:ec2::/32", metadata},      // AWS
		{"fd20:ce::254/128", metadata},   // Google Cloud
		{"100.100.100.200/32", metadata}, // Alibaba Cloud
		{"168.63.129.16/32", metadata},   // Azure
		{"192.0.0.192/32", metadata},     // Oracle Cloud
		{"fd00:c1::a9fe:a9fe/128", metadata},
		{"fd00:42::42/128", metadata}, // Scaleway
		{"0.0.0.0/8", "it is no host"},
		{"::/128", "it is no host"},
		{"224.0.0.0/3", "it is no single host"}, // multicast, reserved, broadcast
		{"ff00::/8", "it is no single host"},
	}
	all := make([]refusal, len(list))
	for i, r := range list {
		all[i] = refusal{netip.MustParsePrefix(r.prefix), r.why}
	}
	return all
})

// control judges the address of a connection that is about to be made.
func control(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("address %q: %w", address, err)
	}
	return check(to.Addr())
}

// check refuses addr, and an IPv6 address that stands for an IPv4 one that is
// refused.
func check(addr netip.Addr) error {
	addr = addr.WithZone("").Unmap()
	for _, a := range []netip.Addr{addr, embedded(addr)} {
		for _, r := range refusals() {
			if r.prefix.Contains(a) {
				return fmt.Errorf("no request goes to %s: %s", addr, r.why)
			}
		}
	}
	return nil
}

// embedded is the IPv4 address that a gateway would make of addr, or the zero
// Addr.
func embedded(addr netip.Addr) netip.Addr {
	if !addr.Is6() {
		return netip.Addr{}
	}
	b := addr.As16()
	for _, form := range []struct {
		prefix string
		at     int // of the four bytes
	}{
		{"64:ff9b::/96", 12},    // NAT64
		{"64:ff9b:1::/48", 12},  // NAT64, local
		{"2002::/16", 2},        // 6to4
		{"::ffff:0:0:0/96", 12}, // SIIT
		{"::/96", 12},           // IPv4-compatible
	} {
		if netip.MustParsePrefix(form.prefix).Contains(addr) && !addr.IsLoopback() {
			return netip.AddrFrom4([4]byte(b[form.at : form.at+4]))
		}
	}
	return netip.Addr{}
}
