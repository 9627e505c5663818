import { BridgeError } from '../base/bridgeError.ts';
import { sanitiseLine } from '../base/sanitise.ts';
import { closestName } from '../config/closestName.ts';
import type { BridgeApi } from '../server/bridgeApi.ts';
import { alignColumns } from '../base/alignColumns.ts';
import type { CliContext } from './cliContext.ts';
import { commandHelp } from './commandHelp.ts';
import { COMMANDS } from './commandTable.ts';
import { parseCommandArgs } from './parseCommandArgs.ts';

export interface CliProcess {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly stdin: CliContext['stdin'];
  readonly stdout: CliContext['stdout'];
  readonly stderr: CliContext['stderr'];
  readonly distDir: string;
}

/** Runs one sub-command and returns the exit code. Whatever goes wrong is one sentence, with what to do about it, on stderr. */
export async function runCli(argv: readonly string[], target: CliProcess): Promise<number> {
  const version = process.env['DELEGATE_VERSION'] ?? 'development';
  const bridges: BridgeApi[] = [];
  try {
    const [name = '--help', ...rest] = argv;
    if (name === '--version' || name === '-V') return say(target, `delegate ${version}`);
    if (name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
      return say(target, overview());
    }
    const wanted = name === 'help' ? (rest[0] ?? '') : name;
    const entry = COMMANDS.find((known) => known.name === wanted);
    if (entry === undefined) throw unknownCommand(wanted);
    const command = await entry.load();
    const args = name === 'help' ? null : parseCommandArgs(entry.name, command, rest);
    if (args === null) return say(target, commandHelp(command));
    return await command.run(args, contextOf(target, version, bridges));
  } catch (error) {
    if (isClosedPipe(error)) return 0;
    const { message, hint } = BridgeError.from(error);
    target.stderr.write(`${clean(message)}\n${hint === '' ? '' : `${clean(hint)}\n`}`);
    return 1;
  } finally {
    await Promise.allSettled(bridges.map((bridge) => bridge.dispose()));
  }
}

function contextOf(target: CliProcess, version: string, bridges: BridgeApi[]): CliContext {
  return {
    ...target,
    version,
    caller: { kind: 'person', name: 'cli', session: null, pid: process.pid },
    now: () => new Date(),
    bridge: async (configFile) => {
      const [made] = bridges;
      if (made !== undefined) return made;
      const { createBridge } = await import('../server/createBridge.ts');
      const bridge = await createBridge({
        env: target.env,
        configFile: configFile ?? null,
        isRestricted: false,
        distDir: target.distDir,
      });
      bridges.push(bridge);
      return bridge;
    },
  };
}

function overview(): string {
  const rows = COMMANDS.filter((entry) => entry.isHidden !== true).map((entry) => [
    `  ${entry.name}`,
    entry.summary,
  ]);
  return [
    'Usage: delegate <command> [arguments]',
    '',
    'Hands bounded work to models that run elsewhere, in a worktree of its own, with an honest receipt.',
    '',
    'Commands:',
    alignColumns(rows),
    '',
    'A job may be named by the beginning or the end of its id. "delegate <command> --help" says more;',
    '--json prints for scripts. Exit codes: 0 it succeeded, 1 it did not; others are on the help page',
    'of their command.',
  ].join('\n');
}

function unknownCommand(name: string): BridgeError {
  const names = COMMANDS.filter((entry) => entry.isHidden !== true).map((entry) => entry.name);
  const meant = closestName(name, names);
  return new BridgeError('bad_argument', `delegate: there is no command "${name}".`, {
    hint: meant === null ? 'See "delegate --help".' : `Did you mean "delegate ${meant}"?`,
  });
}

function say({ stdout }: CliProcess, text: string): number {
  stdout.write(`${text}\n`);
  return 0;
}

function clean(text: string): string {
  return sanitiseLine(text, 2_000);
}

/** `delegate jobs | head`: whoever read has had enough. */
function isClosedPipe(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE';
}
