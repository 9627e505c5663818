import { Agent } from 'undici';
import type { WireFormat } from '../../src/bridge/endpoints/endpointTarget.ts';
import { Conversation } from '../../src/bridge/runners/loop/conversation.ts';
import { Deadline } from '../../src/bridge/runners/loop/deadline.ts';
import { type LoopClock, SYSTEM_CLOCK } from '../../src/bridge/runners/loop/loopClock.ts';
import type { LoopOptions } from '../../src/bridge/runners/loop/loopOptions.ts';
import type { LoopPlace } from '../../src/bridge/runners/loop/loopPlace.ts';
import { LoopTotals } from '../../src/bridge/runners/loop/loopTotals.ts';
import { runLoop } from '../../src/bridge/runners/loop/runLoop.ts';
import type { ToolBox, ToolOutcome } from '../../src/bridge/runners/loop/tools/toolTypes.ts';
import type { TurnTrace } from '../../src/bridge/runners/loop/wire/turnTypes.ts';
import type { RunnerEnd, RunnerEvent } from '../../src/bridge/runners/runner.ts';

export type ToolAnswer = (
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => ToolOutcome | Promise<ToolOutcome>;

/** Tools whose answers the test says; one that it did not name is an error of the test. */
export function toolsOf(
  answers: Readonly<Record<string, ToolAnswer>>,
): ToolBox & { ran: string[] } {
  const ran: string[] = [];
  return {
    ran,
    specs: [...Object.keys(answers), 'finish'].map((name) => ({
      name,
      description: `Does ${name}.`,
      inputSchema: { type: 'object', properties: {} },
    })),
    call: async (name, input, signal) => {
      ran.push(name);
      const answer = answers[name];
      if (answer === undefined) throw new Error(`the test has no tool ${name}`);
      return answer(input, signal);
    },
  };
}

export interface RigOptions extends Partial<Omit<LoopOptions, 'place' | 'tools' | 'clock'>> {
  readonly url: string;
  readonly format: WireFormat;
  readonly tools?: ToolBox;
  readonly place?: Partial<LoopPlace>;
}

export type LoopRig = ReturnType<typeof loopRig>;

/**
 * The loop against a server of the test, over real connections. Pauses before another attempt pass at once and are noted; the deadline
 * is real unless one is given.
 */
export function loopRig(options: RigOptions) {
  const dispatcher = new Agent();
  const pauses: number[] = [];
  const traces: TurnTrace[] = [];
  const events: RunnerEvent[] = [];
  const clock: LoopClock = {
    nowMs: () => performance.now(),
    after: (delayMs, run) => {
      pauses.push(delayMs);
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    },
  };
  const deadline = options.deadline ?? new Deadline(SYSTEM_CLOCK, 60_000);
  const conversation =
    options.conversation ??
    new Conversation('You are a test.', {
      begin: () => undefined,
      message: () => undefined,
      evicted: () => undefined,
    });
  const totals = options.totals ?? new LoopTotals();
  const place: LoopPlace = {
    endpoint: 'test',
    target: {
      name: 'test',
      baseUrl: options.url,
      backend: 'other',
      format: options.format,
      headers: {},
      dispatcher,
    },
    model: 'm',
    format: options.format,
    contextWindow: 100_000,
    maxTokens: 1000,
    hasCacheMarks: false,
    resendsReasoning: false,
    ...options.place,
  };
  const start = (task = options.task ?? 'Do it.') =>
    runLoop({
      sessionId: 'session',
      conversation,
      totals,
      deadline,
      random: () => 0.5,
      maxTurns: 25,
      maxNudges: 1,
      turnTimeoutMs: 30_000,
      idleTimeoutMs: 30_000,
      effort: null,
      isStreaming: true,
      hasOwnTree: false,
      onActivity: () => undefined,
      onRequest: (_request, trace) => traces.push(trace),
      ...options,
      tools: options.tools ?? toolsOf({}),
      task,
      clock,
      place,
    });
  const drain = async (session: ReturnType<typeof start>): Promise<RunnerEnd> => {
    let end: RunnerEnd | null = null;
    for await (const event of session.events) {
      events.push(event);
      if (event.type === 'end') end = event.end;
    }
    if (end === null) throw new Error('no end came');
    return end;
  };
  return {
    conversation,
    totals,
    place,
    pauses,
    traces,
    events,
    dispatcher,
    start,
    drain,
    run: async (task?: string): Promise<RunnerEnd> => drain(start(task)),
    dispose: async (): Promise<void> => {
      deadline.dispose();
      await dispatcher.destroy();
    },
  };
}
