package language

import "testing"

func TestVectorStemFollowsPortersFirstAlgorithm(t *testing.T) {
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "caress": "caress", "cats": "cat", "feed": "feed", "agreed": "agre",
		"plastered": "plaster", "motoring": "motor", "sing": "sing", "conflated": "conflat", "troubled": "troubl",
		"sized": "size", "hopping": "hop", "falling": "fall", "hissing": "hiss", "failing": "fail", "filing": "file",
		"happy": "happi", "sky": "sky", "relational": "relat", "conditional": "condit", "rational": "ration",
		"digitizer": "digit", "radically": "radic", "vietnamization": "vietnam", "operator": "oper", "feudalism": "feudal",
		"decisiveness": "decis", "hopefulness": "hope", "formality": "formal", "sensibility": "sensibl", "triplicate": "triplic",
		"formative": "form", "electrical": "electr", "goodness": "good", "revival": "reviv", "allowance": "allow",
		"airliner": "airlin", "adjustable": "adjust", "replacement": "replac", "adoption": "adopt", "communism": "commun",
		"activate": "activ", "effective": "effect", "probate": "probat", "rate": "rate", "cease": "ceas", "controlling": "control", "roll": "roll",
		// Words that are nothing but an ending.
		"eed": "eed", "eeds": "eed", "ies": "i", "sses": "ss",
		// Where Porter's own program leaves his paper.
		"technology": "technolog", "possibly": "possibl", "as": "as",
		// Irregular forms first, and words that are left alone.
		"went": "go", "children": "child", "bought": "bui", "is": "is", "größe": "größe", "v2": "v2",
	} {
		if got := string(AppendVectorStem(nil, []byte(word))); got != want {
			t.Errorf("the stem of %q is %q, not %q", word, got, want)
		}
	}
}
