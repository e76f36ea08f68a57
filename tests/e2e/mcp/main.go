// SPDX-License-Identifier: Apache-2.0

// A client of the Go SDK, which does what client.py does.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type call struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
}

type said struct {
	Version string   `json:"version"`
	Server  string   `json:"server"`
	Tools   []string `json:"tools"`
	Called  []string `json:"called"`
	Wrong   string   `json:"wrong"`
}

func transport(arguments []string) mcp.Transport {
	if arguments[0] == "http" {
		return &mcp.StreamableClientTransport{Endpoint: arguments[1], HTTPClient: http.DefaultClient, MaxRetries: -1}
	}
	command := exec.Command(arguments[1], arguments[2:]...)
	command.Stderr = os.Stderr
	return &mcp.CommandTransport{Command: command}
}

// ask makes a call and returns its text, and the calls that it proposes.
func ask(ctx context.Context, session *mcp.ClientSession, one call) (string, []call, bool, error) {
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: one.Tool, Arguments: one.Arguments})
	if err != nil {
		return "", nil, false, fmt.Errorf("%s: %w", one.Tool, err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	bytes, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return "", nil, false, err
	}
	var structured struct {
		Next []call `json:"next"`
	}
	if !result.IsError {
		err = json.Unmarshal(bytes, &structured)
	}
	return text, structured.Next, result.IsError, err
}

func run(ctx context.Context, session *mcp.ClientSession, out *said) error {
	listed, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	for _, tool := range listed.Tools {
		out.Tools = append(out.Tools, tool.Name)
	}
	due := firstCalls()
	done := map[string]bool{}
	for len(due) > 0 {
		one := due[0]
		due = due[1:]
		if done[one.Tool] {
			continue
		}
		done[one.Tool] = true
		text, next, isError, err := ask(ctx, session, one)
		if err != nil || isError || len(text) > 4096 {
			return fmt.Errorf("%v: %s %v", one, text, err)
		}
		out.Called = append(out.Called, one.Tool)
		due = append(next, due...)
	}
	text, _, isError, err := ask(ctx, session, call{"why", map[string]any{"sevice": "shop"}})
	if err != nil || !isError {
		return fmt.Errorf("a wrong argument: %s %v", text, err)
	}
	out.Wrong = text
	if _, _, _, err := ask(ctx, session, call{"no_such_tool", nil}); err == nil {
		return fmt.Errorf("an unknown tool is called")
	}
	return nil
}

func firstCalls() []call {
	return []call{
		{"slow_requests", map[string]any{"service": "shop", "where": []any{"http_route=/order"}}},
		{"services", map[string]any{}},
		{"attributes", map[string]any{"min_ms": 1, "base": "rest"}},
		{"compare", map[string]any{"service": "shop", "base": map[string]any{"to": "1m"}}},
		{"policy_check", map[string]any{"text": "<configuration version='2.0'/>"}},
		{"trace", map[string]any{"id": "4bf92f3577b34da6a3ce929d0e0e4736"}},
	}
}

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "judge", Version: "1"}, nil)
	session, err := client.Connect(ctx, transport(os.Args[1:]), nil)
	out := said{}
	if err == nil {
		out.Version = session.InitializeResult().ProtocolVersion
		out.Server = session.InitializeResult().ServerInfo.Name
		err = run(ctx, session, &out)
	}
	if err == nil {
		err = session.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(out)
}
