import { checkFinding, type CheckFinding } from './checkFinding.ts';
import type { ConfigPath } from './configPath.ts';
import type { ModelsFile } from './schema.ts';

/** Least window, in tokens, with which a claude-code session gets far enough to be of use. */
export const LEAST_WINDOW = 128_000;

/** Whether a name router would take this name for one of Anthropic's. */
export function looksLikeAnthropic(model: string): boolean {
  return /^(claude|anthropic\/)/i.test(model);
}

/** Names that a router would send to Anthropic, and windows too small for claude-code. */
export function checkModels(value: ModelsFile): CheckFinding[] {
  const findings: CheckFinding[] = [];
  const backends = Object.values(value.endpoints ?? {}).map((entry) => entry.backend);
  if (!backends.includes('anthropic')) {
    for (const { path, model } of namedModels(value)) {
      if (!looksLikeAnthropic(model)) continue;
      // A fact about a name (such as its price) sends nothing anywhere.
      const severity = path[0] === 'models' ? 'warning' : 'error';
      findings.push(
        checkFinding(
          severity,
          'anthropic_name',
          path,
          `"${model}" begins like a name of Anthropic but no endpoint is one of theirs; a router would send it to Anthropic: give it another alias`,
          { at: path[0] === 'models' ? 'key' : 'value' },
        ),
      );
    }
  }
  if ((value.defaults?.runner ?? 'claude-code') === 'claude-code') {
    for (const [pattern, facts] of Object.entries(value.models ?? {})) {
      if (facts.context_window !== undefined && facts.context_window < LEAST_WINDOW) {
        findings.push(
          checkFinding(
            'warning',
            'small_window',
            ['models', pattern, 'context_window'],
            smallWindow(facts.context_window),
          ),
        );
      }
    }
  }
  return findings;
}

export function smallWindow(window: number): string {
  return `a window of ${window} tokens is small for claude-code, which wants ${LEAST_WINDOW} or more`;
}

function namedModels(value: ModelsFile): { path: ConfigPath; model: string }[] {
  const named: { path: ConfigPath; model: string }[] = [];
  const add = (path: ConfigPath, model: string | undefined) => {
    if (model) named.push({ path, model });
  };
  add(['defaults', 'model'], value.defaults?.model);
  add(['runners', 'loop', 'coding_model'], value.runners?.loop?.coding_model);
  for (const name of Object.keys(value.models ?? {})) add(['models', name], name);
  for (const [name, role] of Object.entries(value.fleet ?? {}))
    add(['fleet', name, 'model'], role.model);
  for (const [origin, chain] of Object.entries(value.failover?.chains ?? {})) {
    add(['failover', 'chains', origin], origin);
    for (const [index, member] of chain.entries())
      add(['failover', 'chains', origin, index], member);
  }
  return named;
}
