package tools

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// rightful is a server with a tool for each right, a resource and a prompt.
func rightful(t *testing.T) *Server {
	t.Helper()
	named := func(name string, category Category, destructive bool, permission Permission) *Definition {
		return sampleTool(func(tool *Tool[sampleIn, sampleOut]) {
			tool.Name, tool.Category, tool.Destructive, tool.Permissions = name, category, destructive, []Permission{permission}
		})
	}
	registry, err := NewRegistry(Family{
		Name: "samples", Dialect: FormatStandardError,
		Tools: []*Definition{
			named("do_sample", Query, false, "samples:read"), named("write_sample", Mutation, false, "samples:update"),
			named("replace_sample", Mutation, true, "samples:update"), named("forget_sample", Mutation, true, "samples:delete"),
		},
		Resources: []ServedResource{{URI: "samples://one", Name: "one", Description: "One.", MIMEType: "text/plain",
			Read: func(context.Context, *url.URL) (string, error) { return "secret", nil }}},
		Prompts: []ServedPrompt{{Name: "ask", Description: "Asks.", Render: func(context.Context, map[string]string) (string, error) { return "secret", nil }}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewServer(ServerOptions{Registry: registry}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestARightPermitsWhatItIsForAndNothingElse(t *testing.T) {
	s := rightful(t)
	needs := map[string]Rights{"do_sample": MayRead, "write_sample": MayWrite, "replace_sample": MayWrite, "forget_sample": MayForget}
	for rights := range AllRights + 1 {
		ctx := WithRights(t.Context(), rights)
		list, err := s.ListTools(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for tool, need := range needs {
			r, err := s.Pipeline.Call(ctx, Request{Tool: tool, Arguments: json.RawMessage(good)})
			if err != nil {
				t.Fatal(err)
			}
			may := rights.Has(need)
			if refused := r.IsError && r.Err.Code == CodePermission; refused == may {
				t.Errorf("with %v %s is answered %s", rights.Names(), tool, r.Text)
			}
			if listed := slices.ContainsFunc(list, func(one mcp.Tool) bool { return one.Name == tool }); listed != may {
				t.Errorf("with %v %s is listed: %v", rights.Names(), tool, listed)
			}
		}
	}
}

func TestWithoutTheRightToReadNothingIsRead(t *testing.T) {
	s := rightful(t)
	for _, request := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"samples://one"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"ask"}}`,
	} {
		for rights, want := range map[Rights]bool{AllRights: true, MayRead: true, MayWrite | MayForget: false, 0: false} {
			text := string(mustEncodeJSON(s.HandleMessage(WithRights(t.Context(), rights), json.RawMessage(request))))
			if read := strings.Contains(text, "secret"); read != want || want == strings.Contains(text, `"error"`) {
				t.Errorf("with %v: %s", rights.Names(), text)
			}
		}
	}
	for method, want := range map[string]Rights{"resources/read": MayRead, "resources/subscribe": MayRead, "subscriptions/listen": MayRead, "ping": 0, "initialize": 0, "tools/list": 0} {
		if got := s.RequiredRightOf(method, ""); got != want {
			t.Errorf("%s needs %v", method, got.Names())
		}
	}
}

func TestRightsAreReadAsTheyAreWritten(t *testing.T) {
	for rights := range AllRights + 1 {
		if read, err := ParseRights(rights.Names()); err != nil || read != rights {
			t.Errorf("%v becomes %v, %v", rights.Names(), read.Names(), err)
		}
	}
	if _, err := ParseRights([]string{"read", "admin"}); err == nil {
		t.Error("a right that there is not is taken")
	}
}
