import { afterEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as path from 'node:path';
import { startServer } from '../../../../src/host/bridge/startServer.ts';
import type { ServerConnection } from '../../../../src/host/bridge/serverSupervisor.ts';

const SCRIPT = path.resolve('test/support/versionServer.ts');

class Lines {
  readonly lines: string[] = [];
  info(line: string): void {
    this.lines.push(line);
  }
  warn(line: string): void {
    this.lines.push(line);
  }
  error(line: string): void {
    this.lines.push(line);
  }
}

function start(
  behaviour: string,
  change: { command?: string; cwd?: string; script?: string; startTimeoutMs?: number } = {},
  signal = new AbortController().signal,
) {
  const [log, serverLog] = [new Lines(), new Lines()];
  const result = startServer(
    {
      commandLine: {
        command: change.command ?? process.execPath,
        args: [change.script ?? SCRIPT, behaviour],
        cwd: change.cwd ?? process.cwd(),
        env: process.env,
      },
      isRestricted: false,
      startTimeoutMs: change.startTimeoutMs ?? 60_000,
      clientVersion: '0.0.0',
      onResourceUpdated: () => assert.fail('no resource is subscribed to'),
      log,
      serverLog,
    },
    signal,
  );
  return { result, log, serverLog };
}

describe('startServer', function () {
  this.timeout(60_000); // real processes, perhaps on a machine under load

  let connection: ServerConnection | undefined;

  afterEach(async () => {
    await connection?.close();
    connection = undefined;
  });

  async function started(behaviour: string) {
    const { result, log } = start(behaviour);
    const outcome = await result;
    assert.ok(outcome.isStarted, JSON.stringify(outcome));
    connection = outcome.connection;
    return { connection, log };
  }

  it('answers with the version that the server reports', async () => {
    const { connection } = await started('well');
    assert.equal(connection.server.version, '9.8.7');
  });

  it('leaves no process after close', async () => {
    const { connection } = await started('well');
    await connection.close();
    assert.throws(() => process.kill(connection.server.pid, 0), { code: 'ESRCH' });
  });

  it('ends even a server that ignores its stdin and SIGTERM', async () => {
    const { connection } = await started('stubborn');
    await connection.close();
    assert.throws(() => process.kill(connection.server.pid, 0), { code: 'ESRCH' });
    assert.match(await connection.ended, /ended by SIGKILL\. It said: SIGTERM ignored/);
  });

  it('says how a running server ended', async () => {
    const { connection } = await started('well');
    process.kill(connection.server.pid, 'SIGKILL');
    assert.match(await connection.ended, /ended by SIGKILL/);
  });

  it('logs a line that is not of the protocol and goes on', async () => {
    const { log } = await started('noisy');
    assert.ok(log.lines.some((line) => line.startsWith('Protocol: ')));
  });

  it('tells the last words of a server that exits at once', async () => {
    const { result, serverLog } = start('exits');
    const outcome = await result;
    assert.ok(!outcome.isStarted && outcome.canRetry);
    assert.equal(
      outcome.reason,
      'The server ended with code 3. It said: node:sqlite is missing here',
    );
    assert.deepEqual(serverLog.lines, ['node:sqlite is missing here']);
  });

  it('gives up on a server that does not greet in time, and ends it', async () => {
    const { result, log } = start('silent', { startTimeoutMs: 1000 });
    const outcome = await result;
    assert.ok(!outcome.isStarted && outcome.canRetry);
    assert.match(outcome.reason, /did not greet within 1 s/);
    assertGone(log);
  });

  it('logs the command, its folder and the PATH when the program is missing', async () => {
    const { result, log } = start('well', { command: '/nowhere/node' });
    const outcome = await result;
    assert.ok(!outcome.isStarted && !outcome.canRetry);
    assert.match(outcome.reason, /could not be started: .*ENOENT/);
    const text = log.lines.join('\n');
    for (const part of ['/nowhere/node', process.cwd(), `PATH was ${process.env['PATH'] ?? ''}`]) {
      assert.ok(text.includes(part), part);
    }
  });

  for (const [what, change] of [
    ['script', { script: '/nowhere/server.cjs' }],
    ['folder', { cwd: '/nowhere/project' }],
  ] as const) {
    it(`names a missing ${what} and what to do`, async () => {
      const outcome = await start('well', change).result;
      assert.ok(!outcome.isStarted && !outcome.canRetry);
      assert.match(outcome.reason, /\/nowhere\/\S+ is missing/);
      assert.notEqual(outcome.hint, '');
    });
  }

  it('ends the process of a start that is called off', async () => {
    const abort = new AbortController();
    const { result, log } = start('silent', { startTimeoutMs: 60_000 }, abort.signal);
    abort.abort();
    assert.equal((await result).isStarted, false);
    assertGone(log);
  });
});

/** The process that the log names is no more. */
function assertGone({ lines }: Lines): void {
  const pid = Number(/, process (\d+)$/m.exec(lines.join('\n'))?.[1]);
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
}
