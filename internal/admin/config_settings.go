package admin

import "slices"

// SettingKind is the form of a value in the file.
type SettingKind int

// Kinds of settings.
const (
	TextSetting SettingKind = iota
	ListSetting
	FoldersSetting
	FileSetting
	NumberSetting
	SwitchSetting
	DurationSetting
)

var settingKinds = map[SettingKind]string{
	TextSetting: "a text in quotation marks", ListSetting: `a list such as ["a", "b"]`, FileSetting: "a path in quotation marks", FoldersSetting: `a list of folders such as ["/home/anna/papers"]`, NumberSetting: "a number", SwitchSetting: "true or false",
	DurationSetting: `a duration such as "30m" or "720h"`,
}

// Setting is something a person can set.
type Setting struct {
	Key     string // in the file, dotted
	Env     string // the environment variable
	Flag    string // of serve and others, "" where there is none
	Kind    SettingKind
	Default string // as shown; empty: none
	Secret  bool   // never shown
	Meaning string
}

// settings in the order in which they are shown.
var settings = []Setting{
	{Key: "space", Env: "TOOLKIT_SPACE", Flag: "space", Meaning: "the space of a shared database that is used"},
	{Key: "db", Env: "TOOLKIT_DB", Flag: "db", Kind: FileSetting, Meaning: "database file"},
	{Key: "log_level", Env: "TOOLKIT_LOG_LEVEL", Flag: "log-level", Meaning: "debug, info, warn or error"},
	{Key: "serve.families", Env: "TOOLKIT_FAMILIES", Flag: "families", Kind: ListSetting, Meaning: "serve only these families"},
	{Key: "serve.toolset", Env: "TOOLKIT_TOOLSET", Flag: "toolset", Default: "all", Meaning: "which tools to list: all, or core"},
	{Key: "serve.tools", Env: "TOOLKIT_TOOLS", Flag: "tools", Kind: ListSetting, Meaning: "serve only these tools"},
	{Key: "serve.exclude_tools", Env: "TOOLKIT_EXCLUDE_TOOLS", Flag: "exclude-tools", Kind: ListSetting, Meaning: "do not serve these tools"},
	{Key: "serve.grant", Env: "TOOLKIT_GRANT", Flag: "grant", Kind: ListSetting, Meaning: "grant only these rights"},
	{Key: "serve.read_only", Env: "TOOLKIT_READ_ONLY", Flag: "read-only", Kind: SwitchSetting, Default: "0", Meaning: "refuse every tool that writes"},
	{Key: "serve.hints", Env: "TOOLKIT_HINTS", Flag: "hints", Default: "content", Meaning: "where agentHints travel: content or meta"},
	{Key: "serve.compat", Env: "TOOLKIT_COMPAT", Flag: "compat", Meaning: "memory: behave like the official memory server"},
	{Key: "serve.orientation", Env: "TOOLKIT_ORIENTATION", Flag: "orientation", Default: "standard", Meaning: "how strictly outcomes must be creative"},
	{Key: "serve.patience", Env: "TOOLKIT_PATIENCE", Kind: NumberSetting, Default: "1", Meaning: "multiplies the time a call may take"},
	{Key: "serve.file_roots", Env: "TOOLKIT_FILE_ROOTS", Flag: "file-root", Kind: FoldersSetting, Meaning: "folders from which files may be uploaded"},
	{Key: "hooks.enabled", Env: "TOOLKIT_HOOKS", Kind: SwitchSetting, Default: "1", Meaning: "let hooks of assistants take sessions in and show what is remembered"},
	{Key: "pockets.rate_limit", Env: "TOOLKIT_POCKET_RATE_LIMIT", Flag: "pocket-rate-limit", Kind: SwitchSetting, Default: "0", Meaning: "let the tools of pockets share 30 calls a minute"},
	{Key: "http.token", Env: "TOOLKIT_TOKEN", Secret: true, Meaning: "bearer token that callers over HTTP must send"},
	{Key: "http.rate_limit", Env: "TOOLKIT_HTTP_RATE_LIMIT", Flag: "http-rate-limit", Kind: NumberSetting, Default: "30", Meaning: "requests a minute from one address; 0 for no limit"},
	{Key: "http.oidc_issuer", Env: "TOOLKIT_OIDC_ISSUER", Flag: "oidc-issuer", Meaning: "take the access tokens of this OpenID provider"},
	{Key: "http.oidc_audience", Env: "TOOLKIT_OIDC_AUDIENCE", Flag: "oidc-audience", Meaning: "for whom the provider's tokens must be"},
	{Key: "http.oidc_space_claim", Env: "TOOLKIT_OIDC_SPACE_CLAIM", Flag: "oidc-space-claim", Meaning: "the claim that names the caller's space"},
	{Key: "http.oidc_spaces", Env: "TOOLKIT_OIDC_SPACES", Flag: "oidc-space", Kind: ListSetting, Meaning: "spaces for values of that claim, VALUE=SPACE"},
	{Key: "http.tls_cert", Env: "TOOLKIT_TLS_CERT", Flag: "tls-cert", Kind: FileSetting, Meaning: "certificate to encrypt with"},
	{Key: "http.tls_key", Env: "TOOLKIT_TLS_KEY", Flag: "tls-key", Kind: FileSetting, Meaning: "its key"},
	{Key: "http.behind_proxy", Env: "TOOLKIT_BEHIND_PROXY", Flag: "behind-proxy", Kind: SwitchSetting, Default: "0", Meaning: "all requests come through a proxy that encrypts"},
	{Key: "http.hosts", Env: "TOOLKIT_HTTP_HOST", Flag: "http-host", Kind: ListSetting, Meaning: "further names under which the server is reached"},
	{Key: "http.drain", Env: "TOOLKIT_HTTP_DRAIN", Flag: "http-drain", Kind: DurationSetting, Default: "0s", Meaning: "how long a server that is to end goes on, not ready, so that load balancers leave it"},
	{Key: "serve.rate_limits", Env: "TOOLKIT_RATE_LIMITS", Meaning: "changed limits of tools, such as upload_file=20/1m"},
	{Key: "metrics.enabled", Env: "TOOLKIT_METRICS", Kind: SwitchSetting, Default: "1", Meaning: "record technical metrics in the database"},
	{Key: "metrics.address", Env: "TOOLKIT_METRICS_ADDR", Flag: "metrics-addr", Meaning: "serve Prometheus metrics on this address"},
	{Key: "metrics.retention", Env: "TOOLKIT_METRICS_RETENTION", Kind: DurationSetting, Default: "30d", Meaning: "how long samples are kept"},
	{Key: "metrics.samples", Env: "TOOLKIT_METRICS_SAMPLES", Kind: NumberSetting, Default: "5000000", Meaning: "how many samples are kept"},
	{Key: "metrics.sampling", Env: "TOOLKIT_METRICS_SAMPLING", Kind: NumberSetting, Default: "1", Meaning: "share of durations that is kept"},
	{Key: "metrics.prometheus_url", Env: "PROMETHEUS_URL", Meaning: "ask this Prometheus instead of the local samples"},
	{Key: "analytics.enabled", Env: "TOOLKIT_ANALYTICS", Kind: SwitchSetting, Default: "1", Meaning: "record the log of calls"},
	{Key: "analytics.retention", Env: "TOOLKIT_ANALYTICS_RETENTION", Kind: DurationSetting, Default: "400d", Meaning: "how long rows of the log are kept"},
	{Key: "analytics.events", Env: "TOOLKIT_ANALYTICS_EVENTS", Kind: NumberSetting, Default: "1000000", Meaning: "how many rows of the log are kept"},
	{Key: "posthog.url", Env: "POSTHOG_URL", Meaning: "ask this PostHog instead of the local log"},
	{Key: "posthog.host", Env: "POSTHOG_HOST", Meaning: "another name of posthog.url"},
	{Key: "posthog.api_key", Env: "POSTHOG_API_KEY", Secret: true, Meaning: "key of PostHog"},
	{Key: "posthog.project_id", Env: "POSTHOG_PROJECT_ID", Meaning: "project of PostHog"},
	{Key: "posthog.events", Env: "POSTHOG_EVENTS", Meaning: "names of events there"},
	{Key: "capture.enabled", Env: "TOOLKIT_CAPTURE", Kind: SwitchSetting, Default: "1", Meaning: "take in what assistants write of their sessions"},
	{Key: "capture.off_clients", Env: "TOOLKIT_CAPTURE_OFF_CLIENTS", Kind: ListSetting, Meaning: "clients whose sessions are not taken in, such as codex"},
	{Key: "capture.off_projects", Env: "TOOLKIT_CAPTURE_OFF_PROJECTS", Kind: ListSetting, Meaning: "projects likewise: names, or folders with all below them"},
	{Key: "memory.fidelity_threshold", Env: "TOOLKIT_FIDELITY_THRESHOLD", Kind: NumberSetting, Meaning: "below this an insight is warned about"},
	{Key: "documents.ocr", Env: "TOOLKIT_OCR", Meaning: "program that reads pictures and scans, such as tesseract"},
	{Key: "documents.ocr_languages", Env: "TOOLKIT_OCR_LANGUAGES", Meaning: "languages it reads, such as deu+eng"},
	{Key: "embedding.provider", Env: "TOOLKIT_EMBEDDER", Default: "built-in", Meaning: "built-in, openai for any compatible service, or off"},
	{Key: "embedding.model", Env: "TOOLKIT_EMBED_MODEL", Meaning: "model of the provider"},
	{Key: "embedding.url", Env: "TOOLKIT_EMBED_URL", Meaning: "address of the provider"},
	{Key: "embedding.path", Env: "TOOLKIT_EMBED_PATH", Kind: FileSetting, Meaning: "no longer read"},
	{Key: "tracing.endpoint", Env: "OTEL_EXPORTER_OTLP_ENDPOINT", Meaning: "no longer read"},
	{Key: "tracing.traces_endpoint", Env: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", Meaning: "no longer read"},
	{Key: "tracing.headers", Env: "OTEL_EXPORTER_OTLP_HEADERS", Secret: true, Meaning: "no longer read"},
	{Key: "tracing.service_name", Env: "OTEL_SERVICE_NAME", Meaning: "no longer read"},
	{Key: "tracing.exporter", Env: "OTEL_TRACES_EXPORTER", Meaning: "no longer read"},
	{Key: "tracing.disabled", Env: "OTEL_SDK_DISABLED", Meaning: "no longer read"},
	{Key: "judges.mode", Env: "TOOLKIT_JUDGES", Default: "offline", Meaning: "offline, or llm: language models judge, over the network"},
	{Key: "judges.first.url", Env: "TOOLKIT_JUDGE1_URL", Meaning: "address of the first judge"},
	{Key: "judges.first.model", Env: "TOOLKIT_JUDGE1_MODEL", Meaning: "model of the first judge"},
	{Key: "judges.first.key", Env: "TOOLKIT_JUDGE1_KEY", Secret: true, Meaning: "key of the first judge"},
	{Key: "judges.second.url", Env: "TOOLKIT_JUDGE2_URL", Meaning: "address of the second judge"},
	{Key: "judges.second.model", Env: "TOOLKIT_JUDGE2_MODEL", Meaning: "model of the second judge"},
	{Key: "judges.second.key", Env: "TOOLKIT_JUDGE2_KEY", Secret: true, Meaning: "key of the second judge"},
	{Key: "plaid.client_id", Env: "PLAID_CLIENT_ID", Meaning: "client id of Plaid"},
	{Key: "plaid.secret", Env: "PLAID_SECRET", Secret: true, Meaning: "secret of Plaid"},
	{Key: "plaid.base_url", Env: "PLAID_BASE_URL", Default: "https://sandbox.plaid.com", Meaning: "address of Plaid"},
	{Key: "plaid.country_codes", Env: "PLAID_COUNTRY_CODES", Kind: ListSetting, Meaning: "countries whose banks may be linked, such as US,GB"},
	{Key: "keys.openai", Env: "OPENAI_API_KEY", Secret: true, Meaning: "key for OpenAI"},
	{Key: "keys.anthropic", Env: "ANTHROPIC_API_KEY", Secret: true, Meaning: "key for Anthropic"},
}

// Settings lists everything that can be set.
func Settings() []Setting { return slices.Clone(settings) }
