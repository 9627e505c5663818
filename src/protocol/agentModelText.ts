import type { AgentView } from './agentsView.ts';

const RULES: Readonly<Record<AgentView['modelRule'], string>> = {
  call: 'named by the call',
  'coding-model': 'runners.loop.coding_model',
  'default-model': 'defaults.model',
  'first-served': '',
};

/** Which model a job of a definition asks for, and what says so. Its name is in it as it came. */
export function agentModelText({
  model,
  modelRule,
}: Pick<AgentView, 'model' | 'modelRule'>): string {
  return model === null ? 'the first served model' : `${model} (${RULES[modelRule]})`;
}
