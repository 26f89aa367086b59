package orientation

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"toolkit/internal/testenv"

	"github.com/google/go-cmp/cmp"
)

func TestParseLevelReadsTheThreeNamesAndNothingElse(t *testing.T) {
	for text, want := range map[string]Level{
		"": Standard, "standard": Standard, " Strict ": Strict, "LENIENT": Lenient,
	} {
		got, err := ParseLevel(text)
		if err != nil || got != want {
			t.Errorf("ParseLevel(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	_, err := ParseLevel("severe")
	if err == nil || !strings.Contains(err.Error(), "strict, standard or lenient") {
		t.Errorf("ParseLevel(severe) = %v, want an error that names the levels", err)
	}
}

func TestLevelsAskForDifferentThings(t *testing.T) {
	for _, c := range []struct {
		outcome                   string
		standard, strict, lenient string
	}{
		{"Create a podcast", "", "", ""},
		{"We will build a school", "", "", ""},
		{"Mastery of Django", "", RuleOutcomeVerb, ""},
		{"5 new clients", "", RuleOutcomeVerb, ""},
		{"The roof is sound", "", RuleOutcomeVerb, ""},
		{"Run a marathon", "", RuleOutcomeVerb, ""},
		{"A podcast", "", RuleOutcomeVerb, ""},
		{"Work on a podcast about design", RuleOutcomeResult, RuleOutcomeVerb, ""},
		{"Fix the login", RuleOutcomeProblem, RuleOutcomeProblem, RuleOutcomeProblem},
		{"Fix the login and create a dashboard", RuleOutcomeProblem, RuleOutcomeProblem, RuleOutcomeProblem},
		{"Einen Roman schreiben", "", "", ""},
		{"Ein Podcast über Gärten", "", "", ""},
		{"Mit dem Rauchen aufhören", RuleOutcomeProblem, RuleOutcomeProblem, RuleOutcomeProblem},
		{"Écrire un roman", "", "", ""},
		{"Arrêter de fumer", RuleOutcomeProblem, RuleOutcomeProblem, RuleOutcomeProblem},
	} {
		for level, want := range map[Level]string{Standard: c.standard, Strict: c.strict, Lenient: c.lenient} {
			got := ""
			if finding := CheckOutcome(c.outcome, level); finding != nil {
				got = finding.Rule
			}
			if got != want {
				t.Errorf("%s %q: %q, want %q", level, c.outcome, got, want)
			}
		}
	}
}

func TestFindingsNameTheWordsAsTheyWereWrittenAndReframeTheText(t *testing.T) {
	outcome := func(text string) *Finding { return CheckOutcome(text, Standard) }
	for _, c := range []struct {
		judge       func(string) *Finding
		text        string
		words       []string
		suggestions []string
	}{
		{outcome, "Work on a podcast", nil, nil},
		{outcome, "Eliminate debt to build wealth", []string{"Eliminate"}, nil},
		{outcome, "Get rid of back pain", []string{"Get rid of"}, nil},
		{outcome, "Cut out negativity", []string{"Cut out"}, nil},
		{CheckStep, "Fix the login and ship version 2", []string{"Fix"}, nil},
		{outcome, "More money", nil, nil},
		{outcome, "Go to the gym", nil, nil},
		{outcome, "FIX the login", []string{"FIX"}, nil},
		{outcome, "By June, we’ll get rid of clutter", []string{"get rid of"}, []string{"Create rooms where everything has its place"}},
		{outcome, "I want to stop wasting time by 2027", []string{"stop"}, nil},
		{outcome, "Quit my job and open a bakery", []string{"Quit"}, nil},
		{outcome, "Debt eliminated", []string{"eliminated"}, []string{"Create savings that cover six months of living"}},
		{outcome, "Don't be poor", []string{"Don't"}, nil},
		{outcome, "Reduce noise in the training data", []string{"Reduce"}, nil},
		{outcome, "Create a plan to eliminate waste", []string{"eliminate"}, []string{"Create a cycle in which everything is used"}},
		{outcome, "Achieve a reduction in churn", []string{"reduction"}, []string{"Create a service that customers stay with"}},
		{CheckStep, "Writing chapter one", []string{"Writing"}, nil},
		{CheckStep, "Keep practising the scales", []string{"Keep practising"}, nil},
		{CheckStep, "Try to sell 5 paintings", []string{"Try to"}, nil},
		{CheckStep, "Learning to play the cello", []string{"Learning"}, nil},
		{CheckStep, "Running every day", []string{"Running"}, nil},
		{CheckStep, "Digging a pond", []string{"Digging"}, nil},
		{CheckStep, "Writing songs because I love it", []string{"Writing"}, nil},
		{CheckStep, "Setting up the studio", []string{"Setting"}, nil},
		{CheckStep, "Looking for a mentor", []string{"Looking"}, nil},
		{CheckStep, "Still editing chapter one", []string{"Still editing"}, nil},
		{CheckStep, "Start looking for a job", []string{"Start looking"}, nil},
		{CheckStep, "Begin drafting", []string{"Begin drafting"}, nil},
		{CheckStep, "Always be recording", []string{"Always be recording"}, nil},
		{CheckStep, "Start to write chapter one", []string{"Start to"}, nil},
		{CheckStep, "Fix the login", []string{"Fix"}, nil},
		{CheckReality, "Have a domain, ready for content", []string{"ready for"}, nil},
		{CheckReality, "I'll have ten clients", []string{"I'll have"}, nil},
		{CheckReality, "I wish I had a mic", []string{"wish"}, nil},
		{CheckReality, "We'll launch the site", []string{"We'll"}, nil},
		{CheckReality, "Hoping for funding", []string{"Hoping for"}, nil},
		{CheckLesson, " Learned a lot! ", []string{"Learned a lot!"}, nil},
	} {
		finding := c.judge(c.text)
		if finding == nil {
			t.Errorf("%q was accepted", c.text)
			continue
		}
		if diff := cmp.Diff(c.words, finding.Words); diff != "" {
			t.Errorf("%q: words (-want +got):\n%s", c.text, diff)
		}
		if diff := cmp.Diff(c.suggestions, finding.Suggestions); diff != "" {
			t.Errorf("%q: suggestions (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestSpellingDoesNotChangeTheVerdict(t *testing.T) {
	for _, same := range []string{
		"Don't smoke", "don’t smoke", "DON'T SMOKE", "Don\u200b't smoke", "“Don't smoke”", "Ｄｏｎ'ｔ smoke",
	} {
		if finding := CheckOutcome(same, Lenient); finding == nil {
			t.Errorf("%q was accepted", same)
		}
	}
	for _, same := range []string{"Probleme lösen", "Probleme lo\u0308sen", "Probleme loesen"} {
		if finding := CheckOutcome(same, Lenient); finding == nil {
			t.Errorf("%q was accepted", same)
		}
	}
	if CheckReality("ready\nto launch") == nil {
		t.Error("a phrase broken over two lines was accepted")
	}
	if finding := CheckReality("Site is ready\nTo be written: ten pages"); finding != nil {
		t.Errorf("two facts on two lines were read as one: %+v", finding)
	}
}

func TestTextWithoutWordsBreaksOnlyTheRulesThatAskForSome(t *testing.T) {
	for _, empty := range []string{"", "  ", "…", "🎉", "\xff\xfe"} {
		if finding := CheckOutcome(empty, Standard); finding == nil || finding.Rule != RuleOutcomeResult {
			t.Errorf("Outcome(%q) = %+v", empty, finding)
		}
		if CheckOutcome(empty, Lenient) != nil || CheckOutcomeTitle(empty) != nil || CheckStep(empty) != nil || CheckReality(empty) != nil {
			t.Errorf("%q was refused by a rule that asks for nothing", empty)
		}
		if finding := CheckLesson(empty); finding == nil || finding.Rule != RuleLessonVague {
			t.Errorf("Lesson(%q) = %+v", empty, finding)
		}
	}
}

func TestVerbsAreRecognisedInEveryInflection(t *testing.T) {
	for name, forms := range map[string]string{
		"fix": "fix fixes fixing fixed", "stop": "stop stops stopping stopped", "solve": "solve solves solving solved",
		"overcome": "overcome overcomes overcoming overcame", "rid": "rid rids ridding", "quit": "quit quits quitting",
	} {
		for form := range strings.FieldsSeq(forms) {
			if !problems.hasForm(form, base|third|gerund|past) {
				t.Errorf("%q is not read as a form of %q", form, name)
			}
		}
	}
	for _, word := range []string{"stopwatch", "fixture", "solvent", "avoidance", "removal", "quite", "reductive", "prevention"} {
		if problems.hasForm(word, base|third|gerund|past) {
			t.Errorf("%q is read as a problem verb", word)
		}
	}
	for word, name := range map[string]string{"wrote": "write", "taught": "teach", "carries": "carry", "shipping": "ship", "co-found": "found", "relaunch": "launch"} {
		if !creative.hasForm(word, base|third|gerund|past) {
			t.Errorf("%q is not read as %q", word, name)
		}
	}
}

// usedList finds the names of lists in the source.
var usedList = regexp.MustCompile(`\b(?:in\(|isForm\(|longest\([^"()]*|after\([^"()]*|(?:lists|values)\(\)\[)"([\w ]+)"`)

func TestEveryListOfWordsHasEntriesAndARuleThatReadsIt(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]bool{}
	for _, class := range problems {
		for _, name := range []string{class, "troubled " + class} {
			read[name], read[name+" phrases"] = true, true
		}
	}
	for _, file := range files {
		source := testenv.Read(t, file)
		for _, used := range usedList.FindAllStringSubmatch(string(source), -1) {
			if lists()[used[1]] == nil {
				t.Errorf("%s reads the list %q, which does not exist", file, used[1])
			}
		}
		for name := range lists() {
			read[name] = read[name] || strings.Contains(string(source), `"`+name+`"`)
		}
	}
	for name, lines := range lists() {
		if len(lines) == 0 || !read[name] {
			t.Errorf("the list %q has %d lines, and a rule reads it: %v", name, len(lines), read[name])
		}
	}
}
