import type { Delegation } from './delegation.ts';

export type Step = 'what' | 'who' | 'how';
const ORDER: readonly Step[] = ['what', 'who', 'how'];

/** How a step ended, with the answers as they are then: also a step that was left by Esc has some. */
export interface StepEnd {
  readonly kind: 'next' | 'back' | 'leave';
  readonly delegation: Delegation;
}

export type Steps = Record<Step, (delegation: Delegation) => Promise<StepEnd>>;

/**
 * Walks through the steps, forth and back, until the last one is done or one is left. What was answered is kept after every step, so
 * that nothing typed is ever lost.
 *
 * @returns the answers when the last step was done, else null
 */
export async function runSteps(
  first: Delegation,
  steps: Steps,
  keep: (delegation: Delegation) => void,
  from: Step = 'what',
): Promise<Delegation | null> {
  let index = ORDER.indexOf(from);
  let delegation = first;
  for (;;) {
    const step = ORDER[index];
    if (step === undefined) return delegation;
    const end = await steps[step](delegation);
    delegation = end.delegation;
    keep(delegation);
    if (end.kind === 'leave') return null;
    index = end.kind === 'next' ? index + 1 : Math.max(0, index - 1);
  }
}
