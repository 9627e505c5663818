import { join } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { modelFacts } from '../config/modelFacts.ts';
import { redactor } from '../config/secrets.ts';
import { startGateway, type Gateway } from '../bridge/gateway/startGateway.ts';
import type { RequestRecord } from '../bridge/gateway/requestRecord.ts';
import { jobDir } from '../bridge/jobs/jobPaths.ts';
import { findProgram } from '../bridge/processes/findProgram.ts';
import { startClaudeCode } from '../bridge/runners/claudeCode/startClaudeCode.ts';
import type { RunnerEnd } from '../bridge/runners/runner.ts';
import { toWire } from '../protocol/keys.ts';
import { untrustedProjectSettings } from '../bridge/projectSettings.ts';
import { EndpointNotes } from './endpointNotes.ts';
import type { JobSession, SessionDeps } from './jobSession.ts';
import { requestSpeed } from './requestSpeed.ts';

const GATEWAY_IDLE_MARGIN_MS = 10_000;

/** Without the project's settings Claude Code does not read its CLAUDE.md either, which is only text. */
const READ_INSTRUCTIONS =
  'If the project has a CLAUDE.md in its top folder, read it first: it holds the instructions for work on this project.';

/** The sessions of one job on one endpoint: the gateway lives as long as the job, each round is a session of its own. */
export class SessionRun implements JobSession {
  readonly #deps: SessionDeps;
  readonly #notes: EndpointNotes;
  #gateway: Gateway | null = null;
  #lastRequest: RequestRecord | null = null;
  #program: string | null = null;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    const { context, endpoint, job } = deps;
    this.#notes = new EndpointNotes(context.store, endpoint, job.spec.servedModel);
  }

  /** Requests that the gateway carried to the endpoint: the proof of where the job ran. */
  get requests(): number {
    return this.#gateway?.requests ?? 0;
  }

  get modelServed(): string | null {
    return this.#gateway?.modelServed() ?? null;
  }

  async prepare(): Promise<void> {
    const { context, endpoint, runCwd } = this.#deps;
    const { bin } = endpoint.config.config.runners['claude-code'];
    this.#program = await findProgram(bin, context.env, runCwd);
    if (this.#program === null) throw missingProgram(bin, context.env['PATH']);
  }

  async run(task: string, resumeSessionId: string | null): Promise<RunnerEnd> {
    const { context, job, guard, progress, stop, endpoint, runCwd } = this.#deps;
    const { config } = endpoint.config;
    const { request, timeoutS } = job.spec;
    if (this.#program === null) throw new BridgeError('internal', 'The session was not prepared.');
    const gateway = await this.#openGateway();
    const readOnly = job.record.readOnly;
    const settingSources = this.#settingSources();
    const isProjectLeftOut =
      config.defaults.setting_sources.includes('project') && !settingSources.includes('project');
    const session = startClaudeCode({
      jobId: job.record.id,
      jobDir: jobDir(context.stateDir, job.record.id),
      guard,
      program: this.#program,
      cwd: runCwd,
      env: context.env,
      task,
      session: {
        model: job.spec.servedModel,
        gatewayUrl: gateway.url,
        contextWindow: endpoint.contextWindow,
        maxOutputTokens:
          request.maxTokens ?? modelFacts(config.models, job.spec.servedModel).max_tokens ?? null,
        isReadOnly: readOnly,
        isLocalOnly: job.record.policy === 'local-only',
        permissionMode: request.permissionMode ?? config.defaults.permission_mode,
        allowedTools: request.allowedTools ?? config.defaults.allowed_tools,
        disallowedTools: config.defaults.disallowed_tools,
        settingSources,
        maxTurns: request.maxTurns ?? config.defaults.max_turns,
        effort: request.effort ?? null,
        systemPromptAppend: [
          config.defaults.system_prompt_append,
          request.systemPromptAppend ?? '',
          isProjectLeftOut ? READ_INSTRUCTIONS : '',
        ]
          .filter((part) => part.trim() !== '')
          .join('\n\n'),
        resumeSessionId,
        claudeConfigDir: join(context.stateDir, 'claude'),
        extraEnv: endpoint.resolved.sessionEnv,
        timeoutMs: timeoutS * 1000,
      },
    });
    let end: RunnerEnd | null = null;
    const onStop = (): void => {
      const status = stop.stop?.status ?? 'cancelled';
      void session.stop(status === 'failed' ? 'lost' : status);
    };
    if (stop.signal.aborted) onStop();
    else stop.signal.addEventListener('abort', onStop, { once: true });
    for await (const event of session.events) {
      if (event.type !== 'stderr') stop.activity();
      if (event.type === 'end') {
        // What the requests used is the gateway's to say: for what no server reported the program says 0.
        end = { ...event.end, usage: gateway.usage() };
        progress.onEvent({ ...event, end });
      } else progress.onEvent(event);
    }
    stop.signal.removeEventListener('abort', onStop);
    progress.flush();
    if (end === null) throw new BridgeError('internal', 'The session gave no end.');
    if (end.failure !== null) this.#noteFailure();
    return end;
  }

  async close(): Promise<void> {
    // Its counts stay readable: they go on the receipt.
    await this.#gateway?.close();
  }

  /**
   * Hooks and permissions that a project brings along count only when a person has trusted them as they are. Claude Code ties
   * CLAUDE.md to the same sources (tried with 2.1.332), so without trust it is not read either.
   */
  #settingSources(): readonly string[] {
    const { context, job, progress, endpoint, runCwd } = this.#deps;
    const sources = endpoint.config.config.defaults.setting_sources;
    const untrusted = untrustedProjectSettings(context.trust, {
      runCwd,
      treeRoot: this.#deps.treeRoot,
      repoRoot: job.spec.repoRoot,
    });
    if (untrusted.length === 0) return sources;
    const warning =
      `Not used, because nobody has trusted it: ${untrusted.join(', ')}. Claude Code then leaves out CLAUDE.md too. ` +
      '"delegate trust" in the project allows both.';
    progress.change((record) =>
      record.warnings.includes(warning)
        ? record
        : { ...record, warnings: [...record.warnings, warning] },
    );
    return sources.filter((source) => source === 'user');
  }

  async #openGateway(): Promise<Gateway> {
    if (this.#gateway !== null) return this.#gateway;
    const { endpoint, log, stop, job } = this.#deps;
    const { defaults } = endpoint.config.config;
    const { target } = endpoint.resolved;
    this.#gateway = await startGateway({
      upstream: {
        baseUrl: target.baseUrl,
        headers: target.headers,
        dispatcher: target.dispatcher,
        tokenizePath: endpoint.probe.hasTokenize ? '/tokenize' : null,
      },
      contextWindow: endpoint.contextWindow,
      record: (record) => this.#onRequest(record),
      ...(defaults.dump_requests ? { dump: (body: string) => log.fullRequest({ body }) } : {}),
      redact: redactor(endpoint.resolved.secretValues),
      onActivity: () => stop.activity(),
      // The limit of the job decides; this one is for a request that nobody waits for any more.
      idleTimeoutMs: job.spec.idleTimeoutS * 1000 + GATEWAY_IDLE_MARGIN_MS,
      totalTimeoutMs: null,
    });
    return this.#gateway;
  }

  /** Claude Code tries again by itself: the endpoint has failed when the session ended with a request that did. */
  #noteFailure(): void {
    const { stop } = this.#deps;
    const last = this.#lastRequest;
    if (last === null || stop.signal.aborted) return;
    const { status, error } = last;
    if (error === null && (status === null || status < 400)) return;
    const isLimit = status === 429 || status === 529;
    this.#notes.failed({
      kind: isLimit ? 'rate_limited' : (error?.kind ?? 'backend_error'),
      status,
      retryAfterS: last.retryAfterS,
      isRetried: false,
    });
  }

  #onRequest(request: RequestRecord): void {
    const { log, progress, stop } = this.#deps;
    stop.activity();
    log.request(toWire(request));
    this.#lastRequest = request;
    if (request.error === null && request.status === 200) this.#notes.answered();
    // The session tries again by itself; the pause that the endpoint asked for holds for other jobs as well.
    if (request.retryAfterS !== null && (request.status ?? 0) >= 400)
      this.#notes.failed({
        kind: 'rate_limited',
        status: request.status,
        retryAfterS: request.retryAfterS,
        isRetried: true,
      });
    if (request.status !== null && request.status >= 400) {
      const message = request.error?.message ?? request.contextExceeded ?? '';
      log.transcript(`[backend ${request.status}] ${message}`);
      log.event('backend', { status: request.status, message });
    }
    const used = this.#gateway?.contextUsed() ?? null;
    const usage = this.#gateway?.usage() ?? null;
    const speed = requestSpeed(request);
    progress.change((record) => ({
      ...record,
      usage: usage ?? record.usage,
      context: { ...record.context, used: used ?? record.context.used },
      speedTps: speed ?? record.speedTps,
      modelServed: this.#gateway?.modelServed() ?? record.modelServed,
      proof: { requests: this.requests, endpoint: record.endpoint ?? '' },
    }));
  }
}

function missingProgram(bin: string, path: string | undefined): BridgeError {
  return new BridgeError(
    'runner_missing',
    `The program ${bin} was not found. PATH is ${path ?? 'empty'}.`,
    {
      hint: 'Install Claude Code (npm install -g @anthropic-ai/claude-code), set runners.claude-code.bin to its path, or use the runner loop, which needs none.',
    },
  );
}
