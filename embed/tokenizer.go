package embed

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// tokenizer turns a text into the token ids of a model, as the Hugging Face
// tokenizer.json describes it. It covers what published static models use:
// WordPiece, Unigram and BPE with their usual normalisers and pre-tokenisers.
// Special tokens are never added, nor looked for in the text.
type tokenizer struct {
	normalize func(string) string
	split     func(string) []string
	model     subwordModel
	unknown   int // id of the unknown token, -1 for none
}

// subwordModel appends the ids of one pre-tokenised piece.
type subwordModel interface {
	appendIDs(ids []int, piece string) []int
}

// tokenizerNode is a normaliser or a pre-tokeniser; the fields are those of all
// types together.
type tokenizerNode struct {
	Type               string          `json:"type"`
	Normalizers        []tokenizerNode `json:"normalizers"`
	PreTokenizers      []tokenizerNode `json:"pretokenizers"`
	CleanText          *bool           `json:"clean_text"`
	HandleChineseChars *bool           `json:"handle_chinese_chars"`
	StripAccents       *bool           `json:"strip_accents"`
	Lowercase          *bool           `json:"lowercase"`
	StripLeft          bool            `json:"strip_left"`
	StripRight         bool            `json:"strip_right"`
	Prepend            string          `json:"prepend"`
	Content            string          `json:"content"`
	Replacement        string          `json:"replacement"`
	PrependScheme      string          `json:"prepend_scheme"`
	AddPrefixSpace     *bool           `json:"add_prefix_space"`
	Split              *bool           `json:"split"`
	UseRegex           *bool           `json:"use_regex"`
	IndividualDigits   bool            `json:"individual_digits"`
	Pattern            struct {
		String *string `json:"String"`
	} `json:"pattern"`
}

// parseTokenizer reads a tokenizer.json.
func parseTokenizer(data []byte) (*tokenizer, error) {
	var file struct {
		Normalizer   *tokenizerNode  `json:"normalizer"`
		PreTokenizer *tokenizerNode  `json:"pre_tokenizer"`
		Model        json.RawMessage `json:"model"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("it is not a tokenizer in JSON: %w", err)
	}
	t := &tokenizer{normalize: func(s string) string { return s }, split: func(s string) []string { return []string{s} }}
	var err error
	if file.Normalizer != nil {
		if t.normalize, err = normalizer(*file.Normalizer); err != nil {
			return nil, err
		}
	}
	if file.PreTokenizer != nil {
		if t.split, err = preTokenizer(*file.PreTokenizer); err != nil {
			return nil, err
		}
	}
	t.model, t.unknown, err = parseModel(file.Model)
	return t, err
}

// ids returns the known tokens of a text.
func (t *tokenizer) ids(text string) []int {
	var ids []int
	for _, piece := range t.split(t.normalize(text)) {
		if piece != "" {
			ids = t.model.appendIDs(ids, piece)
		}
	}
	known := ids[:0]
	for _, id := range ids {
		if id != t.unknown {
			known = append(known, id)
		}
	}
	return known
}

// given tells a flag, or what it is when it is not given.
func given(flag *bool, otherwise bool) bool {
	if flag == nil {
		return otherwise
	}
	return *flag
}

// normalizer builds the function that a node describes.
func normalizer(node tokenizerNode) (func(string) string, error) {
	switch node.Type {
	case "Sequence":
		var steps []func(string) string
		for _, part := range node.Normalizers {
			step, err := normalizer(part)
			if err != nil {
				return nil, err
			}
			steps = append(steps, step)
		}
		return func(s string) string {
			for _, step := range steps {
				s = step(s)
			}
			return s
		}, nil
	case "BertNormalizer":
		return bertNormalizer(node), nil
	case "Lowercase":
		return strings.ToLower, nil
	case "NFC":
		return norm.NFC.String, nil
	case "NFD":
		return norm.NFD.String, nil
	case "NFKC", "Precompiled", "Nmt":
		// The precompiled SentencePiece maps are NFKC with small additions.
		return norm.NFKC.String, nil
	case "NFKD":
		return norm.NFKD.String, nil
	case "StripAccents":
		return dropMarks, nil
	case "Strip":
		return func(s string) string {
			if node.StripLeft {
				s = strings.TrimLeftFunc(s, unicode.IsSpace)
			}
			if node.StripRight {
				s = strings.TrimRightFunc(s, unicode.IsSpace)
			}
			return s
		}, nil
	case "Prepend":
		return func(s string) string {
			if s == "" {
				return s
			}
			return node.Prepend + s
		}, nil
	case "Replace":
		if node.Pattern.String == nil || *node.Pattern.String == "" {
			return nil, errors.New("the normaliser Replace is supported with a plain pattern only")
		}
		return func(s string) string { return strings.ReplaceAll(s, *node.Pattern.String, node.Content) }, nil
	}
	return nil, fmt.Errorf("the normaliser %q is not supported", node.Type)
}

// bertNormalizer cleans, isolates ideographs, strips accents and lowers.
func bertNormalizer(node tokenizerNode) func(string) string {
	lower := given(node.Lowercase, true)
	strip := given(node.StripAccents, lower)
	clean, isolate := given(node.CleanText, true), given(node.HandleChineseChars, true)
	return func(s string) string {
		var out strings.Builder
		for _, r := range s {
			switch {
			case clean && (r == 0 || r == unicode.ReplacementChar || isControl(r)):
			case clean && unicode.IsSpace(r):
				out.WriteByte(' ')
			case isolate && unicode.Is(unicode.Han, r):
				out.WriteByte(' ')
				out.WriteRune(r)
				out.WriteByte(' ')
			default:
				out.WriteRune(r)
			}
		}
		s = out.String()
		if strip {
			s = dropMarks(norm.NFD.String(s))
		}
		if lower {
			s = strings.ToLower(s)
		}
		return s
	}
}

func isControl(r rune) bool {
	if r == '\t' || r == '\n' || r == '\r' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// dropMarks removes combining marks.
func dropMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
}
