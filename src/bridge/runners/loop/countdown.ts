const FIRST_WARNING = 3;

export interface CountdownInput {
  readonly turn: number;
  readonly maxTurns: number;
  /** A worktree of the job's own in which it has written: only there a commit is asked for. */
  readonly isChangedWorktree: boolean;
  /** Whether it has a shell to commit with. */
  readonly hasShell: boolean;
}

/**
 * What is added to the last result of a turn when few turns are left; null: nothing. It rides in the result, because some formats
 * drop other text beside results. A job of few turns is warned later, not from its first turn on.
 */
export function countdown(input: CountdownInput): string | null {
  const left = input.maxTurns - input.turn;
  const from = Math.max(1, Math.min(FIRST_WARNING, Math.floor(input.maxTurns / 4)));
  if (left > from || left < 1) return null;
  if (left === 1) {
    return '[LAST TURN] No tool will be run any more, apart from finish. Answer now: report what was done and what is unfinished.';
  }
  const commit =
    input.isChangedWorktree && input.hasShell
      ? ' Save what you have now: git add -A && git commit -m "wip: <what is done>".'
      : '';
  return `[${left} TURNS LEFT] Start nothing new; finish what is open, then report.${commit}`;
}
