package orientation

import (
	"slices"
	"strings"
)

// principle is a way of being in relation, with the words by which a story shows it.
type principle struct {
	name string
	cues [][]string
}

// cues cuts a list of words and phrases divided by |.
func cues(list string) [][]string {
	var all [][]string
	for cue := range strings.SplitSeq(list, "|") {
		all = append(all, strings.Fields(cue))
	}
	return all
}

// principles in the order in which [Alignment] names them. A cue is a word or a phrase;
// one that ends in * stands for every word that begins so.
var principles = []principle{
	{"respect", cues(`respect*|honour*|honor*|dignity|dignified|asked permission|asks permission|consent|consented|
		with permission|in their own words|humbl*|humility`)},
	{"reciprocity", cues(`reciproc*|give back|gives back|gave back|giving back|gave in return|gives in return|in return|
		mutual|mutually|exchanged|offering|offerings|offered tobacco|gift|gifts|gifted|shared the|shares the|took turns|each other`)},
	{"responsibility", cues(`responsib*|stewardship|steward|stewards|duty|care for|cares for|cared for|caring for|take care of|takes care of|
		took care of|tend|tends|tended|tending|look after|looks after|looked after|generations to come|future generations|next generation|
		seven generations`)},
	{"kinship", cues(`kin|kinship|kinfolk|relation|relations|relationship|relationships|relational|ancestor|ancestors|elder|elders|
		grandmother|grandmothers|grandfather|grandfathers|family|families|sister|sisters|brother|brothers|belong|belongs|belonged|
		belonging|together|circle|companions`)},
	{"gratitude", cues(`gratitude|grateful|gratefully|thank|thanks|thanked|thankful|thanking|giving thanks|reveren*|sacred|
		ceremony|ceremonies|ceremonial|prayer|prayers|blessing|blessings|blessed|awe`)},
	{"listening", cues(`listen|listens|listened|listening|heard them|heard her|heard him|hears them|hear each other|attentive|attentively|
		in silence|silently|waited for their|deep attention`)},
	{"accountability", cues(`accountab*|answerable|apolog*|made amends|makes amends|make amends|amends|kept the promise|keeps the promise|
		kept their promise|kept her promise|kept his promise|kept our promise|kept my promise|owned the mistake|owned her mistake|
		owned his mistake|owned my mistake|owns the mistake|took ownership|takes ownership|admitted|admits|transparen*|honest|honestly|
		honesty|told the truth|tells the truth`)},
	{"care for land and community", cues(`land|lands|river|rivers|water|waters|forest|forests|soil|earth|plants|animals|
		community|communities|neighbour*|neighbor*|village|villages|commons|people gathered|the whole town`)},
}

// Alignment scores how far the story of a beat is told in right relation, from 0 to 10, and
// names the principles it found, in a fixed order:
//
//   - one point for each of the eight principles that the description, the prose or the lessons show;
//   - one more point for each principle that two or three of these parts carry: it was
//     done and told, or told and learned;
//   - ten at most.
//
// A cue that is denied ("without respect", "did not listen") shows nothing. Words are matched whole, in any
// case. The principles are respect, reciprocity, responsibility, kinship, gratitude,
// listening, accountability, and care for land and community.
func Alignment(description, prose string, lessons []string) (score int, found []string) {
	parts := []text{read(description), read(prose), read(strings.Join(lessons, ".\n"))}
	found = []string{}
	for _, p := range principles {
		carried := 0
		for _, part := range parts {
			if shows(part, p.cues) {
				carried++
			}
		}
		if carried == 0 {
			continue
		}
		found = append(found, p.name)
		score++
		if carried > 1 {
			score++
		}
	}
	return min(score, 10), found
}

// shows reports whether a text holds one of the cues, not denied.
func shows(t text, cues [][]string) bool {
	return slices.ContainsFunc(t.sentences, func(s sentence) bool {
		return findCue(s, cues)
	})
}

// findCue reports whether a cue stands in a sentence and is not denied.
func findCue(s sentence, cues [][]string) bool {
	for i := range s {
		for _, cue := range cues {
			if cueAt(s, i, cue) && !withheld(s, i) {
				return true
			}
		}
	}
	return false
}

// cueAt reports whether the words of a cue stand at i. Hyphens divide here: "well-respected"
// does not hold respect, its first word is another.
func cueAt(s sentence, i int, cue []string) bool {
	for k, word := range cue {
		stem, open := strings.CutSuffix(word, "*")
		at := s.word(i + k)
		if at != word && !(open && strings.HasPrefix(at, stem)) {
			return false
		}
	}
	return len(cue) > 0
}

// withheld reports whether what stands at i is said to be absent.
func withheld(s sentence, i int) bool {
	for j := i - 1; j >= 0 && j >= i-3 && !s[j].mark; j-- {
		switch s.word(j) {
		case "not", "never", "no", "nobody", "without", "lack", "lacks", "lacked", "lacking", "refused", "refuses", "failed", "fails",
			"ignored", "ignores", "hardly", "nor", "neither", "stopped", "forgot":
			return true
		}
	}
	return false
}

// The words by which a sentence speaks of each direction.
var (
	visionCues = cues(`vision|visions|envision*|imagine|imagines|imagined|imagining|dream|dreams|dreamed|dreamt|dreaming|
		foresee|foresees|foresaw|future|one day|horizon|pictured|pictures a|saw a world|sees a world|what could be|becoming`)
	intentionCues = cues(`intend|intends|intended|intending|intention|intentions|aim|aims|aimed|purpose|resolved to|resolves to|
		commit|commits|committed|commitment|decide|decides|decided|vow|vows|vowed|promise to|promises to|promised|set out to|
		sets out to|determined to|chose to|chooses to|choose to|begin again|begins again`)
	emotionCues = cues(`feel|feels|felt|feeling|feelings|emotion|emotions|joy|joyful|joyfully|fear|fears|feared|afraid|grief|grieve|grieves|grieved|
		sad|sadness|anger|angry|love|loves|loved|proud|pride|grateful|excited|excitement|anxious|anxiety|hopeful|wept|weeps|cried|cries|
		tears|laughed|laughs|laughter|lonely|loneliness|ashamed|shame|frustrated|frustration|relief|relieved|happy|happiness|heartache|
		longing|tender|tenderness|delight|delighted|worried|trembled|smiled|smiles`)
	introspectionCues = cues(`reflect|reflects|reflected|reflecting|reflection|realise|realises|realised|realize|realizes|realized|
		wonder|wonders|wondered|wondering|asked myself|asked herself|asked himself|asked themselves|asked ourselves|asks herself|asks himself|
		asks themselves|ask myself|looked within|looks within|looking within|looked inward|introspect*|contemplat*|looking back|looked back|
		in hindsight|recognised in|recognized in|questioned|questions herself|questions himself|understood then|noticed in herself|
		noticed in himself|noticed in myself|came to see|comes to see`)
)

// FourDirections returns, for each direction, the first sentence of the texts that speaks of
// it, as it was written, or nil: vision in the north, intention in the east,
// emotion in the south, introspection in the west. One sentence may speak of several. What is denied ("felt nothing" is
// a feeling, "no vision" is none) does not count.
func FourDirections(texts ...string) (north, east, south, west *string) {
	return direction(texts, visionCues), direction(texts, intentionCues), direction(texts, emotionCues), direction(texts, introspectionCues)
}

func direction(texts []string, cues [][]string) *string {
	for _, written := range texts {
		t := read(written)
		for _, s := range t.sentences {
			if findCue(s, cues) {
				sentence := t.whole(s)
				return &sentence
			}
		}
	}
	return nil
}
