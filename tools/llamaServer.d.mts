export type FoundLlamaServer =
  | { ok: true; /** The program; takes llama-server's flags. */ path: string }
  | { ok: false; /** Why there is none, one sentence for a person. */ reason: string };

/** Finds a real llama.cpp server, or installs one into the cache with pip; at most a few minutes. Never rejects. */
export function findLlamaServer(options?: { env?: NodeJS.ProcessEnv }): Promise<FoundLlamaServer>;
