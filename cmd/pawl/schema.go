package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/lua"
)

const schemaDetail = `Writes two files for editors: pawl.schema.json, the JSON Schema of pawl.yaml, and pawl.lua, the definitions of what a policy in Lua can call.

For yaml-language-server let the first line of pawl.yaml be
  # yaml-language-server: $schema=.pawl/schema/pawl.schema.json
For lua-language-server name the directory in workspace.library of .luarc.json.

A schema sees the shape of a file; "pawl check" also reads its patterns and conditions.`

func schemaCommand() cli.Command {
	s := &schemaCall{out: filepath.Join(".pawl", "schema")}
	return cli.Command{
		Name:   "schema",
		About:  "write the schema of pawl.yaml and Lua definitions, for editors",
		Detail: schemaDetail,
		Flags:  []cli.Flag{cli.Text(&s.out, "out", "DIR", "the directory to write to (default .pawl/schema); - prints the JSON Schema")},
		Run:    s.run,
	}
}

type schemaCall struct{ out string }

func (s *schemaCall) run(c *cli.Console, args []string) error {
	if err := cli.NoArgs(args); err != nil {
		return err
	}
	schema, err := schemaText()
	if err != nil {
		return err
	}
	if s.out == "-" {
		_, err := c.Out.Write(schema)
		return err
	}
	if s.out == "" {
		return cli.Usagef("--out: empty")
	}
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		text []byte
	}{{"pawl.schema.json", schema}, {"pawl.lua", []byte(lua.Stubs())}} {
		path := filepath.Join(s.out, f.name)
		if err := os.WriteFile(path, f.text, 0o644); err != nil {
			return err
		}
		c.Printf("wrote %s\n", cli.Escape(path))
	}
	return nil
}

// schemaText is the JSON Schema as it is written to a file.
func schemaText() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(policySchema()); err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	return b.Bytes(), nil
}
