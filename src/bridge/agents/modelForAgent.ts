import type { EffectiveConfig } from '../../config/schema.ts';

/** Agents that write code, by name, as the tool that `coding_model` comes from has it. */
const CODING_AGENTS: ReadonlySet<string> = new Set([
  'coder',
  'webdev',
  'backend',
  'devops',
  'frontend',
  'fullstack',
  'security',
]);

export interface AgentModel {
  /** The name that is looked for; null: the first served model. */
  readonly model: string | null;
  readonly rule: 'call' | 'coding-model' | 'default-model' | 'first-served';
}

/**
 * Which model a job of an agent asks for. A model that the call names is never replaced, not even when it is the default
 * one; `model:` of the definition does not count. `agent` null: a job without one.
 */
export function modelForAgent(
  agent: string | null,
  requested: string | null,
  config: {
    readonly defaults: Pick<EffectiveConfig['defaults'], 'model'>;
    readonly runners: { readonly loop: Pick<EffectiveConfig['runners']['loop'], 'coding_model'> };
  },
): AgentModel {
  if (requested !== null) return { model: requested, rule: 'call' };
  const coding = config.runners.loop.coding_model;
  if (coding !== '' && agent !== null && CODING_AGENTS.has(agent.toLowerCase()))
    return { model: coding, rule: 'coding-model' };
  const { model } = config.defaults;
  return model === '' ? { model: null, rule: 'first-served' } : { model, rule: 'default-model' };
}
