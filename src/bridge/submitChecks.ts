import { existsSync, statSync } from 'node:fs';
import { BridgeError } from '../base/bridgeError.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { JobRequest, RunnerName } from '../protocol/job.ts';
import type { Caller } from './bridgeTypes.ts';
import type { SurveyedEndpoint } from './surveyEndpoints.ts';

const MAX_TASK_LENGTH = 1024 * 1024;
const ACTIVE_RUNNERS: readonly RunnerName[] = ['claude-code', 'loop'];

/** A person may lift a local-only default for one job; a model may only make a policy stricter. */
export function assertPolicy(
  request: Pick<JobRequest, 'policy'>,
  config: LoadedConfig,
  caller: Caller,
): void {
  const isLoosened =
    config.config.defaults.policy === 'local-only' &&
    request.policy !== undefined &&
    request.policy !== 'local-only';
  if (!isLoosened || caller.kind === 'person') return;
  throw new BridgeError(
    'policy_refused',
    `The configuration is local-only, and a model may not lift that with policy "${request.policy}".`,
    {
      hint: 'Leave policy out. Only a person can decide that files leave this network.',
      details: { do_not_retry_in_cloud: true },
    },
  );
}

export function assertFolder(folder: string): void {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new BridgeError('bad_argument', `The folder ${folder} does not exist.`, {
      hint: 'Check cwd.',
    });
  }
}

export function assertRequest(request: JobRequest, config: LoadedConfig, runner: RunnerName): void {
  if (request.task.trim() === '')
    throw new BridgeError('bad_argument', 'The task is empty.', {
      hint: 'Say what is to be done.',
    });
  if (request.task.length > MAX_TASK_LENGTH) {
    throw new BridgeError(
      'bad_argument',
      `The task has ${request.task.length} characters; ${MAX_TASK_LENGTH} is the limit.`,
      {
        hint: 'Put long material in a file of the repository and name it in the task.',
      },
    );
  }
  if (!ACTIVE_RUNNERS.includes(runner)) {
    throw new BridgeError('not_supported', `The runner ${runner} is not there yet.`, {
      hint: 'Use the runner claude-code or loop.',
    });
  }
  if (request.gate !== undefined && !Object.hasOwn(config.config.gates, request.gate)) {
    const known = Object.keys(config.config.gates);
    throw new BridgeError('unknown_gate', `There is no gate ${request.gate}.`, {
      hint: [
        known.length === 0
          ? 'Define it under gates in models.yaml.'
          : `Known gates: ${known.join(', ')}.`,
        ...config.untrusted.map((file) => `${file} is not trusted, so its gates do not count.`),
      ].join(' '),
      details: { known },
    });
  }
  if (request.gate === undefined && (request.repairRounds ?? 0) > 0) {
    throw new BridgeError('bad_argument', 'repair_rounds needs a gate.', {
      hint: 'Name a gate, or leave repair_rounds out.',
    });
  }
  if (request.sandbox === true && runner !== 'loop') {
    throw new BridgeError('not_supported', `A sandbox is not there for the runner ${runner}.`, {
      hint: 'Use the runner loop, or leave sandbox out; the receipt says that the network was not jailed.',
    });
  }
  if (request.agent !== undefined && runner !== 'loop') {
    throw new BridgeError(
      'not_supported',
      `Agent definitions are for the runner loop, not for ${runner}.`,
      { hint: 'Use the runner loop, or say in the task what the agent would be told.' },
    );
  }
}

/** Claude Code's instructions and tools alone take most of this, in tokens. */
const LEAST_WINDOW = 16_384;

/** A window into which not even the first request fits is no poor choice but none. */
export function assertWindow({ name, probe }: SurveyedEndpoint, model: string): void {
  const window = probe?.models.find((served) => served.id === model)?.context ?? null;
  if (window === null || window >= LEAST_WINDOW) return;
  throw new BridgeError(
    'model_unsuitable',
    `${model} on ${name} has a window of ${window} tokens for each request; the first request of Claude Code does not fit.`,
    {
      hint: 'Start the server with a larger window (llama.cpp: -c, divided among --parallel slots); 128 000 or more is what works well.',
    },
  );
}

/** Claude Code speaks Anthropic's messages; nothing translates them to chat completions yet. */
export function assertSpeaksMessages({ name, entry, probe }: SurveyedEndpoint): void {
  const formats = entry.format === 'auto' ? (probe?.formats ?? []) : [entry.format];
  if (formats.length === 0 || formats.includes('anthropic')) return;
  throw new BridgeError(
    'model_unsuitable',
    `${name} speaks only chat completions, and the runner claude-code needs /v1/messages.`,
    {
      hint: 'Use a server that has it (llama.cpp, vLLM, Ollama, LM Studio and LiteLLM do in their present versions), or ask it a plain question.',
    },
  );
}

export function notARepository(folder: string): BridgeError {
  return new BridgeError(
    'not_a_repository',
    `${folder} is not in a git repository, so the job cannot have a worktree.`,
    {
      hint: 'Run "git init" and make a first commit, or ask for isolation "none".',
    },
  );
}
