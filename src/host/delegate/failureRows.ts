import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import { failureFixes } from '../commands/failureFixes.ts';
import { escapeIcons } from './escapeIcons.ts';
import type { StepRow } from './stepRow.ts';

export interface CommandAct {
  readonly kind: 'command';
  readonly command: string;
}

/** Why it did not work, and where that can be mended. The draft is kept while the person is there. */
export function failureRows(error: unknown): StepRow<CommandAct>[] {
  const { kind, message, hint } = BridgeError.from(error);
  return [
    {
      icon: 'error',
      label: escapeIcons(sanitiseLine(message, 200)),
      ...(hint === '' ? {} : { detail: escapeIcons(sanitiseLine(hint, 240)) }),
      act: null,
    },
    ...failureFixes(kind).map(({ label, command }) => ({
      icon: 'arrow-right',
      label: label,
      description: 'what you typed is kept',
      act: { kind: 'command', command } as const,
    })),
  ];
}
