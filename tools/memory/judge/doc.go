// Package judge rates how relevant a document is to a query, twice and
// independently, so that the agreement of two judges can be measured.
//
// A Panel is two judges and what their scores are worth. FromEnvironment
// chooses it: two language models over HTTP when they are configured, otherwise
// two arithmetic heuristics that need no network and say so. Panel.Evaluate
// runs both judges over all documents side by side; a judgement that fails is
// absent, never a guess.
//
// # Configuration
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
package judge
