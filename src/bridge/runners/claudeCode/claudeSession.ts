/** What one headless Claude Code session needs to know. Nothing here is a secret of the user: the key is the gateway's. */
export interface ClaudeSession {
  readonly model: string;
  /** Address of the job's gateway, its random token included. */
  readonly gatewayUrl: string;
  /** Tokens per request; null when the endpoint did not say. */
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
  readonly isReadOnly: boolean;
  readonly isLocalOnly: boolean;
  readonly permissionMode: string;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly settingSources: readonly string[];
  readonly maxTurns: number;
  readonly effort: string | null;
  readonly systemPromptAppend: string;
  readonly resumeSessionId: string | null;
  /** Claude Code's own folder: one of the bridge's, so that the user's login, settings and memory are never read. */
  readonly claudeConfigDir: string;
  /** From the endpoint's entry in models.yaml. */
  readonly extraEnv: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Used when no endpoint said its window: an unknown model would be given 1 M tokens by Claude Code itself. */
export const ASSUMED_CONTEXT_TOKENS = 65_536;
