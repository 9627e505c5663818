import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { expandHome } from '../config/paths.ts';
import { readAgent } from '../bridge/agents/readAgent.ts';
import { PrefixMeter } from '../bridge/gateway/prefixMeter.ts';
import { jobDir } from '../bridge/jobs/jobPaths.ts';
import { Conversation } from '../bridge/runners/loop/conversation.ts';
import { Deadline } from '../bridge/runners/loop/deadline.ts';
import { HistoryFile, readHistory } from '../bridge/runners/loop/historyFile.ts';
import { SYSTEM_CLOCK } from '../bridge/runners/loop/loopClock.ts';
import type { LoopActivity } from '../bridge/runners/loop/loopOptions.ts';
import type { LoopPlace } from '../bridge/runners/loop/loopPlace.ts';
import { LoopTotals } from '../bridge/runners/loop/loopTotals.ts';
import { runLoop } from '../bridge/runners/loop/runLoop.ts';
import { isSamePrompt, systemPrompt } from '../bridge/runners/loop/systemPrompt.ts';
import type { ToolBox } from '../bridge/runners/loop/tools/toolTypes.ts';
import type { TurnFailure } from '../bridge/runners/loop/turnFailure.ts';
import type { TurnRequest, TurnTrace } from '../bridge/runners/loop/wire/turnTypes.ts';
import type { RunnerEnd } from '../bridge/runners/runner.ts';
import { toWire } from '../protocol/keys.ts';
import { EndpointNotes } from './endpointNotes.ts';
import type { JobSession, SessionDeps } from './jobSession.ts';
import { LoopMoves } from './loopMoves.ts';
import { loopPlaceOf } from './loopPlaceOf.ts';
import { openLoopTools } from './openLoopTools.ts';
import { turnRecord } from './turnRecord.ts';
import { requestSpeed } from './requestSpeed.ts';

const HISTORY_FILE = 'history.jsonl';
/** What a watcher reads while an answer comes; tools and pauses have words of their own. */
const ANSWERING: Readonly<Record<LoopActivity, string | null>> = {
  text: 'answering',
  thinking: 'thinking',
  call: 'writing a tool call',
  tool: null,
  pause: null,
};
const INSTRUCTIONS = ['CLAUDE.md', 'AGENTS.md'];

/** A job of the bridge's own loop: the same history over all rounds, kept for a resume. */
export class LoopSession implements JobSession {
  readonly #deps: SessionDeps;
  readonly #totals = new LoopTotals();
  readonly #prefix = new PrefixMeter();
  readonly #maxTurns: number;
  readonly #moves: LoopMoves;
  #place: LoopPlace;
  #notes: EndpointNotes;
  #tools: ToolBox | null = null;
  #conversation: Conversation | null = null;
  #deadline: Deadline | null = null;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    const { servedModel, request } = deps.job.spec;
    this.#moves = new LoopMoves(deps);
    this.#place = loopPlaceOf(deps.endpoint, servedModel, request);
    this.#notes = new EndpointNotes(deps.context.store, deps.endpoint, servedModel);
    const { max_turns: usual, hard_max_turns: most } = this.#settings;
    this.#maxTurns = Math.min(deps.job.spec.request.maxTurns ?? usual, most);
  }

  get requests(): number {
    return this.#totals.requests;
  }

  get modelServed(): string | null {
    return this.#totals.modelServed;
  }

  /** All jobs of a conversation have the id of the first. */
  get #sessionId(): string {
    const { record, spec } = this.#deps.job;
    return spec.resume?.sessionId ?? record.id;
  }

  get #settings() {
    return this.#deps.endpoint.config.config.runners.loop;
  }

  async prepare(): Promise<void> {
    const { context, job, progress, runCwd, endpoint } = this.#deps;
    const { request } = job.spec;
    const { defaults } = endpoint.config.config;
    const agent =
      request.agent === undefined
        ? null
        : readAgent(request.agent, {
            folder: job.record.cwd,
            agentsDir: expandHome(this.#settings.agents_dir, context.homeDir),
          });
    const tools = await openLoopTools(this.#deps, agent);
    this.#tools = tools;
    const system = systemPrompt({
      agent,
      tools: tools.specs,
      cwd: runCwd,
      maxTurns: this.#maxTurns,
      isReadOnly: job.record.readOnly,
      append: [defaults.system_prompt_append, request.systemPromptAppend ?? ''],
      instructionsFile: INSTRUCTIONS.find((name) => existsSync(join(runCwd, name))) ?? null,
    });
    this.#conversation = this.#openConversation(system);
    // At once: whatever ends the job from here on, what was said can be gone on with.
    progress.update((record) => ({ ...record, sessionId: this.#sessionId }));
    if (request.maxTurns !== undefined && request.maxTurns > this.#maxTurns) {
      const warning = `max_turns was lowered from ${request.maxTurns} to ${this.#maxTurns} (runners.loop.hard_max_turns).`;
      progress.change((record) => ({ ...record, warnings: [...record.warnings, warning] }));
    }
  }

  async run(task: string): Promise<RunnerEnd> {
    const { job, progress, stop } = this.#deps;
    if (this.#conversation === null || this.#tools === null)
      throw new BridgeError('internal', 'The session was not prepared.');
    this.#deadline ??= new Deadline(SYSTEM_CLOCK, this.#limitMs());
    const session = runLoop({
      sessionId: this.#sessionId,
      task,
      conversation: this.#conversation,
      totals: this.#totals,
      place: this.#place,
      tools: this.#tools,
      deadline: this.#deadline,
      clock: SYSTEM_CLOCK,
      random: Math.random,
      maxTurns: this.#maxTurns,
      maxNudges: this.#settings.nudges,
      turnTimeoutMs: this.#settings.turn_timeout_s * 1000,
      idleTimeoutMs: job.spec.idleTimeoutS * 1000,
      effort: job.spec.request.effort ?? null,
      isStreaming: this.#settings.streaming,
      hasOwnTree: job.record.isolation === 'worktree',
      onActivity: (what) => {
        stop.activity();
        const words = ANSWERING[what];
        if (words !== null) progress.active(words);
      },
      onRequest: (request, trace) => this.#onRequest(request, trace),
      onFailure: (failure, isRetried) => this.#onFailure(failure, isRetried),
      onLearnt: (place) => {
        this.#place = place;
        progress.change((record) => ({
          ...record,
          context: { ...record.context, window: place.contextWindow },
        }));
      },
      failover: (problem) => this.#failover(problem),
    });
    const onStop = (): void => {
      const status = stop.stop?.status ?? 'cancelled';
      void session.stop(status === 'failed' ? 'lost' : status);
    };
    if (stop.signal.aborted) onStop();
    else stop.signal.addEventListener('abort', onStop, { once: true });
    let end: RunnerEnd | null = null;
    for await (const event of session.events) {
      stop.activity();
      if (event.type === 'end') end = event.end;
      progress.onEvent(event);
    }
    stop.signal.removeEventListener('abort', onStop);
    progress.flush();
    if (end === null) throw new BridgeError('internal', 'The session gave no end.');
    if (end.failure?.kind === 'timeout' && !this.#deadline.hasSliceAfter(0))
      stop.raise({ status: 'timeout', failure: end.failure });
    return end;
  }

  async close(): Promise<void> {
    this.#deadline?.dispose();
    await this.#moves.close();
  }

  /** The job's own limit when the call gave one, else that of the runner; never more than what the host allows. */
  #limitMs(): number {
    const { request, timeoutS } = this.#deps.job.spec;
    return Math.min(request.timeoutS ?? this.#settings.dispatch_timeout_s, timeoutS) * 1000;
  }

  /** A resumed job goes on with everything that was said. */
  #openConversation(system: string): Conversation {
    const { context, job, redact, onFull } = this.#deps;
    const sink = new HistoryFile(
      join(jobDir(context.stateDir, job.record.id), HISTORY_FILE),
      redact,
      onFull,
    );
    const { resume } = job.spec;
    if (resume === null) return new Conversation(system, sink);
    const kept = readHistory(join(jobDir(context.stateDir, resume.jobId), HISTORY_FILE));
    if (kept === null) {
      throw new BridgeError(
        'wrong_state',
        `What was said in the job ${resume.jobId} is not there any more, or another runner ran it.`,
        { hint: 'Delegate the task again.' },
      );
    }
    // Another prompt would cost the server all that it has kept of the conversation.
    const goesOn = isSamePrompt(kept.system, system) ? kept.system : system;
    return new Conversation(goesOn, sink, kept.messages);
  }

  #onFailure({ error, retryAfterS }: TurnFailure, isRetried: boolean): void {
    const status = error.details['status'];
    this.#notes.failed({
      kind: error.kind,
      status: typeof status === 'number' ? status : null,
      retryAfterS,
      isRetried,
    });
  }

  async #failover(problem: BridgeError): Promise<LoopPlace | null> {
    const moved = await this.#moves.next(problem);
    if (moved === null) return null;
    this.#place = moved.place;
    this.#notes = new EndpointNotes(this.#deps.context.store, moved.endpoint, moved.place.model);
    return moved.place;
  }

  #onRequest(request: TurnRequest, trace: TurnTrace): void {
    const { log, progress, stop } = this.#deps;
    stop.activity();
    const record = turnRecord(this.#place, request, trace, this.#prefix);
    log.request(toWire(record));
    if (trace.error === null) this.#notes.answered();
    else {
      log.transcript(`[backend ${trace.status ?? '-'}] ${trace.error}`);
      log.event('backend', { status: trace.status, message: trace.error });
    }
    const { usage, contextUsed, modelServed, requests } = this.#totals;
    const speed = requestSpeed(record);
    progress.change((present) => ({
      ...present,
      usage,
      context: { ...present.context, used: contextUsed ?? present.context.used },
      speedTps: speed ?? present.speedTps,
      modelServed: modelServed ?? present.modelServed,
      proof: requests === 0 ? null : { requests, endpoint: present.endpoint ?? '' },
    }));
  }
}
