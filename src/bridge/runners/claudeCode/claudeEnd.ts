import type { Failure } from '../../../protocol/job.ts';
import type { RunnerEnd } from '../runner.ts';
import { toUsage, type ClaudeResult } from './readClaudeMessage.ts';

export interface ClaudeExit {
  readonly result: ClaudeResult | null;
  readonly modelServed: string | null;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly startError: Error | null;
  readonly lastStderr: readonly string[];
}

/** How a session ended. Errors arrive as a result with `subtype: success, is_error: true`. */
export function claudeEnd(exit: ClaudeExit): RunnerEnd {
  const { result } = exit;
  return {
    failure: result ? resultFailure(result) : crashFailure(exit),
    text: result?.result ?? null,
    turns: result?.num_turns ?? null,
    stopReason: result?.stop_reason ?? null,
    usage: toUsage(result?.usage),
    modelServed: exit.modelServed,
    exitCode: exit.exitCode,
    warnings: [],
  };
}

function resultFailure(result: ClaudeResult): Failure | null {
  const said = result.result ?? result.errors?.join('; ') ?? '';
  if (result.subtype === 'error_max_turns') {
    return incomplete(
      `The session used all its ${result.num_turns ?? ''} turns before it was done.`,
      'Raise max_turns, or split the task.',
    );
  }
  if (result.terminal_reason === 'prompt_too_long' || /^prompt is too long/i.test(said)) {
    return {
      kind: 'context_overflow',
      message: `The conversation outgrew the model's window: ${said}`,
      hint: 'Give the server a larger window, or split the task.',
    };
  }
  if (result.is_error === true || result.subtype !== 'success')
    return apiFailure(result.api_error_status ?? null, said);
  switch (result.stop_reason) {
    case 'max_tokens':
      return incomplete(
        'The answer was cut at the output limit.',
        'Raise max_tokens, or split the task.',
      );
    case 'refusal':
    case 'content_filter':
      return incomplete(
        'The model refused to answer.',
        'Reword the task, or choose another model.',
      );
    default:
      break;
  }
  if (said.trim() === '')
    return incomplete(
      'The session ended with an empty answer.',
      'Look at the transcript, or resume the job.',
    );
  return null;
}

function apiFailure(status: number | null, said: string): Failure {
  if (status === 401 || status === 403) {
    return {
      kind: 'auth_failed',
      message: `The endpoint refused the key (${status}): ${said}`,
      hint: 'Set api_key of the endpoint.',
    };
  }
  if (status === 429) {
    return {
      kind: 'rate_limited',
      message: `The endpoint is over its limit (429): ${said}`,
      hint: 'Wait, or choose another endpoint.',
    };
  }
  return {
    kind: 'backend_error',
    message: `The endpoint answered with an error${status === null ? '' : ` (${status})`}: ${said}`,
    hint: 'Look at what was sent (delegate log JOB --what requests) and at the log of the server.',
  };
}

function incomplete(message: string, hint: string): Failure {
  return { kind: 'incomplete', message, hint };
}

function crashFailure(exit: ClaudeExit): Failure {
  if (exit.startError) {
    return {
      kind: 'runner_missing',
      message: `Claude Code could not be started: ${exit.startError.message}.`,
      hint: 'Install it, or set runners.claude-code.bin.',
    };
  }
  const how = exit.signal === null ? `with exit code ${exit.exitCode}` : `by ${exit.signal}`;
  const tail = exit.lastStderr.join(' | ');
  return {
    kind: 'runner_failed',
    message: `Claude Code ended ${how} and gave no result${tail === '' ? '.' : `: ${tail}`}`,
    hint: 'Look at the transcript of the job.',
  };
}
