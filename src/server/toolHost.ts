import { resolve } from 'node:path';
import type * as z from 'zod';
import { BridgeError } from '../base/bridgeError.ts';
import type { Caller } from '../bridge/bridgeTypes.ts';
import { toWire } from '../protocol/keys.ts';
import { noModelProvenance } from '../protocol/mcpProvenance.ts';
import { boundAnswer, boundText, MAX_ANSWER_BYTES } from './boundAnswer.ts';
import type { BridgeApi } from './bridgeApi.ts';
import type { LazyBridge } from './lazyBridge.ts';
import { type CallScope, type CallToolResult, protocolError, type ToolListing } from './mcpSdk.ts';
import { ProgressReporter } from './progressReporter.ts';
import type { ServerLog } from './serverLog.ts';
import type { Tool, ToolAnswer } from './tool.ts';
import { ToolSchemas } from './toolSchemas.ts';

/**
 * `nested`: `{error: {kind, message, hint}}`. `flat`: `{error: kind, message, hint}`. `text`: `{success: false, error: sentence}`, and
 * no error of the protocol: clients of that profile look at `success`.
 */
export type ErrorShape = 'nested' | 'flat' | 'text';

export interface ToolHostOptions {
  readonly tools: readonly Tool[];
  /** Tools that exist and are not offered in restricted mode. */
  readonly withheld: readonly Tool[];
  readonly bridge: LazyBridge;
  readonly caller: () => Caller;
  readonly defaultCwd: () => Promise<string>;
  readonly progressIntervalMs: number;
  readonly log: ServerLog;
  readonly now: () => Date;
  readonly errorShape: ErrorShape;
  /** `bounded`: for a model's window, text and all. `whole`: for a program, which reads the structured content and asks page by page. */
  readonly answerSize: 'bounded' | 'whole';
}

/** Lists the tools and runs their calls: parses arguments, turns errors into values, says what is wrong in the configuration, bounds the size. */
export class ToolHost {
  readonly #options: ToolHostOptions;
  readonly #abandoned = new Set<Promise<unknown>>();

  constructor(options: ToolHostOptions) {
    this.#options = options;
  }

  list(): ToolListing[] {
    const schemas = new ToolSchemas();
    return this.#options.tools.map((tool) => toListing(tool, schemas));
  }

  /** Rejects with a protocol error for an unknown tool or arguments that do not match its schema; else every outcome is a value. */
  async call(
    name: string,
    args: Record<string, unknown>,
    scope: CallScope,
  ): Promise<CallToolResult> {
    const tool = this.#options.tools.find((known) => known.name === name);
    if (tool === undefined) {
      if (this.#options.withheld.some((known) => known.name === name))
        return this.#restricted(name);
      throw protocolError(`There is no tool "${name}" here.`);
    }
    const parsed = tool.input.safeParse(args);
    if (!parsed.success) {
      throw protocolError(
        `Arguments of ${name} do not match its schema. ${describe(parsed.error)}`,
      );
    }
    const { answer, config } = await this.#run(tool, parsed.data, scope);
    return this.#toResult(answer, config);
  }

  /** Resolves when the work of calls that are gone is done. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#abandoned);
  }

  async #run(tool: Tool, args: Record<string, unknown>, scope: CallScope) {
    const { caller, defaultCwd, now, progressIntervalMs, log } = this.#options;
    const progress = new ProgressReporter(scope.sendProgress, progressIntervalMs, now);
    let config: ConfigNotice = {};
    try {
      const bridge = await this.#options.bridge.get();
      const cwd = await defaultCwd();
      config = await configNotice(
        bridge,
        resolve(cwd, typeof args['cwd'] === 'string' ? args['cwd'] : '.'),
      );
      const answer = await tool.run(args, {
        bridge,
        caller: caller(),
        defaultCwd: cwd,
        now,
        signal: scope.signal,
        reportProgress: (jobs) => progress.report(jobs),
        reportText: (text) => progress.reportText(text),
        onAbandoned: (work) => this.#keep(tool.name, work),
      });
      return { answer, config: withProblems(config, answer.problems) };
    } catch (error) {
      const known = BridgeError.from(error);
      if (known.kind === 'internal') log.write('error', tool.name, known.message);
      return { answer: errorAnswer(tool.name, known), config };
    } finally {
      progress.dispose();
    }
  }

  #restricted(name: string): CallToolResult {
    const error = new BridgeError('restricted', `${name} is not available in restricted mode.`, {
      hint: 'Trust the workspace first; until then jobs and endpoints can only be looked at.',
    });
    return this.#toResult(errorAnswer(name, error), {});
  }

  #keep(toolName: string, work: Promise<unknown>): void {
    const kept = work
      .catch((error: unknown) =>
        this.#options.log.write('warning', toolName, BridgeError.from(error).message),
      )
      .finally(() => this.#abandoned.delete(kept));
    this.#abandoned.add(kept);
  }

  #toResult(answer: ToolAnswer, config: ConfigNotice): CallToolResult {
    const { errorShape, answerSize } = this.#options;
    return answerSize === 'whole'
      ? wholeResult(answer, config, errorShape)
      : toResult(answer, config, errorShape);
  }
}

interface ConfigNotice {
  readonly config_stale?: boolean;
  readonly problems?: unknown;
}

/** Nothing when all is well, so that good answers stay short. */
async function configNotice(bridge: BridgeApi, cwd: string): Promise<ConfigNotice> {
  const state = await bridge.configState(cwd);
  if (!state.configStale && state.problems.length === 0) return {};
  return { config_stale: state.configStale, problems: toWire(state.problems) };
}

/** A tool that has asked the endpoints knows more than the files show. */
function withProblems(config: ConfigNotice, problems: ToolAnswer['problems']): ConfigNotice {
  if (problems === undefined || problems.length === 0) return config;
  return { config_stale: config.config_stale ?? false, problems: toWire(problems) };
}

function errorAnswer(toolName: string, error: BridgeError): ToolAnswer {
  return {
    provenance: noModelProvenance(`${toolName} did not succeed: ${error.kind}`),
    fields: {},
    error: { ...error.details, kind: error.kind, message: error.message, hint: error.hint },
  };
}

function toResult(
  answer: ToolAnswer,
  config: ConfigNotice,
  errorShape: ErrorShape,
): CallToolResult {
  const { provenance, error, resourceUri } = answer;
  const errors = error === undefined ? {} : errorFields(error, errorShape);
  // First, because it is what matters; last, because it wins over a field of the same name.
  const bounded = boundAnswer({ ...errors, ...answer.fields, ...errors, ...config });
  const structured = {
    // First: Claude Code shows its model the structured content and not the text.
    provenance,
    ok: error === undefined,
    ...bounded.fields,
    ...(bounded.isTruncated ? { truncated: true } : {}),
    ...(bounded.isTruncated && resourceUri !== undefined ? { resource: resourceUri } : {}),
  };
  const body =
    answer.text === undefined
      ? JSON.stringify(structured, withoutProvenance, 1)
      : withNotice(answer.text, config);
  const rest =
    resourceUri === undefined ? 'ask for less' : `the whole is the resource ${resourceUri}`;
  const text = boundText(`${provenance}\n${body}`, MAX_ANSWER_BYTES, rest);
  const isCut = bounded.isTruncated || text.endsWith(`${rest}]`);
  return {
    content: [
      { type: 'text', text },
      ...(isCut && resourceUri !== undefined
        ? [
            {
              type: 'resource_link' as const,
              uri: resourceUri,
              name: resourceUri.replace('delegate://', ''),
            },
          ]
        : []),
    ],
    structuredContent: structured,
    ...(error === undefined || errorShape === 'text' ? {} : { isError: true }),
  };
}

/** Nobody reads the text of this one, so it is the provenance alone. */
function wholeResult(
  answer: ToolAnswer,
  config: ConfigNotice,
  errorShape: ErrorShape,
): CallToolResult {
  const { provenance, error, fields } = answer;
  const errors = error === undefined ? {} : errorFields(error, errorShape);
  return {
    content: [{ type: 'text', text: provenance }],
    structuredContent: { provenance, ok: error === undefined, ...fields, ...errors, ...config },
    ...(error === undefined ? {} : { isError: true }),
  };
}

function errorFields(
  error: NonNullable<ToolAnswer['error']>,
  shape: ErrorShape,
): Record<string, unknown> {
  if (shape === 'nested') return { error };
  const { kind, ...rest } = error;
  if (shape === 'flat') return { ...rest, error: kind };
  const { message, hint, ...more } = rest;
  return { ...more, success: false, error: [message, hint].join(' ').trim(), error_kind: kind };
}

function withoutProvenance(key: string, value: unknown): unknown {
  return key === 'provenance' ? undefined : value;
}

function withNotice(text: string, config: ConfigNotice): string {
  if (config.problems === undefined) return text;
  return `${text}\n\nThe configuration has problems: ${JSON.stringify(config, null, 1)}`;
}

function toListing(tool: Tool, schemas: ToolSchemas): ToolListing {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: schemas.of(tool.input),
    outputSchema: schemas.of(tool.output),
    annotations: {
      title: tool.title,
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'destructive',
      idempotentHint: tool.isIdempotent,
    },
  };
}

function describe(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) =>
      issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`,
    )
    .join('; ');
}
