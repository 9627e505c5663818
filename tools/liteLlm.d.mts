export type FoundLiteLlm =
  | { ok: true; /** The program; takes litellm's flags. */ path: string }
  | { ok: false; /** Why there is none, one sentence for a person. */ reason: string };

/** Finds a real LiteLLM proxy, or installs one into the cache with pip; at most a few minutes. Never rejects. */
export function findLiteLlm(options?: { env?: NodeJS.ProcessEnv }): Promise<FoundLiteLlm>;
