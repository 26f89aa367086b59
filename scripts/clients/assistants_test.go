package clients

import "strings"

var claudeCode = &assistant{
	name: "claude-code",
	environ: func(url string) []string {
		return []string{
			"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=scripted", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
		}
	},
	ask: func(_, resume, prompt string) []string {
		args := []string{"claude", "-p", prompt, "--allowedTools", "mcp__toolkit", "--output-format", "json"}
		if resume != "" {
			args = append(args, "--resume", resume)
		}
		return args
	},
	ours: func(tool string) string { return "mcp__toolkit__" + tool },
	load: "ToolSearch",
	hooks: map[string]string{
		"session-start": "SessionStart", "prompt": "UserPromptSubmit", "stop": "Stop", "pre-compact": "PreCompact", "post-compact": "PostCompact", "session-end": "SessionEnd",
	},
}

var codex = &assistant{
	name: "codex",
	settings: []string{`model = "scripted"
model_provider = "scripted"
approval_policy = "never"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
`, ".codex", "config.toml"},
	environ: func(string) []string { return nil },
	ask: func(url, resume, prompt string) []string {
		args := []string{"codex", "-c", "model_providers.scripted.base_url=" + url + "/v1", "exec"}
		if resume != "" {
			args = append(args, "resume", resume)
		}
		return append(args, "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt)
	},
	ours: func(tool string) string { return strings.ReplaceAll(tool, "-", "_") },
	most: 9_000,
	hooks: map[string]string{
		"session-start": "SessionStart", "prompt": "UserPromptSubmit", "stop": "Stop", "pre-compact": "PreCompact", "post-compact": "PostCompact", "session-end": "SessionEnd",
	},
}

var gemini = &assistant{
	name: "gemini-cli",
	settings: []string{`{
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false }
}
`, ".gemini", "settings.json"},
	environ: func(url string) []string {
		// It would start itself a second time to have more memory, which takes as long as the session.
		return []string{"GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_API_KEY=scripted", "GEMINI_TELEMETRY_ENABLED=false", "GEMINI_CLI_NO_RELAUNCH=true"}
	},
	ask: func(_, resume, prompt string) []string {
		args := []string{"gemini", "-p", prompt, "--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-flash"}
		if resume != "" {
			args = append(args, "--resume", resume)
		}
		return args
	},
	ours:  func(tool string) string { return "mcp_toolkit_" + tool },
	most:  12_000,
	hooks: map[string]string{"session-start": "SessionStart", "prompt": "BeforeAgent", "stop": "AfterAgent", "pre-compact": "PreCompress", "session-end": "SessionEnd"},
}
