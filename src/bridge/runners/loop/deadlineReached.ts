import { BridgeError } from '../../../base/bridgeError.ts';
import type { Deadline } from './deadline.ts';

/** The end of a job that has used its time, or has too little left for another attempt. */
export function deadlineReached({ limitMs }: Pick<Deadline, 'limitMs'>): BridgeError {
  return new BridgeError(
    'timeout',
    `The job reached its time limit of ${Math.round(limitMs / 1000)} s.`,
    {
      hint: 'Raise timeout_s or runners.loop.dispatch_timeout_s, or split the task. What it did is kept.',
    },
  );
}
