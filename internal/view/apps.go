package view

import (
	"embed"
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"toolkit/tools"
)

//go:embed apps
var appFiles embed.FS

// appStyles are the sheets of an app, in the order in which one overrides another.
var appStyles = []string{"assets/base.css", "assets/parts.css", "assets/views.css", "apps/apps.css"}

// Apps are the parts of the page that show results inside a chat. Each is put
// together from its module when it is first asked for.
func Apps() []tools.App {
	app := func(name, tool, title, description string) tools.App {
		return tools.App{
			URI: "ui://toolkit/" + name, Tool: tool, Title: title, Description: description,
			HTML: sync.OnceValues(func() (string, error) { return assemble(name, title) }),
		}
	}
	return []tools.App{
		app("chart", "get_chart_progress", "Chart", "A chart with its steps, to complete and reopen."),
		app("charts", "list_active_charts", "Charts", "The charts at work; each opens."),
		app("results", "recall", "What is remembered", "The results of a search, best first; each opens where it stands."),
		app("entity", "get_entity_snapshot", "Entity", "What documents say of something, and where each field comes from."),
		app("pocket", "get_pocket_atmosphere", "Pocket", "How a pocket feels now, and where that leads."),
	}
}

// appPage takes the title, the styles, the title again and the script.
const appPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>%s</style>
</head>
<body class="app">
<main><h1 id="title" tabindex="-1">%s</h1><div id="problem" role="alert"></div><div id="view"><p class="quiet">Waiting for the result…</p></div></main>
<div id="announcer" class="unseen" role="status" aria-live="polite"></div>
<script type="module">%s</script>
</body>
</html>
`

// assemble is an app as one document, since it may load nothing.
func assemble(name, title string) (string, error) {
	var style strings.Builder
	for _, sheet := range appStyles {
		text, err := readEmbedded(sheet)
		if err != nil {
			return "", err
		}
		style.WriteString(text)
	}
	b := bundle{placed: map[string]bool{}}
	if err := b.add(name + ".js"); err != nil {
		return "", err
	}
	return fmt.Sprintf(appPage, title, style.String(), title, b.text.String()), nil
}

// bundle puts modules that import one another into one. Each keeps a scope of its
// own: a function that returns what the module exports.
type bundle struct {
	text   strings.Builder
	placed map[string]bool
}

var (
	importing = regexp.MustCompile(`(?m)^import (\{[^}]*\}) from "\./([a-z]+\.js)";$`)
	exporting = regexp.MustCompile(`(?m)^export ((?:async )?function|const|class) (\w+)`)
)

// add places a module after all that it imports.
func (b *bundle) add(file string) error {
	if b.placed[file] {
		return nil
	}
	b.placed[file] = true
	text, err := readModule(file)
	if err != nil {
		return err
	}
	for _, i := range importing.FindAllStringSubmatch(text, -1) {
		if err := b.add(i[2]); err != nil {
			return err
		}
	}
	text = importing.ReplaceAllStringFunc(text, func(statement string) string {
		i := importing.FindStringSubmatch(statement)
		return fmt.Sprintf("const %s = %s;", strings.ReplaceAll(i[1], " as ", ": "), scope(i[2]))
	})
	var exports []string
	for _, e := range exporting.FindAllStringSubmatch(text, -1) {
		exports = append(exports, e[2])
	}
	text = exporting.ReplaceAllString(text, "$1 $2")
	fmt.Fprintf(&b.text, "const %s = (() => {\n%sreturn { %s };\n})();\n", scope(file), text, strings.Join(exports, ", "))
	return nil
}

func scope(file string) string { return "module_" + strings.TrimSuffix(file, ".js") }

// readModule reads a module of the apps, or else of the page.
func readModule(file string) (string, error) {
	if text, err := readEmbedded(path.Join("apps", file)); err == nil {
		return text, nil
	}
	return readEmbedded(path.Join("assets", file))
}

func readEmbedded(name string) (string, error) {
	files := assets
	if strings.HasPrefix(name, "apps/") {
		files = appFiles
	}
	text, err := files.ReadFile(name)
	return string(text), err
}
