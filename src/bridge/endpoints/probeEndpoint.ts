import { BridgeError } from '../../base/bridgeError.ts';
import { apiUrl } from './apiUrl.ts';
import { askLiteLlm, looksLikeLiteLlm } from './backends/liteLlm.ts';
import { askLlamaCpp } from './backends/llamaCpp.ts';
import { askLmStudio } from './backends/lmStudio.ts';
import { askOllama } from './backends/ollama.ts';
import { askVllm } from './backends/vllm.ts';
import { detectBackend } from './detectBackend.ts';
import { detectFormats } from './detectFormats.ts';
import type { EndpointProbe, ServedModel } from './endpointProbe.ts';
import type { Backend } from '../../config/endpointSchema.ts';
import type { EndpointTarget } from './endpointTarget.ts';
import { exchange, type Reply } from './exchange.ts';
import { explainError, explainReply, type FailureWords } from './explainFailure.ts';
import { asPositive } from './jsonValue.ts';
import type { Findings, ModelEntry, ProbeContext } from './probeContext.ts';
import { redact } from './redact.ts';
import { servedEntries } from './servedEntries.ts';

export interface ProbeOptions {
  /** For the whole probe, however many questions it takes. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Below this Claude Code compacts its conversation all the time. */
const MIN_USEFUL_CONTEXT = 128_000;

/**
 * Asks one endpoint what it is, what it serves and how busy it is. An endpoint that lists its
 * models is up: whatever goes wrong with the other questions (junk, a deadline) only leaves gaps.
 * Nothing is generated and no model is loaded.
 *
 * @throws BridgeError `cancelled` when `signal` aborts, and `config_invalid` when base_url is not a
 * URL; an endpoint that cannot be used is a result.
 */
export async function probeEndpoint(
  target: EndpointTarget,
  options: ProbeOptions,
): Promise<EndpointProbe> {
  const startedAt = performance.now();
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal =
    options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  const path = target.backend === 'anthropic' ? '/v1/models?limit=1000' : '/v1/models';
  const url = urlOf(target, path);
  const finish = (probe: Omit<EndpointProbe, 'latencyMs'>): EndpointProbe => ({
    ...probe,
    message: probe.message === null ? null : redact(probe.message, target),
    latencyMs: Math.round(performance.now() - startedAt),
  });

  let reply: Reply;
  try {
    reply = await exchange(target, { path, signal });
  } catch (error) {
    throwIfCancelled(options.signal);
    return finish(
      down(
        target,
        explainError(deadline.aborted ? deadline.reason : error, url, options.timeoutMs),
      ),
    );
  }
  const served = reply.status === 200 ? servedEntries(reply.json) : null;
  if (served === null) {
    if (target.backend === 'anthropic' && [404, 405].includes(reply.status))
      return finish(unlisted(target));
    return finish(down(target, explainReply(reply, url)));
  }

  const context: ProbeContext = {
    target,
    entries: served.entries,
    async ask(question) {
      try {
        return await exchange(target, { ...question, signal });
      } catch {
        // A part that fails leaves a gap; the endpoint has already shown that it is up.
        return null;
      }
    },
  };
  const first = detectBackend(target.backend, reply, served.entries);
  const [findings, isLiteLlm, formats] = await Promise.all([
    askBackend(first, context),
    first === 'other' ? looksLikeLiteLlm(context) : false,
    detectFormats(first, context),
  ]);
  throwIfCancelled(options.signal);
  if (findings.needsKey === true || formats.needsKey) {
    return finish(down(target, explainReply({ ...reply, status: 401, json: undefined }, url)));
  }
  const backend = isLiteLlm ? 'litellm' : (findings.backend ?? first);
  const warnings = [...served.warnings, ...(findings.warnings ?? [])];
  if (deadline.aborted) {
    warnings.push(
      `Not every question was answered within ${options.timeoutMs / 1000} s; what is missing is shown as unknown.`,
    );
  }
  return finish({
    state: 'up',
    why: null,
    message: null,
    hint: '',
    backend,
    models: describeModels(served.entries, findings),
    listsModels: true,
    slots: findings.slots ?? null,
    load: findings.load ?? null,
    hasMetrics: findings.hasMetrics ?? false,
    hasTokenize: findings.hasTokenize ?? false,
    formats: target.format === 'auto' ? formats.formats : [target.format],
    warnings,
  });
}

async function askBackend(backend: Backend, context: ProbeContext): Promise<Findings> {
  switch (backend) {
    case 'llama.cpp':
      return askLlamaCpp(context);
    case 'vllm':
      return askVllm(context);
    case 'ollama':
      return askOllama(context);
    case 'lmstudio':
      return askLmStudio(context);
    case 'litellm':
      return askLiteLlm(context);
    case 'other':
      // LM Studio leaves no mark on /v1/models; its own list answers or is not there.
      return askLmStudio(context);
    case 'bifrost':
    case 'anthropic':
    case 'openai':
      return {};
  }
}

function describeModels(
  entries: readonly ModelEntry[],
  findings: Findings,
): readonly ServedModel[] {
  const learnt = new Map(findings.models?.map((model) => [model.id, model]));
  const dropped = new Set(findings.drop);
  return entries
    .filter((entry) => !dropped.has(entry.id))
    .map((entry): ServedModel => {
      const found = learnt.get(entry.id);
      const listed = listedWindow(entry);
      const model = {
        loaded: null,
        claimsTools: null,
        remoteHost: null,
        warning: null,
        context: listed?.context ?? null,
        contextSource: listed?.source ?? null,
        ...found,
        id: entry.id,
      };
      return { ...model, warning: model.warning ?? smallWindowWarning(model.context) };
    });
}

/** Vendors and gateways name the window in their lists, each with a word of its own. */
function listedWindow(
  entry: ModelEntry,
): { readonly context: number; readonly source: string } | null {
  for (const key of [
    'max_input_tokens',
    'context_length',
    'context_window',
    'max_context_length',
  ]) {
    const context = asPositive(entry.raw[key]);
    if (context !== null) return { context, source: `/v1/models ${key}` };
  }
  return null;
}

function smallWindowWarning(context: number | null): string | null {
  if (context === null || context >= MIN_USEFUL_CONTEXT) return null;
  return `A window of ${context} tokens is under 128k: Claude Code will compact all the time; fine for plain completions.`;
}

function down(target: EndpointTarget, words: FailureWords): Omit<EndpointProbe, 'latencyMs'> {
  return { ...EMPTY, ...words, state: 'down', backend: target.backend };
}

function unlisted(target: EndpointTarget): Omit<EndpointProbe, 'latencyMs'> {
  return {
    ...EMPTY,
    state: 'up',
    backend: target.backend,
    listsModels: false,
    formats: [target.format === 'auto' ? 'anthropic' : target.format],
    warnings: ['This server does not list its models: name endpoint and model to use it.'],
  };
}

const EMPTY = {
  why: null,
  message: null,
  hint: '',
  models: [],
  listsModels: true,
  slots: null,
  load: null,
  hasMetrics: false,
  hasTokenize: false,
  formats: [],
  warnings: [],
} as const;

function urlOf(target: EndpointTarget, path: string): URL {
  try {
    return apiUrl(target.baseUrl, path);
  } catch (error) {
    throw new BridgeError('config_invalid', `base_url of ${target.name} is not a URL.`, {
      hint: 'Write it like http://127.0.0.1:8080.',
      cause: error,
    });
  }
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new BridgeError('cancelled', 'The probe was cancelled.');
}
