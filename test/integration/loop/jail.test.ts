import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, it, type Suite } from 'mocha';
import { findNetworkJail } from '../../../src/bridge/processes/findNetworkJail.ts';
import { findProgram } from '../../../src/bridge/processes/findProgram.ts';
import { startHostGuard, type HostGuard } from '../../../src/bridge/processes/hostGuard.ts';
import { endJobProcesses, listJobProcesses } from '../../../src/bridge/processes/jobProcesses.ts';
import type { NetworkJail } from '../../../src/bridge/processes/networkJail.ts';
import { skipBecause } from '../../support/skipBecause.ts';
import { tempRepo } from '../../support/tempRepo.ts';
import { toolFolder } from '../../unit/bridge/runners/loop/tools/toolBoxFixture.ts';

const NEVER = new AbortController().signal;

/** Prints what became of a connection. */
const CONNECT = `
const net = require('node:net');
const [to] = process.argv.slice(1);
const socket = net.connect(JSON.parse(to));
socket.on('connect', () => { console.log('connected'); socket.destroy(); });
socket.on('error', (error) => console.log(error.code));
socket.setTimeout(3000, () => { console.log('timeout'); socket.destroy(); });
`;

const onThisMachine = await findNetworkJail(process.env, process.platform);
const whyNoJail = 'reason' in onThisMachine ? onThisMachine.reason : null;

/** Whether this machine lets bubblewrap do what a jail needs: then one must be found. */
async function canMakeJails(): Promise<boolean> {
  const program = await findProgram('bwrap', process.env, '/');
  const args = ['--ro-bind', '/', '/', '--proc', '/proc', '--unshare-net', '--unshare-pid', 'true'];
  return program !== null && spawnSync(program, args).status === 0;
}

it('a network jail is found where one can be made', async () => {
  if (await canMakeJails()) assert.equal(whyNoJail, null);
});

const title = 'the network jail';
const suite =
  whyNoJail === null
    ? describe(title, jailTests)
    : describe.skip(`${title} (skipped: ${whyNoJail})`, jailTests);
if (whyNoJail !== null) suite?.eachTest((test) => Object.assign(test, { skipReason: whyNoJail }));

function jailTests(this: Suite): void {
  this.timeout(60_000);
  let jail: NetworkJail;
  let scratch: string;
  let home: string;
  let state: string;
  let work: string;
  let tmp: string;
  let node: string;
  /** Not below the folder for temporary files, which a jail has for itself. */
  let outside: string;
  before(async () => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-jail-')));
    home = join(scratch, 'home');
    state = join(scratch, 'state');
    work = join(state, 'worktrees/one');
    outside = realpathSync(mkdtempSync('/var/tmp/delegate-outside-'));
    // A jail has a folder of its own for temporary files, so a program that lies in the real one is not seen in it.
    node = process.execPath;
    if (realpathSync(node).startsWith(`${realpathSync(tmpdir())}/`)) {
      node = join(outside, 'node');
      copyFileSync(process.execPath, node);
    }
    tmp = join(state, 'jobs/one/tmp');
    for (const folder of [work, tmp, join(home, '.ssh'), join(home, '.config/delegation-bridge')]) {
      mkdirSync(folder, { recursive: true });
    }
    writeFileSync(join(home, '.ssh/id'), 'secret-key');
    writeFileSync(join(home, '.netrc'), 'secret-key');
    writeFileSync(join(home, '.config/delegation-bridge/secrets.yaml'), 'secret-key');
    writeFileSync(join(state, 'other-job'), 'secret-key');
    const env = { PATH: process.env['PATH'], HOME: home, DELEGATE_STATE: state };
    const found = await findNetworkJail(env, process.platform);
    if ('reason' in found) assert.fail(found.reason);
    jail = found.jail;
  });
  after(() => {
    for (const each of [scratch, outside]) rmSync(each, { recursive: true, force: true });
  });

  const run = (
    command: string,
    args: readonly string[],
    options: { isOutside?: boolean; writable?: string[] } = {},
  ) => {
    const jailed = jail.wrap(command, args, {
      cwd: work,
      writable: options.writable ?? [work],
      tmpDir: tmp,
    });
    const real = options.isOutside === true ? { command, args } : jailed;
    const { stdout, stderr, status } = spawnSync(real.command, [...real.args], {
      cwd: work,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home },
    });
    return { stdout: stdout.trim(), stderr, status };
  };
  const sh = (script: string) => run('/bin/sh', ['-c', script]);

  describe('lets nothing out', () => {
    const servers: Server[] = [];
    const listen = async (where: { host: string; port: number } | { path: string }) => {
      const server = createServer((socket) => socket.destroy());
      servers.push(server);
      server.listen(where);
      await once(server, 'listening');
      return server;
    };
    after(() => servers.forEach((server) => server.close()));
    const connect = (to: object, isOutside = false): string =>
      run(node, ['-e', CONNECT, JSON.stringify(to)], { isOutside }).stdout;

    it('to a server on this machine, which is reached without it', async () => {
      const server = await listen({ host: '127.0.0.1', port: 0 });
      const to = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
      let outside = '';
      // The server runs in this process, so this call must not block it.
      const child = spawn(process.execPath, ['-e', CONNECT, JSON.stringify(to)]);
      child.stdout.on('data', (chunk: Buffer) => (outside += chunk.toString()));
      await once(child, 'close');
      assert.equal(outside.trim(), 'connected');
      assert.equal(connect(to), 'ECONNREFUSED');
    });
    for (const host of ['192.0.2.1', '10.0.0.1', '169.254.169.254', '2001:db8::1']) {
      it(`to ${host}`, () =>
        assert.match(connect({ host, port: 80 }), /^E(NETUNREACH|ADDRNOTAVAIL)$/));
    }
    it('through a socket that lies among temporary files', async () => {
      const path = join(scratch, 'agent.sock');
      await listen({ path });
      assert.equal(existsSync(path), true);
      assert.equal(connect({ path }), 'ENOENT');
    });
    it('through a socket of the system, such as that of a container engine', async function () {
      const path = `/run/delegate-${process.pid}.sock`;
      try {
        await listen({ path });
      } catch {
        skipBecause(this, 'only root may put a socket into /run');
      }
      assert.equal(connect({ path }), 'ENOENT');
    });
    it('by a capability that root has', () => {
      const { stdout } = sh('grep -E "^(CapEff|CapPrm|NoNewPrivs)" /proc/self/status | cut -f2');
      assert.deepEqual(stdout.split('\n').sort(), ['0000000000000000', '0000000000000000', '1']);
    });
  });

  describe('keeps files', () => {
    it('that are outside as they are', () => {
      for (const file of [
        join(outside, 'x'),
        join(home, 'x'),
        join(home, '.ssh/id'),
        join(state, 'other-job'),
      ]) {
        sh(`echo changed > '${file}'`);
      }
      assert.equal(existsSync(join(outside, 'x')), false);
      assert.equal(existsSync(join(home, 'x')), false);
      assert.equal(readFileSync(join(home, '.ssh/id'), 'utf8'), 'secret-key');
      assert.equal(readFileSync(join(state, 'other-job'), 'utf8'), 'secret-key');
      assert.notEqual(sh(`echo x > '${outside}/x'`).status, 0);
      assert.notEqual(sh(`mount -o remount,rw,bind / && echo x > '${outside}/x'`).status, 0);
    });
    it('of the kernel as they are, also for root', () => {
      const { stdout } = sh(
        'for file in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /sys/kernel/uevent_helper; do [ -w $file ] && echo $file; done; echo end',
      );
      assert.equal(stdout, 'end');
    });
    it('of /tmp itself as work folder', () => {
      const jailed = jail.wrap('/bin/sh', ['-c', `cat '${scratch}/in-tmp'`], {
        cwd: '/tmp',
        writable: ['/tmp'],
        tmpDir: null,
      });
      writeFileSync(join(scratch, 'in-tmp'), 'seen');
      assert.equal(
        spawnSync(jailed.command, [...jailed.args], { encoding: 'utf8' }).stdout,
        'seen',
      );
    });
    it('that are not its own from sight, also where all of the system is the work folder', () => {
      for (const writable of [[], ['/']]) {
        const script = 'ls -A /tmp /run; ls /dev | grep -c kvm; id > /dev/null && pwd';
        const jailed = jail.wrap('/bin/sh', ['-c', script], { cwd: '/', writable, tmpDir: null });
        const { stdout } = spawnSync(jailed.command, [...jailed.args], { encoding: 'utf8' });
        const shown = stdout.replace('current-system\n', '');
        assert.equal(shown, '/run:\n\n/tmp:\n0\n/\n');
      }
    });
    it('of the work folder writable', () => {
      assert.deepEqual(sh('echo in > made && cat made && pwd'), {
        stdout: `in\n${work}`,
        stderr: '',
        status: 0,
      });
      assert.equal(readFileSync(join(work, 'made'), 'utf8'), 'in\n');
    });
    it('read-only where nothing was said of them', () => {
      const { status } = run('/bin/sh', ['-c', 'ls && echo x > new'], { writable: [] });
      assert.notEqual(status, 0);
      assert.equal(existsSync(join(work, 'new')), false);
    });
    it('for temporary use to itself, from one command to the next', () => {
      const name = `note-${randomUUID()}`;
      assert.equal(sh(`echo kept > "$TMPDIR/${name}"; echo "$TMPDIR"`).stdout, '/tmp');
      assert.equal(sh(`cat /tmp/${name}`).stdout, 'kept');
      assert.equal(readFileSync(join(tmp, name), 'utf8'), 'kept\n');
      assert.equal(existsSync(`/tmp/${name}`), false);
    });
    it('with secrets from sight, in words and in bytes', () => {
      const files = [
        join(home, '.ssh/id'),
        join(home, '.netrc'),
        join(home, '.config/delegation-bridge/secrets.yaml'),
        join(state, 'other-job'),
      ];
      for (const file of files) assert.equal(readFileSync(file, 'utf8'), 'secret-key');
      const { stdout } = sh(`cat ${files.map((file) => `'${file}'`).join(' ')} 2>/dev/null`);
      assert.doesNotMatch(stdout, /secret-key/);
    });
  });

  describe('of a home that is no temporary folder', () => {
    it('hides what is secret there, and shows the rest', async () => {
      // Below /tmp everything is hidden, secret or not: this one must lie elsewhere.
      const place = realpathSync(mkdtempSync('/var/tmp/delegate-home-'));
      try {
        mkdirSync(join(place, '.ssh'));
        mkdirSync(join(place, 'work'));
        for (const name of ['.ssh/id', '.netrc', 'plain', 'work/.netrc'])
          writeFileSync(join(place, name), name);
        const found = await findNetworkJail(
          { PATH: process.env['PATH'], HOME: place, DELEGATE_STATE: state },
          process.platform,
        );
        if ('reason' in found) assert.fail(found.reason);
        const look = (cwd: string): string => {
          const { command, args } = found.jail.wrap(
            '/bin/sh',
            ['-c', `cd '${place}' && cat .ssh/id .netrc plain work/.netrc 2>/dev/null`],
            { cwd, writable: [cwd], tmpDir: null },
          );
          return spawnSync(command, [...args], { encoding: 'utf8' }).stdout;
        };
        assert.equal(look(join(place, 'work')), 'plainwork/.netrc');
        assert.equal(look(place), 'plainwork/.netrc', 'the home itself as work folder');
        rmSync(join(place, '.netrc'));
        assert.equal(look(place), 'plainwork/.netrc', 'a secret that is gone meanwhile');
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
    });
  });

  describe('around the commands of a job', () => {
    const jobId = `loop-test-jail-${process.pid}`;
    let guard: HostGuard;
    before(() => {
      guard = startHostGuard(jobId);
    });
    after(async () => {
      await endJobProcesses(jobId, 0);
      await guard.close();
    });
    const gone = async (): Promise<void> => {
      const deadline = performance.now() + 10_000;
      while (listJobProcesses(jobId).length > 0) {
        assert.ok(performance.now() < deadline, 'something of the job runs on');
        await delay(5);
      }
    };
    const started = async (): Promise<void> => {
      const deadline = performance.now() + 10_000;
      while (!listJobProcesses(jobId).some((pid) => commandOf(pid).startsWith('tail'))) {
        assert.ok(performance.now() < deadline, 'it did not start');
        await delay(5);
      }
    };

    it('the model is told, exit statuses come through, and other processes are not seen', async () => {
      const folder = toolFolder();
      try {
        const box = folder.box({ jobId, guard, jail });
        const call = (command: string, more = {}) =>
          box.call('run_bash', { command, ...more }, NEVER);
        const spec = box.specs.find((each) => each.name === 'run_bash');
        assert.match(
          spec?.description ?? '',
          /There is no network, and only the work folder and \/tmp can be written/,
        );
        assert.equal((await call('exit 7')).exit, 7);
        assert.equal((await call('echo x > made')).exit, 0);
        assert.equal(readFileSync(folder.path('made'), 'utf8'), 'x\n');
        assert.match(
          (await call(`kill -0 ${process.pid}; cat /proc/${process.pid}/environ`)).text,
          /^exit_code: 1\n/,
        );
        const late = await call('echo early; tail -f /dev/null', { timeout_s: 1 });
        assert.match(late.text, /^exit_code: none[^]*\nearly\n/);
        await gone();
      } finally {
        folder.dispose();
      }
    });

    it('what a command leaves running ends with it, sessions of their own included', async () => {
      const folder = toolFolder();
      try {
        const box = folder.box({ jobId, guard, jail });
        const { exit } = await box.call(
          'run_bash',
          { command: 'setsid tail -f /dev/null >/dev/null 2>&1 & tail -f /dev/null & echo ok' },
          NEVER,
        );
        assert.equal(exit, 0);
        await gone();
      } finally {
        folder.dispose();
      }
    });

    it('everything in it ends when its program is killed', async () => {
      const { command, args } = jail.wrap(
        '/bin/sh',
        ['-c', 'setsid tail -f /dev/null & tail -f /dev/null'],
        { cwd: work, writable: [work], tmpDir: null },
      );
      const child = spawn(command, [...args], {
        stdio: 'ignore',
        env: { PATH: process.env['PATH'], DELEGATE_JOB: jobId },
      });
      await started();
      child.kill('SIGKILL');
      await gone();
    });

    it('a worktree can be committed in when its git directories are writable, and only then', async () => {
      const repo = tempRepo({ files: { 'a.txt': 'a\n' } });
      try {
        const tree = join(repo.scratch, 'tree');
        repo.git('worktree', 'add', '--quiet', '-b', 'topic', tree);
        const commit = async (writable: string[]) => {
          const folder = toolFolder();
          const box = folder.box({ jobId, guard, jail, cwd: tree, env: repo.env, writable });
          folder.dispose();
          const command =
            'echo b >> a.txt && git -c user.name=x -c user.email=x@x commit -qam more';
          return box.call('run_bash', { command }, NEVER);
        };
        const before = repo.git('rev-parse', 'topic');
        assert.notEqual((await commit([])).exit, 0);
        assert.equal(repo.git('rev-parse', 'topic'), before);
        const after = await commit([repo.path('.git')]);
        assert.equal(after.exit, 0, after.text);
        assert.notEqual(repo.git('rev-parse', 'topic'), before);
      } finally {
        repo.dispose();
      }
    });
  });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It ended between the listing and the look.
    return '';
  }
}
