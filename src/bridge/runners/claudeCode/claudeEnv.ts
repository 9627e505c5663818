import { ASSUMED_CONTEXT_TOKENS, type ClaudeSession } from './claudeSession.ts';

/** Below this window the output limit shrinks, since compaction fires at window − output. */
const FULL_OUTPUT_WINDOW = 128_000;
const MIN_OUTPUT_TOKENS = 8_192;

/**
 * The variables that make a session use the gateway and nothing else. They go in twice, as process environment and through
 * `--settings`: a project's .claude/settings.json beats the process environment, and the flag beats the project.
 */
export function claudeEnv(session: ClaudeSession): Record<string, string> {
  const window = session.contextWindow ?? ASSUMED_CONTEXT_TOKENS;
  const maxOutput =
    session.maxOutputTokens ??
    (window < FULL_OUTPUT_WINDOW ? Math.max(MIN_OUTPUT_TOKENS, Math.floor(window / 8)) : null);
  return {
    ...session.extraEnv,
    ANTHROPIC_BASE_URL: session.gatewayUrl,
    ANTHROPIC_API_KEY: 'local',
    ANTHROPIC_AUTH_TOKEN: '',
    ANTHROPIC_CUSTOM_HEADERS: '',
    ANTHROPIC_MODEL: session.model,
    ANTHROPIC_DEFAULT_OPUS_MODEL: session.model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: session.model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: session.model,
    ANTHROPIC_SMALL_FAST_MODEL: session.model,
    CLAUDE_CODE_SUBAGENT_MODEL: session.model,
    CLAUDE_CODE_USE_BEDROCK: '',
    CLAUDE_CODE_USE_VERTEX: '',
    CLAUDE_CODE_USE_FOUNDRY: '',
    CLAUDE_CONFIG_DIR: session.claudeConfigDir,
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(window),
    ...(maxOutput === null ? {} : { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutput) }),
    // The header changes with the prompt and would defeat the server's prompt cache.
    CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    API_TIMEOUT_MS: String(session.timeoutMs),
    // The gateway is on loopback; a proxy must not carry its requests.
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  };
}
