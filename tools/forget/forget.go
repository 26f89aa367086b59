// Package forget is the family of one tool, forget, which removes what is
// remembered for good, of whichever family: rows, words, vectors, files, and what
// the database keeps of deleted rows.
//
// It knows no family. What there is and what belongs together stands in store/kinds; the
// families lend it what only they know of a deletion (tools.Deleters). plan.go finds
// out what would go and what else mentions it; forget.go shows that, and removes it
// once it is confirmed.
package forget

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// Name is the name of the family and of its tool.
const Name = "forget"

const mayForget tools.Permission = "everything:delete"

// Deps are what the family works with.
type Deps struct {
	Store    *store.DB
	Deleters tools.Deleters
	// DrainSpool, if there is one, first stores what waits outside the database, so that
	// it is found there.
	DrainSpool func(context.Context) error
}

// New returns the family. It does not touch the store before the first call.
func New(d Deps) tools.Family {
	f := family{d}
	return tools.Family{
		Name:    Name,
		System:  "memory",
		Subject: "forgetting for good",
		Dialect: tools.FormatStandardError,
		Advice:  []tools.Advice{{Tool: Name, Text: "forget only on request, confirmed with consent."}},
		Tools:   []*tools.Definition{tools.Define(f.forgetTool())},
	}
}

type family struct{ Deps }

// Input says what to forget: single things, or all that contains a text.
type Input struct {
	Items       []string `json:"items,omitempty" jsonschema:"maxItems=100,maxLength=1048576" jsonschema_description:"kind:id, such as session:ID or entity:NAME, or a ref of a preview"`
	Text        string   `json:"text,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"A word, or what texts contain"`
	WithDerived bool     `json:"with_derived,omitempty" jsonschema_description:"Also what was made from it"`
	Show        int      `json:"show,omitempty" jsonschema:"minimum=1,maximum=20000" jsonschema_extras:"seldom=true" jsonschema_description:"How many of each kind a preview shows; 5 if absent"`
	Confirm     string   `json:"confirm,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Token of the preview"`
}

// Output is a preview, or what was forgotten.
type Output struct {
	Forgotten bool    `json:"forgotten" jsonschema_description:"false: a preview, nothing was changed"`
	Going     []Group `json:"going,omitempty"`
	Derived   []Group `json:"derived,omitempty" jsonschema_description:"Made from it; stays without with_derived"`
	Mentions  []Group `json:"mentions,omitempty" jsonschema_description:"In a preview: mentions it and stays, unless its ref is given too"`
	Confirm   string  `json:"confirm,omitempty"`
	Message   string  `json:"message"`
}

// Group is the rows of a kind.
type Group struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
	Items []Item `json:"items" jsonschema_description:"The first, as many as show says"`
}

// Item is one row in a line.
type Item struct {
	Ref  string `json:"ref"`
	Line string `json:"line"`
	Why  string `json:"why,omitempty" jsonschema_description:"Why it goes, or what it mentions"`
}

const codeUnconfirmed = "NOT_CONFIRMED"

func (f family) forgetTool() tools.Tool[Input, Output] {
	return tools.Tool[Input, Output]{
		Name: Name, Title: "Forget for good",
		Description: "Forget for good: dialogue, insights, entities, records, documents, sessions, projects, pockets. " +
			"The first call only shows what would go and what mentions it, with a confirm token; show that to the user, then repeat the call with it. Example: forget a session.",
		Permissions: []tools.Permission{mayForget}, Category: tools.Mutation, ResponseTime: tools.Slow, Destructive: true, Strict: true, Version: "1.6.1",
		Tags: []string{"forget", "delete", "privacy"}, Core: true,
		Examples: []tools.Example[Input, Output]{{
			Description: "What would go with a name",
			Params:      Input{Text: "Zanzibar"},
			Result:      Output{Message: "Nothing contains this text; nothing would go."},
		}},
		Handle: f.previewOrForget,
	}
}

func (f family) previewOrForget(ctx context.Context, in Input) (tools.Result[Output], error) {
	if err := in.check(); err != nil {
		return tools.Result[Output]{}, err
	}
	if f.DrainSpool != nil {
		if err := f.DrainSpool(ctx); err != nil {
			return tools.Result[Output]{}, err
		}
	}
	files, err := f.findFilesContainingText(ctx, in)
	if err != nil {
		return tools.Result[Output]{}, err
	}
	if in.Confirm == "" {
		p, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) (*plan, error) { return f.makePlanAndClearStaging(tx, in, files) })
		if err != nil {
			return tools.Result[Output]{}, err
		}
		return p.preview(in), nil
	}
	var p *plan
	err = f.Store.Forget(ctx, func(tx *store.Tx) (err error) {
		if p, err = f.makePlanAndClearStaging(tx, in, files); err != nil {
			return err
		}
		if p.confirmToken() != in.Confirm {
			return tools.Refused(codeUnconfirmed, "confirm", "token of the preview",
				"what would go now is not what the token stands for; nothing was changed: call without confirm, look at the preview and repeat the call with its token").
				WithHints(tools.NewHints(tools.NewReadEvidence(1)).SuggestCall(Name, tools.PriorityHigh, in.toArguments(), "see what would go now"))
		}
		return f.Deleters.DeleteRows(tx, p.going.list)
	})
	if err != nil {
		return tools.Result[Output]{}, err
	}
	left, err := f.Store.EraseTraces(context.WithoutCancel(ctx), false)
	return p.reportForgotten(in, left, err == nil, f.Store.SharesFiles()), nil
}

// findFilesContainingText returns the hashes of the files that contain the text.
func (f family) findFilesContainingText(ctx context.Context, in Input) (hashes []string, err error) {
	if text := strings.TrimSpace(in.Text); text != "" {
		tools.RunUnlocked(ctx, func() { hashes, err = kinds.FindBlobsContaining(ctx, f.Store, []string{text}) })
	}
	return hashes, err
}

// toArguments returns those of a preview of the same call.
func (in Input) toArguments() map[string]any {
	a := map[string]any{}
	if len(in.Items) > 0 {
		a["items"] = in.Items
	}
	if in.Text != "" {
		a["text"] = in.Text
	}
	if in.WithDerived {
		a["with_derived"] = true
	}
	return a
}

func (p *plan) output(in Input) Output {
	shown := cmp.Or(in.Show, defaultShownItems)
	return Output{Going: p.going.groupByKind(shown, maxGoingRunes), Derived: p.derived.groupByKind(shown, maxLineRunes), Mentions: p.mentions.groupByKind(shown, maxLineRunes)}
}

func (p *plan) preview(in Input) tools.Result[Output] {
	out := p.output(in)
	n := len(p.going.list)
	h := tools.NewHints(tools.NewReadEvidence(n))
	if n == 0 {
		out.Message = p.explainNothingFound() + addCaveats(h, p.listCaveats())
		return tools.Result[Output]{Data: out, Hints: h.Because("no row and no file holds the text")}
	}
	out.Confirm = p.confirmToken()
	out.Message = language.FormatCount(n, "thing", "things") + " would go for good, each as a whole. Nothing was changed. Show them to the user and ask whether all of it may go; only if the user agrees, repeat the call with confirm."
	if hidden := countHidden(out.Going); hidden > 0 {
		out.Message += " " + language.FormatCount(hidden, "other is", "others are") + " not shown here: show lists more of each kind."
	}
	out.Message += addCaveats(h, p.listCaveats())
	h.Because("a preview; backups made earlier keep what they hold")
	again := in.toArguments()
	again["confirm"] = out.Confirm
	h.SuggestCall(Name, tools.PriorityMedium, again, "forget it, once the user has seen it all and agrees")
	if len(p.derived.list) > 0 {
		wider := in.toArguments()
		wider["with_derived"] = true
		h.SuggestCall(Name, tools.PriorityLow, wider, "a preview with what was made from it")
	}
	if m := len(p.mentions.list); m > 0 {
		h.Warn("conflict", tools.PriorityMedium, language.FormatCount(m, "other thing mentions", "other things mention")+" it and would stay", "add their refs to items")
	}
	return tools.Result[Output]{Data: out, Hints: h}
}

// countHidden returns how many things go that a preview does not show.
func countHidden(going []Group) (hidden int) {
	for _, g := range going {
		hidden += g.Count - len(g.Items)
	}
	return hidden
}

func (p *plan) explainNothingFound() string {
	switch {
	case p.sealed > 0:
		return "Nothing would go."
	case len(p.unsearched) > 0:
		return "Nothing that was searched contains this text; nothing would go."
	}
	return "Nothing contains this text; nothing would go."
}

// caveat is what a message says beside what goes, and the hints warn of.
type caveat struct {
	applies        bool
	kind           string // of the warning
	lead, says, do string // the sentence of the message, in parts
	fix            string // what the warning advises
}

// addCaveats warns of the caveats that are so and returns what they add to the message.
func addCaveats(h *tools.Hints, caveats []caveat) (message string) {
	for _, c := range caveats {
		if c.applies {
			h.Warn(c.kind, tools.PriorityMedium, c.says, c.fix)
			message += c.lead + c.says + c.do
		}
	}
	return message
}

// listCaveats are copies that are made of the whole file; archives that still hold what
// was imported, which are the user's own files; predictions, which stay; and files which may contain the text although it
// was not found there.
func (p *plan) listCaveats() []caveat {
	archives := "what was imported still stands in the archives in " + strings.Join(p.archives, ", ") + " of the data folder, beside the database"
	const copies = "Litestream has copied the database: what was forgotten stays in its copies, and in its folder beside the database, until their retention ends"
	sealed := language.FormatCount(p.sealed, "sealed prediction contains", "sealed predictions contain") + " the text and cannot be removed: what was sealed never changes"
	sealedOf := language.FormatCount(p.sealedOf, "sealed prediction of it stays", "sealed predictions of it stay") + ": what was sealed never changes"
	n := len(p.unsearched)
	shown := p.unsearched[:min(n, defaultShownItems)]
	refs := make([]string, len(shown))
	for i, row := range shown {
		refs[i] = row.Ref()
	}
	unsearched := language.FormatCount(n, "file was", "files were") + " not searched to the end, because only a part of the text was read, or none: " + strings.Join(refs, ", ")
	if n > len(refs) {
		unsearched += " …"
	}
	over := slices.ContainsFunc(p.going.list, func(r kinds.Row) bool { return r.Kind == kinds.Session })
	return []caveat{
		{p.staged > 0, "completeness", " But ", describeStagedFiles(p.staged), ".", "run toolkit forget --finish an hour after they were written"},
		{over, "completeness", " With ", "a session its capture ends for good, also if it goes on", ".", ""},
		{p.hasReplica, "completeness", " But ", copies, ": docs/litestream.md tells how to end them now.", "tell the user that docs/litestream.md says how to end these copies now"},
		{len(p.archives) > 0, "completeness", " But ", archives, ": remove them there.", "ask the user to remove the archives there"},
		{p.sealed > 0, "completeness", " But ", sealed, ".", ""},
		{p.sealedOf > 0, "completeness", " But ", sealedOf, ".", ""},
		{n > 0, "completeness", " ", unsearched, ". To forget such a file, name it in items.", "look into them, and add their refs to items to forget them whole"},
	}
}

// describeStagedFiles says that files on their way in may hold what is forgotten.
func describeStagedFiles(n int) string {
	return language.FormatCount(n, "file", "files") + " in files/incoming, still written or left by a program that was killed, may hold it"
}

func (p *plan) reportForgotten(in Input, left store.Traces, erased, shared bool) tools.Result[Output] {
	later := func(is bool, says, fix string) caveat {
		return caveat{is, "performance", " Not yet done: ", says, ".", fix}
	}
	reader := "another process is reading: the last bytes in the database file and its log go with a later write, once it lets go"
	if p.hasReplica {
		reader = "Litestream reads all the time: the last bytes in the database file and its log go when it is stopped for a moment and toolkit forget --finish is run"
	}
	out := p.output(in)
	out.Forgotten = true
	h := tools.NewHints(tools.WriteEvidence()).Because("rows, words, vectors and files are removed; backups made earlier keep what they hold")
	out.Message = language.FormatCount(len(p.going.list), "thing is", "things are") + " forgotten for good. Backups and files exported before still hold them, and bring them back when imported." + addCaveats(h, append(p.listCaveats(),
		later(!erased || left.Log, reader, ""),
		later(left.Rewrite, "the database is large: copies that it may keep in free space go when the user runs toolkit forget --finish", "ask the user to run toolkit forget --finish"),
		later(left.Staged > 0, describeStagedFiles(left.Staged)+": such a file goes with a later write, an hour after it was written", ""),
		later(left.Files > 0 && shared, "another database keeps its files in the same folder, so the bytes of the files stay there", "ask the user to remove them once the other database is gone"),
		later(left.Files > 0 && !shared, "a file could not be removed from the disk yet; a later write tries again", ""),
	))
	return tools.Result[Output]{Data: out, Hints: h}
}
