import type { BridgeError } from '../../../base/bridgeError.ts';
import type { Failure } from '../../../protocol/job.ts';
import type { RunnerEnd, RunnerEvent } from '../runner.ts';
import { countdown } from './countdown.ts';
import type { ToolCallBlock, ToolResult } from './history.ts';
import { judgeEnd, type EndVerdict } from './judgeEnd.ts';
import { keepAlive } from './keepAlive.ts';
import type { LoopOptions } from './loopOptions.ts';
import { runCalls } from './runCalls.ts';
import { reportOf } from './reportOf.ts';
import { streamMessage } from './streamMessage.ts';
import { TurnAsker } from './turnAsker.ts';
import type { TurnAnswer } from './wire/turnTypes.ts';

const FINISH = 'finish';
const FINISHED = 'The report was taken.';

const NUDGES: Readonly<Record<'empty' | 'announcement' | 'nothing_done', string>> = {
  empty: 'Your answer was empty. If the task is done, report it; otherwise go on with a tool call.',
  announcement:
    'You said what you are going to do, and ended without a tool call. Do it now; nobody will answer you. If the task is done and checked, say so.',
  nothing_done:
    'You ended without having changed or run anything. If the task needs that, do it now with the tools. If it does not, say only that your report stands.',
};

/** One round, from the task to the end. All endings have one shape: text, turns and usage are kept whatever went wrong. */
export class LoopRound {
  readonly #options: LoopOptions;
  readonly #asker: TurnAsker;
  readonly #emit: (event: RunnerEvent) => void;
  /** Aborted by a stop or by the deadline. */
  readonly #signal: AbortSignal;
  #turn = 0;
  #nudges = 0;
  #wroteFiles = 0;
  #commands = 0;
  /** Text of the newest answer that had any. */
  #lastText: string | null = null;
  /** The answer that counts as the result, once there is one. */
  #report: string | null = null;
  /** Tools were run since the report. */
  #hasWorkedSince = false;

  constructor(options: LoopOptions, stopped: AbortSignal, emit: (event: RunnerEvent) => void) {
    this.#options = options;
    this.#emit = emit;
    this.#signal = AbortSignal.any([stopped, options.deadline.signal]);
    this.#asker = new TurnAsker(options, this.#signal, emit);
  }

  async run(): Promise<RunnerEnd> {
    const { conversation, totals, maxTurns, sessionId, place } = this.#options;
    this.#emit({ type: 'session', sessionId, model: place.model });
    this.#emit({ type: 'raw', value: streamMessage.began(sessionId, place.model) });
    conversation.addUser(this.#options.task);
    for (;;) {
      this.#turn += 1;
      totals.turns += 1;
      this.#emit({ type: 'turn', turns: totals.turns });
      const asked = await this.#asker.ask();
      if (asked.failure !== null) return this.failed(asked.failure);
      const { answer } = asked;
      const calls = this.#take(answer);
      const report = finishReport(calls);
      if (calls.length === 0) {
        const verdict = this.#judge(answer);
        if (verdict.kind !== 'nudge') return this.#endOfText(answer, verdict);
        this.#nudge(verdict.why);
        continue;
      }
      if (this.#turn >= maxTurns && !(report !== null && calls.length === 1))
        return this.#turnLimit(calls, report);
      await this.#runTools(calls, report !== null);
      if (report !== null) {
        this.#setReport(report);
        return this.#end(null, 'finish');
      }
      if (this.#signal.aborted) return this.failed(this.#asker.endedEarly());
    }
  }

  /** The end of a round that something stopped. */
  failed(problem: BridgeError): RunnerEnd {
    const { kind, message, hint } = problem;
    return this.#end({ kind, message, hint }, null);
  }

  /** Takes an answer into the history, and gives its calls. */
  #take(answer: TurnAnswer): ToolCallBlock[] {
    const { conversation, totals } = this.#options;
    const { place } = this.#asker;
    const { usage, contextUsed } = totals;
    this.#emit({ type: 'usage', usage, contextUsed });
    if (answer.blocks.length > 0) {
      const { blocks } = answer;
      conversation.addAssistant({
        role: 'assistant',
        endpoint: place.endpoint,
        model: place.model,
        blocks,
      });
      const value = streamMessage.answer(totals.turns, place.model, blocks);
      this.#emit({ type: 'raw', value });
    }
    const thinking = textOf(answer, 'thinking');
    if (thinking !== '') this.#emit({ type: 'thinking', text: thinking });
    const text = textOf(answer, 'text');
    if (text !== '') {
      this.#lastText = text;
      this.#emit({ type: 'assistant', text });
    }
    return answer.blocks.filter((block) => block.type === 'tool_call');
  }

  async #runTools(calls: readonly ToolCallBlock[], isFinishing: boolean): Promise<void> {
    const { tools, conversation, maxTurns, hasOwnTree } = this.#options;
    const others = calls.filter(({ name, input }) => name !== FINISH || reportOf(input) === null);
    const done = await keepAlive(
      () => this.#options.onActivity('tool'),
      () => runCalls(others, { tools, signal: this.#signal, emit: this.#emit }),
    );
    this.#wroteFiles += done.wroteFiles;
    this.#commands += done.exits.size;
    this.#hasWorkedSince ||= others.length > 0;
    const results = calls.map(
      (call): ToolResult =>
        done.results[others.indexOf(call)] ?? {
          callId: call.id,
          name: call.name,
          text: FINISHED,
          isError: false,
        },
    );
    const note = isFinishing
      ? null
      : countdown({
          turn: this.#turn,
          maxTurns,
          isChangedWorktree: hasOwnTree && this.#wroteFiles > 0,
          hasShell: tools.specs.some(({ name }) => name === 'run_bash'),
        });
    conversation.addResults(note === null ? results : withNote(results, note));
    this.#emit({ type: 'raw', value: streamMessage.results(results, done.exits) });
  }

  #judge(answer: TurnAnswer): EndVerdict {
    const { tools, maxTurns, maxNudges } = this.#options;
    const names = new Set(tools.specs.map(({ name }) => name));
    return judgeEnd({
      stopReason: answer.stopReason,
      rawStopReason: answer.rawStopReason,
      text: textOf(answer, 'text'),
      report: this.#report,
      hasThinking: answer.blocks.some((block) => block.type === 'thinking'),
      nudgesLeft: maxNudges - this.#nudges,
      turnsLeft: maxTurns - this.#turn,
      mayAct: names.has('write_file') || names.has('edit_file') || names.has('run_bash'),
      hasActed: this.#wroteFiles + this.#commands > 0,
    });
  }

  #nudge(why: 'empty' | 'announcement' | 'nothing_done'): void {
    this.#nudges += 1;
    // What was a report stays one, whatever the answer to the nudge is.
    if (why === 'nothing_done') this.#setReport(this.#lastText ?? '');
    this.#emit({ type: 'mark', text: `asked to go on (${why.replace('_', ' ')})` });
    this.#options.conversation.addUser(NUDGES[why]);
  }

  #endOfText(answer: TurnAnswer, verdict: Exclude<EndVerdict, { kind: 'nudge' }>): RunnerEnd {
    const reason = answer.rawStopReason ?? answer.stopReason;
    if (verdict.kind === 'failed') return this.#end(verdict.failure, reason);
    this.#setReport(textOf(answer, 'text'));
    return this.#end(null, reason);
  }

  /** The first report stays; one that comes after more work is added to it. */
  #setReport(text: string): void {
    const said = text.trim();
    if (said === '') return;
    if (this.#report === null) this.#report = said;
    else if (this.#hasWorkedSince && !this.#report.includes(said))
      this.#report = `${this.#report}\n\n${said}`;
    this.#hasWorkedSince = false;
  }

  #turnLimit(calls: readonly ToolCallBlock[], report: string | null): RunnerEnd {
    const wanted = [...new Set(calls.map(({ name }) => name))].sort().join(', ');
    if (report !== null) this.#setReport(report);
    return this.#end(
      {
        kind: 'incomplete',
        message: `The job used all its ${this.#options.maxTurns} turns and still wanted to run: ${wanted}.`,
        hint: 'Resume the job, raise max_turns, or split the task.',
      },
      'turn_limit_pending_tools',
    );
  }

  #end(failure: Failure | null, stopReason: string | null): RunnerEnd {
    const { totals } = this.#options;
    return {
      failure,
      text: this.#report ?? this.#lastText,
      turns: totals.turns,
      stopReason,
      usage: totals.usage,
      modelServed: totals.modelServed,
      exitCode: null,
      warnings: this.#asker.warnings,
    };
  }
}

function textOf(answer: TurnAnswer, type: 'text' | 'thinking'): string {
  return answer.blocks
    .flatMap((block) => (block.type === type && block.text.trim() !== '' ? [block.text] : []))
    .join('\n');
}

function finishReport(calls: readonly ToolCallBlock[]): string | null {
  const call = calls.find(({ name, input }) => name === FINISH && reportOf(input) !== null);
  return call === undefined ? null : reportOf(call.input);
}

function withNote(results: readonly ToolResult[], note: string): ToolResult[] {
  return results.map((result, at) =>
    at === results.length - 1 ? { ...result, text: `${result.text}\n\n${note}` } : result,
  );
}
