import type { BridgeApi } from '../../server/bridgeApi.ts';
import { type Command, CONFIG_OPTION } from '../command.ts';
import { textOption } from '../optionReaders.ts';

const POLL_MS = 500;

export const admit: Command = {
  usage: 'admit',
  description:
    'Starts waiting jobs until none waits or the process of a job lives, which goes on with it. A server that leaves while\njobs wait starts this; there is no need to call it.',
  minPositionals: 0,
  maxPositionals: 0,
  options: { config: CONFIG_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge(textOption(args, 'config'));
    while (isNeeded(bridge)) {
      bridge.admit();
      await new Promise((resolve) => {
        setTimeout(resolve, POLL_MS);
      });
    }
    return 0;
  },
};

/** `starting` is no life yet: a host that never comes up leaves the queue to us. */
function isNeeded(bridge: BridgeApi): boolean {
  if (bridge.isQueueOrphaned) return true;
  const starting = bridge.list({ statuses: ['starting'] });
  const running = bridge.list({ statuses: ['running', 'gating'] });
  return starting.length > 0 && running.length === 0;
}
