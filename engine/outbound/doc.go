// Package outbound is the one way to make a request over HTTP.
//
//	Client    an http.Client for hooks: no proxy, no redirects, bodies capped
//	refused   an address that no request goes to: where clouds hand out
//	          credentials to whoever asks, and what is no host
//	Failure   what went wrong, as a hook.NoVerdict without the URL
//
// Promises:
//
//  1. An address is judged when it is dialled, after names are resolved, so
//     that no name can be another host in between. Loopback and private
//     networks are not refused: people run their services there.
//  2. A redirect is an answer, never followed: neither the event nor a header
//     reaches a host that the settings do not name. Proxies of the environment
//     are not used.
//  3. Certificates are verified.
//  4. A body yields at most MaxBody bytes, counted after decompression; then
//     reading fails. A header is at most 64 KiB.
//  5. A connection and its handshake take at most ConnectTimeout each; all else
//     ends with the context of the request.
//  6. A Client may be used by any number of goroutines. Connections are kept
//     for a while and used again; CloseIdleConnections ends the idle ones.
package outbound
