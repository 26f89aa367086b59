package judge

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Default models: the two the memory documentation names.
const (
	defaultFirstModel  = "gpt-4o"
	defaultSecondModel = "claude-haiku-4-5"
)

// ErrKeyMissing means that models were asked for and are not configured. Its
// text names the variables to set.
var ErrKeyMissing = errors.New("no key is configured")

// Service is where a judging model is reached.
type Service struct {
	BaseURL string // empty: the vendor's own
	Model   string
	Key     string // may be empty for a local service
}

func (s Service) isConfigured() bool { return s.Key != "" || s.BaseURL != "" }

// FromEnvironment chooses the panel from environment variables, see the package
// comment. It fails when a value means nothing or, with TOOLKIT_JUDGES=llm,
// when a judge is not configured (ErrKeyMissing). Keys and addresses alone never
// choose the models: they stand in the environment for other programs too.
func FromEnvironment(getenv func(string) string) (*Panel, error) {
	first, err := readService(getenv, "TOOLKIT_JUDGE1", "OPENAI_API_KEY", defaultFirstModel)
	if err != nil {
		return nil, err
	}
	second, err := readService(getenv, "TOOLKIT_JUDGE2", "ANTHROPIC_API_KEY", defaultSecondModel)
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
		return OfflinePanel("TOOLKIT_JUDGES is offline"), nil
	case "llm":
		if len(missing) > 0 {
			return nil, fmt.Errorf("%w: TOOLKIT_JUDGES is llm, so set %s", ErrKeyMissing, strings.Join(missing, " and "))
		}
		return LLMPanel(first, second), nil
	case "", "auto":
		return OfflinePanel("language models judge, over the network, only where the user sets TOOLKIT_JUDGES=llm"), nil
	default:
		return nil, fmt.Errorf("TOOLKIT_JUDGES %q is not one of offline, llm", mode)
	}
}

// LLMPanel is a panel of two language models, the first behind an
// OpenAI-compatible service, the second behind an Anthropic-compatible one.
func LLMPanel(first, second Service) *Panel {
	p := &Panel{First: newOpenAI(first), Second: newAnthropic(second), Mode: LLM}
	p.Note = fmt.Sprintf("the query and the documents were sent to %s (%s) and %s (%s), as TOOLKIT_JUDGES=llm asks",
		first.host(openAIBase), first.Model, second.host(anthropicBase), second.Model)
	if first.Model == second.Model {
		p.Note += "; both judges are the same model; their agreement says little"
	}
	return p
}

// host is who receives what is judged; of an address it is the part that may be
// shown.
func (s Service) host(usual string) string {
	if u, err := url.Parse(cmp.Or(s.BaseURL, usual)); err == nil {
		return u.Host
	}
	return "a service"
}

func readService(getenv func(string) string, prefix, keyName, model string) (Service, error) {
	value := func(name string) string { return strings.TrimSpace(getenv(name)) }
	s := Service{
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
