import { existsSync } from 'node:fs';
import type { HostLog } from './hostLog.ts';
import type { ServerCommandLine } from './serverCommandLine.ts';
import { type ServerEnd, ServerProcess } from './serverProcess.ts';
import type { RunningServer } from './serverState.ts';
import type { StartResult } from './serverSupervisor.ts';
import type { UiSession } from './uiSession.ts';

export interface StartServerOptions {
  readonly commandLine: ServerCommandLine;
  readonly isRestricted: boolean;
  /** From the spawn to the answer to `initialize`. */
  readonly startTimeoutMs: number;
  readonly clientVersion: string;
  readonly onResourceUpdated: (uri: string) => void;
  readonly log: HostLog;
  /** Takes what the server writes to stderr, line by line. */
  readonly serverLog: HostLog;
}

const REINSTALL = 'Install the Delegation Bridge extension again.';

/** Starts one server process and greets it. What can go wrong is a result, with the reason and the fix in words. */
export async function startServer(
  options: StartServerOptions,
  signal: AbortSignal,
): Promise<StartResult> {
  const { commandLine, log } = options;
  const [script] = commandLine.args;
  if (script !== undefined && !existsSync(script)) {
    return refused(`The server's program ${script} is missing.`, REINSTALL);
  }
  if (!existsSync(commandLine.cwd)) {
    return refused(
      `The folder ${commandLine.cwd} is missing.`,
      'Open a folder that exists, then run "Delegate: Restart Server".',
    );
  }
  const child = new ServerProcess(commandLine, ({ level, text }) => options.serverLog[level](text));
  const program = JSON.stringify([commandLine.command, ...commandLine.args]);
  log.info(`Starting ${program} in ${commandLine.cwd}, process ${child.pid ?? 'not there'}`);
  const outcome = await Promise.race([
    greet(child, options),
    child.ended,
    new Promise<'aborted'>((resolve) => signal.addEventListener('abort', () => resolve('aborted'))),
  ]);
  if (outcome !== 'aborted' && outcome.kind === 'greeted') {
    const { server, session } = outcome;
    log.info(`Server ${server.version} is running as process ${server.pid}`);
    return {
      isStarted: true,
      connection: {
        server,
        session,
        ended: child.ended.then((end) => describeEnd(end, child.lastWords)),
        close: () => child.stop(),
      },
    };
  }
  await child.stop();
  if (outcome === 'aborted') return refused('The start was called off.', '');
  if (outcome.kind === 'not_started') {
    log.error(
      `Could not start ${commandLine.command} in ${commandLine.cwd}: ${outcome.error.message}`,
    );
    log.error(`PATH was ${commandLine.env['PATH'] ?? '(unset)'}`);
    return refused(
      `The server could not be started: ${outcome.error.message}.`,
      'The log "Delegation Bridge" has the command, its folder and the PATH.',
    );
  }
  const reason = outcome.kind === 'exited' ? describeEnd(outcome, child.lastWords) : outcome.reason;
  log.error(reason);
  return { isStarted: false, reason, hint: '', canRetry: true };
}

type Greeting =
  | { readonly kind: 'greeted'; readonly server: RunningServer; readonly session: UiSession }
  | { readonly kind: 'silent'; readonly reason: string };

async function greet(child: ServerProcess, options: StartServerOptions): Promise<Greeting> {
  const { connectUiSession } = await import('./uiSession.ts');
  try {
    const session = await connectUiSession({
      stdin: child.stdin,
      stdout: child.stdout,
      clientVersion: options.clientVersion,
      timeoutMs: options.startTimeoutMs,
      onResourceUpdated: options.onResourceUpdated,
      onProtocolError: (error) => options.log.warn(`Protocol: ${error.message}`),
    });
    const server = {
      version: session.serverVersion,
      pid: child.pid ?? 0, // a process that has answered has one
      isRestricted: options.isRestricted,
    };
    return { kind: 'greeted', server, session };
  } catch (error) {
    // A server that died has closed its pipe, which arrives here too: the way it ended says more.
    const end = await Promise.race([child.ended, afterMs(500)]);
    if (end !== undefined && end.kind === 'exited') {
      return { kind: 'silent', reason: describeEnd(end, child.lastWords) };
    }
    const limitSeconds = Math.round(options.startTimeoutMs / 1000);
    const why = error instanceof Error ? error.message : String(error);
    return {
      kind: 'silent',
      reason: `The server did not greet within ${limitSeconds} s (${why}).`,
    };
  }
}

function refused(reason: string, hint: string): StartResult {
  return { isStarted: false, reason, hint, canRetry: false };
}

function describeEnd(end: ServerEnd, lastWords: string): string {
  if (end.kind === 'not_started') return `The server could not be started: ${end.error.message}.`;
  const how = end.signal === null ? `with code ${end.code ?? 'unknown'}` : `by ${end.signal}`;
  return `The server ended ${how}.${lastWords === '' ? '' : ` It said: ${lastWords}`}`;
}

function afterMs(timeMs: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, timeMs, undefined));
}
