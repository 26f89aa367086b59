package tools

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// ServedResource is a document clients can read and watch.
type ServedResource struct {
	URI         string // without a query
	Name        string
	Title       string
	Description string
	MIMEType    string
	// Topics name what the document is made of; a write to any of them sends
	// notifications/resources/updated to subscribers.
	Topics []string
	// Permission a reader needs; empty for none.
	Permission Permission
	// Read returns the text; uri is the address asked for, with its query. An
	// *Error of kind validation becomes an invalid-params error.
	Read func(ctx context.Context, uri *url.URL) (string, error)
}

// ServedTemplate describes the addresses of a ServedResource that take
// parameters, or a family of documents with a common prefix.
type ServedTemplate struct {
	URITemplate string // RFC 6570
	Name        string
	Title       string
	Description string
	MIMEType    string
	// Prefix is what every address of the template starts with; Read gets the
	// whole address. Both are empty when a ServedResource answers.
	Prefix string
	// Known reports whether an address with the prefix exists.
	Known func(uri *url.URL) bool
	Read  func(ctx context.Context, uri *url.URL) (string, error)
}

// routeScheme marks addresses that the router has recognised. mcp-go matches
// addresses against RFC 6570 templates, which refuses spaces, umlauts and other
// orders of parameters; so a recognised address is packed into one that always
// matches, and unpacked by the handler.
const routeScheme = "toolkit-route:"

// resourceRouter finds the document an address means.
type resourceRouter struct {
	p         *Pipeline
	resources []ServedResource
	templates []ServedTemplate
}

func newResourceRouter(p *Pipeline) *resourceRouter {
	r := &resourceRouter{p: p}
	r.templates = append(r.templates, r.toolTemplate())
	r.resources = append(r.resources, hintsSchemaResource())
	for _, f := range p.o.Registry.families {
		if !p.o.Access.servesFamily(f.Name, f.System) {
			continue
		}
		if !slices.ContainsFunc(f.Tools, func(d *Definition) bool { return !d.Writes() && p.isCallable(d.Name) }) {
			continue // what no tool may read, no address may
		}
		for _, one := range f.Resources {
			if one.Permission == "" || p.o.Access.isGranted(one.Permission) {
				r.resources = append(r.resources, one)
			}
		}
		r.templates = append(r.templates, f.Templates...)
	}
	return r
}

func (r *resourceRouter) registerResources(s *server.MCPServer) {
	for _, one := range r.resources {
		s.AddResource(mcp.Resource{URI: one.URI, Name: one.Name, Title: one.Title, Description: one.Description, MIMEType: one.MIMEType},
			func(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				return r.readResource(ctx, request.Params.URI)
			})
	}
	for _, one := range r.templates {
		s.AddResourceTemplate(mcp.NewResourceTemplate(one.URITemplate, one.Name,
			mcp.WithTemplateTitle(one.Title), mcp.WithTemplateDescription(one.Description), mcp.WithTemplateMIMEType(one.MIMEType)), r.readEncodedResource)
	}
	s.AddResourceTemplate(mcp.NewResourceTemplate(routeScheme+"{address}", "route"), r.readEncodedResource)
}

// encodeResourceURI packs an address that the router recognises; mcp-go refuses the others,
// in our words.
func (r *resourceRouter) encodeResourceURI(ctx context.Context, _ any, request *mcp.ReadResourceRequest) {
	address := request.Params.URI
	if address == "" {
		setRPCError(ctx, mcp.INVALID_PARAMS, "uri is required")
		return
	}
	if found := r.findResource(address); found.Read == nil {
		setResourceNotFoundError(ctx, address) //nolint:errcheck // it is the fault that counts here
		return
	}
	request.Params.URI = routeScheme + base64.RawURLEncoding.EncodeToString([]byte(address))
}

func (r *resourceRouter) hideRouteTemplate(_ context.Context, _ any, _ *mcp.ListResourceTemplatesRequest, result *mcp.ListResourceTemplatesResult) {
	result.ResourceTemplates = slices.DeleteFunc(slices.Clone(result.ResourceTemplates), func(t mcp.ResourceTemplate) bool {
		return strings.HasPrefix(t.URITemplate.Raw(), routeScheme)
	})
}

func (r *resourceRouter) readEncodedResource(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	packed, routed := strings.CutPrefix(request.Params.URI, routeScheme)
	address, err := base64.RawURLEncoding.DecodeString(packed)
	if !routed || err != nil {
		return nil, setResourceNotFoundError(ctx, request.Params.URI)
	}
	return r.readResource(ctx, string(address))
}

// setResourceNotFoundError is the protocol's answer to an unknown address: revision 2026-07-28
// calls it invalid parameters, earlier ones have a code of their own.
func setResourceNotFoundError(ctx context.Context, address string) error {
	code := mcp.RESOURCE_NOT_FOUND
	if mcp.IsModernProtocol(server.RequestProtocolVersion(ctx)) {
		code = mcp.INVALID_PARAMS
	}
	text := "unknown resource: " + address + "; resources/list and resources/templates/list name what there is"
	setRPCError(ctx, code, text)
	return errors.New(text)
}

// findResource returns the document at an address: exact ones first (whatever their
// query), then templates by prefix. It has no Read for an unknown address.
func (r *resourceRouter) findResource(address string) ServedResource {
	u, err := url.Parse(address)
	if err != nil {
		return ServedResource{}
	}
	bare := *u
	bare.RawQuery, bare.Fragment, bare.ForceQuery = "", "", false
	for i := range r.resources {
		if r.resources[i].URI == bare.String() {
			return r.resources[i]
		}
	}
	for i := range r.templates {
		t := &r.templates[i]
		if t.Read != nil && strings.HasPrefix(address, t.Prefix) && (t.Known == nil || t.Known(u)) {
			return ServedResource{MIMEType: t.MIMEType, Read: t.Read}
		}
	}
	return ServedResource{}
}

func (r *resourceRouter) readResource(ctx context.Context, address string) ([]mcp.ResourceContents, error) {
	if err := requireReadRight(ctx); err != nil {
		return nil, err
	}
	found := r.findResource(address)
	if found.Read == nil {
		return nil, setResourceNotFoundError(ctx, address)
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the address cannot be read")
	}
	text, err := found.Read(ctx, u)
	if err != nil {
		e := asError(err)
		if e == nil && r.p.o.Classify != nil {
			e = r.p.o.Classify(err)
		}
		switch {
		case e != nil && e.Kind == Validation:
			setRPCError(ctx, mcp.INVALID_PARAMS, e.Message)
			return nil, errors.New(e.Message)
		case e != nil:
			return nil, errors.New(e.Message)
		}
		r.p.o.Logger.Error("reading a resource", "error", err.Error())
		return nil, errors.New("the resource could not be read; the details are in the server's log")
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: address, MIMEType: found.MIMEType, Text: neutralizeResultText(text)}}, nil
}

// ListChangingResources returns the served resources that change with what is stored.
func (s *Server) ListChangingResources() []ServedResource {
	return slices.DeleteFunc(slices.Clone(s.resources.resources), func(one ServedResource) bool { return len(one.Topics) == 0 })
}

// toolTemplate serves each tool's full definition with its examples.
func (r *resourceRouter) toolTemplate() ServedTemplate {
	const prefix = "toolkit://tools/"
	name := func(u *url.URL) string { return strings.TrimPrefix(u.Path, "/") }
	return ServedTemplate{
		URITemplate: prefix + "{name}", Name: "tool definition", Title: "Tool definition",
		Description: "Everything about one tool: schemas, permissions, limits, examples.", MIMEType: "application/json",
		Prefix: prefix,
		Known:  func(u *url.URL) bool { return r.p.FindServedTool(name(u)) != nil },
		Read: func(_ context.Context, u *url.URL) (string, error) {
			text, err := r.p.FindServedTool(name(u)).Describe()
			return string(text), err
		},
	}
}

// hintsSchemaResource serves the full schema of agentHints, which each tool's
// output schema only outlines.
func hintsSchemaResource() ServedResource {
	return ServedResource{
		URI: "toolkit://schemas/agent-hints", Name: "agentHints schema", Title: "Schema of agentHints",
		Description: "JSON Schema of the agentHints object that every result carries.", MIMEType: "application/schema+json",
		Read: func(context.Context, *url.URL) (string, error) {
			text, err := HintsSchema()
			return string(text), err
		},
	}
}

// HintsSchema is the full JSON Schema of agentHints.
func HintsSchema() (json.RawMessage, error) { return reflectSchema(reflect.TypeFor[Hints](), false) }
