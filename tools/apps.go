package tools

import (
	"context"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const (
	// appsExtension names MCP Apps among the capabilities of a client.
	appsExtension = "io.modelcontextprotocol/ui"
	// appType is the type of a document that is an app.
	appType = "text/html;profile=mcp-app"
)

// App is a document that shows the results of a tool inside a chat, in clients
// with the extension MCP Apps (2026-01-26). All others are told nothing of it.
type App struct {
	URI         string // with the scheme ui
	Tool        string // published name of the tool whose results it shows
	Title       string
	Description string
	HTML        func() (string, error) // whole: nothing is loaded from elsewhere
}

// showsApps reports whether the client of a request shows apps.
func showsApps(ctx context.Context) bool {
	client, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	return ok && offersApps(client.GetClientCapabilities())
}

func offersApps(capabilities mcp.ClientCapabilities) bool {
	settings, _ := capabilities.Extensions[appsExtension].(map[string]any)
	types, _ := settings["mimeTypes"].([]any)
	return slices.Contains(types, any(appType))
}

// appsMeta asks the client to run an app apart from everything: it may load
// nothing, reach nobody and hold no other document.
func appsMeta() map[string]any {
	none := []string{}
	return map[string]any{"ui": map[string]any{
		"csp":           map[string]any{"connectDomains": none, "resourceDomains": none, "frameDomains": none, "baseUriDomains": none},
		"prefersBorder": true,
	}}
}

// servedApps are the apps whose tools a client may call.
func (p *Pipeline) servedApps() []App {
	return slices.DeleteFunc(slices.Clone(p.o.Apps), func(a App) bool { return !p.offers(a.Tool) })
}

// withApps is a list of tools, each with the address of its app. The list itself
// stays as it is: other clients share it.
func (s *Server) withApps(list []mcp.Tool) []mcp.Tool {
	list = slices.Clone(list)
	for _, a := range s.resources.apps {
		i := slices.IndexFunc(list, func(t mcp.Tool) bool { return t.Name == a.Tool })
		if i < 0 {
			continue
		}
		fields := map[string]any{"ui": map[string]any{"resourceUri": a.URI}}
		maps.Copy(fields, list[i].Meta.AdditionalFields)
		list[i].Meta = &mcp.Meta{AdditionalFields: fields}
	}
	return list
}

// listApps adds the apps to the list of resources.
func (s *Server) listApps(ctx context.Context, _ any, _ *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
	if !showsApps(ctx) {
		return
	}
	for _, a := range s.resources.apps {
		result.Resources = append(result.Resources, mcp.Resource{
			URI: a.URI, Name: a.Tool, Title: a.Title, Description: a.Description, MIMEType: appType, Meta: &mcp.Meta{AdditionalFields: appsMeta()},
		})
	}
}

// answerApps says in the handshake that the extension is understood, where the
// client has offered it.
func answerApps(_ context.Context, _ any, request *mcp.InitializeRequest, result *mcp.InitializeResult) {
	if offersApps(request.Params.Capabilities) {
		result.Capabilities.Extensions = map[string]any{appsExtension: map[string]any{}}
	}
}

// discoverApps says the same to clients that ask without a handshake.
func discoverApps(ctx context.Context, _ any, _ *mcp.DiscoverRequest, result *mcp.DiscoverResult) {
	if showsApps(ctx) {
		result.Capabilities.Extensions = map[string]any{appsExtension: map[string]any{}}
	}
}
