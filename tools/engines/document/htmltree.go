package document

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// parseHTML makes the tree of a web page that the reader of pages needs: its blocks and
// tables. A browser's rules for repairing a page cost the square of a hostile one; these
// cost its length: elements within a line have no node of their own, a closing tag without
// its opening one means nothing, and what is nested too deeply stays on one level. With an
// error it returns what was read before. The library's own tree (x/net/html 0.62) took 10 s
// and 6 GB for 150 kB of <body a1=b> (here 0.1 s and 2 MB), and is none at all beyond 512
// levels.
func parseHTML(ctx context.Context, text string, depth int) (*htmlTree, error) {
	root := &html.Node{Type: html.DocumentNode}
	tree := &htmlTree{
		root: root, open: []*html.Node{root}, depth: depth, holdsTable: map[*html.Node]bool{},
		tokens: html.NewTokenizer(steady{ctx, strings.NewReader(text)}),
	}
	for range maxNodes {
		switch tree.tokens.Next() {
		case html.ErrorToken:
			if err := tree.tokens.Err(); !errors.Is(err, io.EOF) {
				return tree, err
			}
			return tree, nil
		case html.TextToken:
			tree.add(&html.Node{Type: html.TextNode, Data: strings.ReplaceAll(tree.tokens.Token().Data, "\x00", "")})
		case html.StartTagToken, html.SelfClosingTagToken:
			tree.start(tree.tokens.Token())
		case html.EndTagToken:
			name, _ := tree.tokens.TagName()
			tree.end(atom.Lookup(name))
		}
	}
	return tree, errNodes
}

// htmlTree is a tree under construction.
type htmlTree struct {
	tokens     *html.Tokenizer
	root       *html.Node
	open       []*html.Node // elements not closed yet, innermost last
	depth      int
	holdsTable map[*html.Node]bool // tables with another one inside
}

func (tree *htmlTree) top() *html.Node { return tree.open[len(tree.open)-1] }

// add appends a node. Within a table but outside of its cells it stands before the table,
// as in a browser.
func (tree *htmlTree) add(node *html.Node) {
	blank := node.Type == html.TextNode && strings.TrimSpace(node.Data) == ""
	if table := tree.innermost(atom.Table); table > 0 && !blank && slices.Contains(tableParts, tree.top().DataAtom) && !belongsInTable(node.DataAtom) {
		tree.open[table].Parent.InsertBefore(node, tree.open[table])
		return
	}
	tree.top().AppendChild(node)
}

func (tree *htmlTree) start(token html.Token) {
	tag := token.DataAtom
	if tree.innermost(atom.Svg) > 0 { // its script and title are none of the page's
		tree.tokens.NextIsNotRawText()
	}
	if !isBlock(tag) || !tree.makeRoom(tag) {
		return
	}
	node := &html.Node{Type: html.ElementNode, DataAtom: tag}
	if tag == atom.Input {
		node.Attr = token.Attr
	}
	if table := tree.innermost(atom.Table); tag == atom.Table && table > 0 {
		tree.holdsTable[tree.open[table]] = true
	}
	tree.add(node)
	if !slices.Contains(voids, tag) && len(tree.open) <= tree.depth {
		tree.open = append(tree.open, node)
	}
}

// makeRoom closes what a tag closes by implication. It returns false for a tag that has no
// place where it stands.
func (tree *htmlTree) makeRoom(tag atom.Atom) bool {
	switch tag {
	case atom.Td, atom.Th:
		if !tree.closeTo(atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Table) {
			return false
		}
		if tree.top().DataAtom != atom.Tr {
			row := &html.Node{Type: html.ElementNode, DataAtom: atom.Tr}
			tree.top().AppendChild(row)
			tree.open = append(tree.open, row)
		}
		return true
	case atom.Tr:
		return tree.closeTo(atom.Tbody, atom.Thead, atom.Tfoot, atom.Table)
	case atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption, atom.Colgroup, atom.Col:
		return tree.closeTo(atom.Table)
	case atom.Li:
		tree.close(tree.innermost(atom.Li, atom.Ul, atom.Ol, atom.Menu), atom.Li)
	case atom.Dd, atom.Dt:
		tree.close(tree.innermost(atom.Dd, atom.Dt, atom.Dl), atom.Dd, atom.Dt)
	case atom.Option, atom.Optgroup:
		tree.close(tree.innermost(atom.Option, atom.Select), atom.Option)
	}
	if !slices.Contains(withinParagraphs, tag) {
		tree.close(tree.innermost(atom.P), atom.P)
	}
	return true
}

// innermost is the place of the innermost open element of the tags that can be seen from
// here, 0 without one. Cells hide what is around their table; a table is seen from them.
func (tree *htmlTree) innermost(tags ...atom.Atom) int {
	hidden := false
	for at := len(tree.open) - 1; at > 0; at-- {
		tag := tree.open[at].DataAtom
		if slices.Contains(tags, tag) && (!hidden || belongsInTable(tag) || tag == atom.Table) {
			return at
		}
		if tag == atom.Table || tag == atom.Svg || tag == atom.Template {
			return 0
		}
		hidden = hidden || tag == atom.Td || tag == atom.Th || tag == atom.Caption
	}
	return 0
}

// close closes the open element at a place and all in it, if it is one of the tags.
func (tree *htmlTree) close(at int, tags ...atom.Atom) {
	if at > 0 && slices.Contains(tags, tree.open[at].DataAtom) {
		tree.open = tree.open[:at]
	}
}

// closeTo closes all within the innermost element of the tags, and tells whether there is one.
func (tree *htmlTree) closeTo(tags ...atom.Atom) bool {
	at := tree.innermost(tags...)
	if at > 0 {
		tree.open = tree.open[:at+1]
	}
	return at > 0
}

func (tree *htmlTree) end(tag atom.Atom) {
	if !isBlock(tag) {
		return
	}
	at := tree.innermost(tag)
	tree.close(at, tag)
	if at == 0 && (tag == atom.P || tag == atom.Br) { // as in a browser
		tree.add(&html.Node{Type: html.ElementNode, DataAtom: tag})
	}
}

var (
	// tableParts are the parts of a table outside of its cells.
	tableParts = []atom.Atom{atom.Table, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr}
	// withinParagraphs are the blocks that do not end a paragraph.
	withinParagraphs = []atom.Atom{
		atom.Br, atom.Input, atom.Select, atom.Option, atom.Optgroup, atom.Button, atom.Textarea, atom.Script, atom.Style, atom.Svg, atom.Math,
		atom.Template, atom.Noscript, atom.Iframe, atom.Object, atom.Video, atom.Audio, atom.Canvas, atom.Map, atom.Area, atom.Link, atom.Meta,
	}
	// voids have no end and nothing in them.
	voids = []atom.Atom{atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Input, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track}
)

func belongsInTable(tag atom.Atom) bool {
	switch tag {
	case atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption, atom.Colgroup, atom.Col, atom.Script, atom.Style, atom.Template:
		return true
	}
	return false
}
