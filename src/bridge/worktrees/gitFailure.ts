import { BridgeError } from '../../base/bridgeError.ts';

const STDERR_LINES = 6;

/** The error for a git call that ended badly: the sub-command, the exit status and git's last lines, without credentials. */
export function gitFailure(
  args: readonly string[],
  code: number | null,
  stderr: string,
): BridgeError {
  const tail = lastLines(stderr);
  const details = { args, exit: code, stderr: tail };
  const owner = dubiousOwnership(stderr);
  if (owner !== null) {
    return new BridgeError(
      'git_failed',
      `Git does not trust ${owner}: it belongs to another user.`,
      {
        hint: `If the folder is yours, run: git config --global --add safe.directory ${shellQuote(owner)}`,
        details: { ...details, safe_directory: owner },
      },
    );
  }
  const says = tail === '' ? 'it said nothing' : tail;
  return new BridgeError(
    'git_failed',
    `git ${subCommand(args)} failed (exit ${code ?? 'by signal'}): ${says}`,
    {
      hint: /Filename too long/i.test(stderr)
        ? 'Set worktrees.base_dir in models.yaml to a shorter path.'
        : '',
      details,
    },
  );
}

/** The folder that git names in "detected dubious ownership"; the exception has to name exactly this one. */
function dubiousOwnership(stderr: string): string | null {
  const match = /detected dubious ownership in repository at '(.+)'/.exec(stderr);
  return match?.[1] ?? null;
}

function lastLines(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return lines
    .slice(-STDERR_LINES)
    .join('\n')
    .replace(/:\/\/[^/\s@]+@/g, '://***@');
}

function subCommand(args: readonly string[]): string {
  const words = args.filter((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c');
  return words[0] === 'worktree' ? words.slice(0, 2).join(' ') : (words[0] ?? '');
}

function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
