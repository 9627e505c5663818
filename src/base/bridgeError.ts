/**
 * Every failure that a person or a client may see. Code branches on `kind`, never on the text.
 */
export type ErrorKind =
  | 'bad_argument'
  | 'unknown_job'
  | 'ambiguous_job'
  | 'unknown_endpoint'
  | 'unknown_gate'
  | 'unknown_agent'
  | 'model_unavailable'
  | 'model_unsuitable'
  | 'config_invalid'
  | 'secret_missing'
  | 'untrusted'
  | 'restricted'
  | 'policy_refused'
  | 'review_required'
  | 'workdir_forbidden'
  | 'isolation_failed'
  | 'setup_failed'
  | 'worktree_gone'
  | 'not_a_repository'
  | 'no_commits'
  | 'git_failed'
  | 'conflict'
  | 'dirty_editor'
  | 'protected_path'
  | 'nothing_to_accept'
  | 'wrong_state'
  | 'not_local'
  | 'runner_missing'
  | 'runner_failed'
  | 'auth_failed'
  | 'rate_limited'
  | 'context_overflow'
  | 'backend_error'
  | 'backend_unreachable'
  | 'incomplete'
  | 'idle_timeout'
  | 'timeout'
  | 'cancelled'
  | 'host_start_failed'
  | 'lost'
  | 'memory_floor'
  | 'not_supported'
  | 'store_newer'
  | 'store_unavailable'
  | 'state_dir_invalid'
  | 'storage_full'
  | 'server_unavailable'
  | 'internal';

export class BridgeError extends Error {
  readonly kind: ErrorKind;
  /** What to do next, one sentence for a person; empty when there is nothing to add. */
  readonly hint: string;
  /** Extra facts for machines (known endpoints, conflicting files …), in wire spelling. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    kind: ErrorKind,
    message: string,
    options: { hint?: string; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'BridgeError';
    this.kind = kind;
    this.hint = options.hint ?? '';
    this.details = options.details ?? {};
  }

  static is(error: unknown, ...kinds: readonly ErrorKind[]): error is BridgeError {
    return error instanceof BridgeError && (kinds.length === 0 || kinds.includes(error.kind));
  }

  /** Any thrown value as a BridgeError; what was not one becomes `internal` with the original as cause. */
  static from(error: unknown): BridgeError {
    if (error instanceof BridgeError) return error;
    if (isOutOfSpace(error)) {
      return new BridgeError('storage_full', 'The disk is full.', {
        hint: 'Free some space, or run "delegate gc".',
        cause: error,
      });
    }
    const message = error instanceof Error ? error.message : String(error);
    return new BridgeError('internal', message, { cause: error });
  }
}

function isOutOfSpace(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
