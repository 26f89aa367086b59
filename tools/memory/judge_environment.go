package memory

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Default models: the two the memory documentation names.
const (
	defaultFirstJudge  = "gpt-4o"
	defaultSecondJudge = "claude-haiku-4-5"
)

// ErrJudgeKeyMissing means that models were asked for and are not configured. Its
// text names the variables to set.
var ErrJudgeKeyMissing = errors.New("no key is configured")

// judgeService is where a judging model is reached.
type judgeService struct {
	BaseURL string // empty: the vendor's own
	Model   string
	Key     string // may be empty for a local service
}

func (s judgeService) isConfigured() bool { return s.Key != "" || s.BaseURL != "" }

// JudgesFromEnvironment chooses the panel from environment variables: two language
// models over HTTP when they are configured, otherwise two arithmetic heuristics that
// need no network and say so.
//
//	TOOLKIT_JUDGES        offline (default) or llm; auto is a former name of the default
//	OPENAI_API_KEY        key of judge 1
//	TOOLKIT_JUDGE1_URL    base URL of an OpenAI-compatible service, such as http://localhost:11434/v1/
//	TOOLKIT_JUDGE1_MODEL  gpt-4o unless set
//	TOOLKIT_JUDGE1_KEY    key of judge 1 in place of OPENAI_API_KEY
//	ANTHROPIC_API_KEY     key of judge 2
//	TOOLKIT_JUDGE2_URL    base URL of an Anthropic-compatible service
//	TOOLKIT_JUDGE2_MODEL  claude-haiku-4-5 unless set
//	TOOLKIT_JUDGE2_KEY    key of judge 2 in place of ANTHROPIC_API_KEY
//
// Nothing is sent unless the user chose llm; then both judges must be configured
// (a key or a base URL each), and a missing one is an error. Keys that stand in
// the environment for other programs choose nothing.
// Keys appear in no error and no log.
//
// It fails when a value means nothing or, with TOOLKIT_JUDGES=llm, when a judge is not
// configured (ErrJudgeKeyMissing).
func JudgesFromEnvironment(getenv func(string) string) (*JudgePanel, error) {
	first, err := readJudgeService(getenv, "TOOLKIT_JUDGE1", "OPENAI_API_KEY", defaultFirstJudge)
	if err != nil {
		return nil, err
	}
	second, err := readJudgeService(getenv, "TOOLKIT_JUDGE2", "ANTHROPIC_API_KEY", defaultSecondJudge)
	if err != nil {
		return nil, err
	}
	var missing []string
	if !first.isConfigured() {
		missing = append(missing, "OPENAI_API_KEY (or TOOLKIT_JUDGE1_URL)")
	}
	if !second.isConfigured() {
		missing = append(missing, "ANTHROPIC_API_KEY (or TOOLKIT_JUDGE2_URL)")
	}
	switch mode := strings.ToLower(strings.TrimSpace(getenv("TOOLKIT_JUDGES"))); mode {
	case "offline":
		return NewOfflineJudgePanel("TOOLKIT_JUDGES is offline"), nil
	case "llm":
		if len(missing) > 0 {
			return nil, fmt.Errorf("%w: TOOLKIT_JUDGES is llm, so set %s", ErrJudgeKeyMissing, strings.Join(missing, " and "))
		}
		return NewLLMJudgePanel(first, second), nil
	case "", "auto":
		return NewOfflineJudgePanel("language models judge, over the network, only where the user sets TOOLKIT_JUDGES=llm"), nil
	default:
		return nil, fmt.Errorf("TOOLKIT_JUDGES %q is not one of offline, llm", mode)
	}
}

// NewLLMJudgePanel is a panel of two language models, the first behind an
// OpenAI-compatible service, the second behind an Anthropic-compatible one.
func NewLLMJudgePanel(first, second judgeService) *JudgePanel {
	p := &JudgePanel{First: newOpenAIJudge(first), Second: newAnthropicJudge(second), Mode: JudgeModeLLM}
	p.Note = fmt.Sprintf("the query and the documents were sent to %s (%s) and %s (%s), as TOOLKIT_JUDGES=llm asks",
		first.hostName(openAIBase), first.Model, second.hostName(anthropicBase), second.Model)
	if first.Model == second.Model {
		p.Note += "; both judges are the same model; their agreement says little"
	}
	return p
}

// hostName is who receives what is judged; of an address it is the part that may be
// shown.
func (s judgeService) hostName(usual string) string {
	if u, err := url.Parse(cmp.Or(s.BaseURL, usual)); err == nil {
		return u.Host
	}
	return "a service"
}

func readJudgeService(getenv func(string) string, prefix, keyName, model string) (judgeService, error) {
	value := func(name string) string { return strings.TrimSpace(getenv(name)) }
	s := judgeService{
		BaseURL: value(prefix + "_URL"),
		Model:   cmp.Or(value(prefix+"_MODEL"), model),
		Key:     cmp.Or(value(prefix+"_KEY"), value(keyName)),
	}
	if s.BaseURL == "" {
		return s, nil
	}
	u, err := url.Parse(s.BaseURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return s, fmt.Errorf("%s_URL is not an http or https address", prefix)
	}
	return s, nil
}
