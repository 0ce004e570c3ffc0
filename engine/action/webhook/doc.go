// Package webhook is the hook type http: it sends the event to a server and
// reads the answer.
//
//	url             http or https, as written: nothing is filled in
//	method          POST (default), PUT or PATCH
//	headers         values may use $NAME and ${NAME}
//	allowedEnvVars  the names that headers may use, of the environment of whoever
//	                asks; any other is empty
//	retries         how often a post is sent again; only with async
//	limit           what the settings files allow, across layers
//
// The body of the request is the event as a command reads it. What the answer
// means:
//
//	2xx, no body                           silence
//	2xx, JSON or plain text                as stdout of a command that ended with 0
//	2xx, any other content type            only an object that asks, denies or halts
//	any other status, also a redirect      a failure, whatever the body says
//	no connection, half a body, too large  a failure
//
// allowedHttpHookUrls and httpHookAllowedEnvVars narrow all hooks of the type.
// Lists of several files are one list, save that a managed one is a ceiling
// for the others. In a URL pattern * stands for any text within the scheme,
// the host, the port, or the path with the query.
//
// Promises:
//
//  1. Requests go where package outbound lets them: no redirects, no proxies,
//     no addresses of clouds' metadata; certificates are verified.
//  2. No URL, no value of a header and no body of a failed answer is part of
//     an error: the path of a URL and a header may hold secrets.
//  3. A header value with a line break, or another control character, is not
//     sent: the hook fails.
//  4. Run returns when its context ends. An answer of more than 1 MiB fails.
//  5. A post is repeated only in the background, and with one Idempotency-Key.
//  6. An Action may be run by any number of goroutines; all actions of a Type
//     share their connections.
package webhook
