import { AsyncQueue } from '../../../base/asyncQueue.ts';
import { BridgeError } from '../../../base/bridgeError.ts';
import type { RunnerEnd, RunnerEvent, RunnerSession } from '../runner.ts';
import type { LoopOptions } from './loopOptions.ts';
import { LoopRound } from './loopRound.ts';
import { streamMessage } from './streamMessage.ts';

/** One round of the bridge's own agent loop: a task, turns of the model with tools between them, an end. */
export function runLoop(options: LoopOptions): RunnerSession {
  const events = new AsyncQueue<RunnerEvent>();
  const stopped = new AbortController();
  let reason: 'cancelled' | 'timeout' | 'lost' | null = null;
  const round = new LoopRound(options, stopped.signal, (event) => events.push(event));

  const finish = async (): Promise<void> => {
    let end: RunnerEnd;
    try {
      end = await round.run();
    } catch (error) {
      const problem = BridgeError.from(error);
      if (problem.kind === 'internal')
        events.push({ type: 'stderr', line: problem.stack ?? problem.message });
      end = round.failed(problem);
    }
    if (reason !== null) end = { ...end, failure: stopFailure(reason) };
    events.push({ type: 'raw', value: streamMessage.ended(end) });
    events.push({ type: 'end', end });
    events.close();
  };
  const finished = finish();

  return {
    events,
    stop: async (why) => {
      reason ??= why;
      stopped.abort();
      await finished;
    },
  };
}

function stopFailure(reason: 'cancelled' | 'timeout' | 'lost'): RunnerEnd['failure'] {
  return { kind: reason, message: 'The job was ended from outside.', hint: '' };
}
