package mcptool_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

// TestMain is also the server that the tests start: this program with MODE in
// its environment.
func TestMain(m *testing.M) {
	if mode := os.Getenv("MODE"); mode != "" {
		os.Exit(serveStdio(mode))
	}
	goleak.VerifyTestMain(m)
}

// serveStdio is a server over stdin and stdout, good or bad.
func serveStdio(mode string) int {
	if path := os.Getenv("STARTS"); path != "" {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return 9
		}
		fmt.Fprintln(f, os.Getpid())
		f.Close()
	}
	switch mode {
	case "mute":
		io.Copy(io.Discard, os.Stdin)
		return 0
	case "deaf":
		<-time.After(time.Hour)
	case "dies":
		fmt.Fprintln(os.Stderr, "no license found")
		return 3
	case "babbles":
		fmt.Println(`{"jsonrpc": "2.0", nonsense`)
		io.Copy(io.Discard, os.Stdin)
		return 0
	case "endless line":
		fmt.Print(`{"jsonrpc":"2.0","x":"`)
		for chunk := bytes.Repeat([]byte("x"), 1<<16); ; {
			if _, err := os.Stdout.Write(chunk); err != nil {
				return 0
			}
		}
	case "noisy":
		fmt.Println("listening on stdio")
		fmt.Println(`{"level":"info","msg":"a line of a log"}`)
		fmt.Print("\n")
		go func() {
			for chunk := bytes.Repeat([]byte("noise "), 1<<14); ; {
				os.Stderr.Write(chunk)
			}
		}()
	case "old", "old and mute", "new":
		return serveVersion(mode)
	case "parent":
		if err := exec.Command("sleep", "60").Start(); err != nil {
			return 9
		}
	}
	newServer().Run(context.Background(), &mcp.StdioTransport{})
	return 0
}

// serveVersion is a server that knows one generation of the protocol. What it
// does not know it refuses; "old" ends at it if that comes first, "old and mute"
// never answers it.
func serveVersion(mode string) int {
	in, w, err := os.Pipe()
	if err != nil {
		return 9
	}
	out := os.Stdout
	go func() {
		defer w.Close()
		lines := bufio.NewScanner(os.Stdin)
		for first := true; lines.Scan(); first = false {
			line := lines.Bytes()
			switch older := !bytes.Contains(line, []byte("2026-07-28")); {
			case older == (mode != "new"):
				fmt.Fprintf(w, "%s\n", line)
			case mode == "new":
				fmt.Fprintf(out, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no sessions here"}}`+"\n")
			case mode == "old" && first:
				os.Exit(3)
			}
		}
	}()
	newServer().Run(context.Background(), &mcp.IOTransport{Reader: in, Writer: out})
	return 0
}

// newServer has a tool for each way to answer.
func newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	tool := func(name string, f func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, f)
	}
	text := func(texts ...string) *mcp.CallToolResult {
		res := &mcp.CallToolResult{}
		for _, t := range texts {
			res.Content = append(res.Content, &mcp.TextContent{Text: t})
		}
		return res
	}
	tool("region", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text(fmt.Sprintf(`{"decision": "ask", "reason": %q}`, os.Getenv("REGION"))), nil
	})
	tool("echo", func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text("got " + string(r.Params.Arguments)), nil
	})
	tool("say", func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in struct{ Text string }
		err := json.Unmarshal(r.Params.Arguments, &in)
		return text(in.Text), err
	})
	tool("parts", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res := text("one", "two")
		res.Content = append(res.Content, &mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png"})
		return res, nil
	})
	tool("structured", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: map[string]any{"decision": "block", "reason": "structured"}}, nil
	})
	tool("both", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res := text(`{"decision": "approve"}`)
		res.StructuredContent = map[string]any{"decision": "block", "reason": "structured"}
		return res, nil
	})
	tool("same", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res := text("{\"decision\": \"block\", \"reason\": \"text\"}")
		res.StructuredContent = map[string]any{"decision": "block", "reason": "structured"}
		return res, nil
	})
	tool("picture", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png"}}}, nil
	})
	tool("nothing", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	})
	tool("fail", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res := text(`{"decision":"approve"}` + "\nsecond line")
		res.IsError = true
		return res, nil
	})
	tool("large", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text(string(bytes.Repeat([]byte("x"), 3<<19))), nil
	})
	tool("pid", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text(strconv.Itoa(os.Getpid())), nil
	})
	tool("answer", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text(fmt.Sprintf(`{"decision":"block","reason":%q}`, os.Getenv("ANSWER"))), nil
	})
	tool("hang", func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return text("stopped"), nil
	})
	tool("crash", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "panic: out of luck")
		os.Exit(3)
		return nil, nil
	})
	return s
}
