import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'mocha';
import {
  endJobProcesses,
  killJobProcesses,
  listJobProcesses,
} from '../../../../src/bridge/processes/jobProcesses.ts';

const SOURCE = resolve(import.meta.dirname, '../../../../src/bridge/processes');

/** A host that starts a guard and, as the job's child, a shell whose own child makes a session of its own. */
const HOST = `
import { startHostGuard } from ${JSON.stringify(`${SOURCE}/hostGuard.ts`)};
import { spawnJobChild } from ${JSON.stringify(`${SOURCE}/spawnJobChild.ts`)};
const guard = startHostGuard(process.argv[1]);
spawnJobChild({ jobId: process.argv[1], guard, command: '/bin/sh', args: ['-c', 'setsid tail -f /dev/null & tail -f /dev/null'], cwd: '/', env: { PATH: process.env.PATH }, stdin: 'ignore' });
console.log('ready');
process.stdin.on('data', async () => { await guard.close(); process.exit(0); });
`;

async function host(jobId: string) {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', HOST, jobId], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await until(() => listJobProcesses(jobId).length === 3);
  return child;
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!isSo()) {
    assert.ok(performance.now() < deadline, 'it did not come about within 5 s');
    await delay(5);
  }
}

describe('the guard of a job host', function () {
  this.timeout(20_000);

  it('ends everything of the job when the host is killed with -9, sessions of their own included', async () => {
    const id = `test-guard-${process.pid}-1`;
    const child = await host(id);
    child.kill('SIGKILL');
    await until(() => listJobProcesses(id).length === 0);
  });

  it('sweeps what is left when the host is done', async () => {
    const id = `test-guard-${process.pid}-2`;
    const child = await host(id);
    child.stdin.write('end\n');
    await once(child, 'exit');
    assert.deepEqual(listJobProcesses(id), []);
  });

  it('touches no other job', async () => {
    const one = await host(`test-guard-${process.pid}-3`);
    const other = await host(`test-guard-${process.pid}-33`);
    one.kill('SIGKILL');
    await until(() => listJobProcesses(`test-guard-${process.pid}-3`).length === 0);
    assert.equal(listJobProcesses(`test-guard-${process.pid}-33`).length, 3);
    other.kill('SIGKILL');
    await until(() => listJobProcesses(`test-guard-${process.pid}-33`).length === 0);
  });
});

describe('endJobProcesses', () => {
  it('asks first, then kills, and resolves when none is left', async () => {
    const id = `test-end-${process.pid}`;
    const stubborn = spawn('/bin/sh', ['-c', 'trap "" TERM; while :; do sleep 1; done'], {
      env: { PATH: process.env['PATH'] ?? '', DELEGATE_JOB: id },
      stdio: 'ignore',
      detached: true,
    });
    await until(() => listJobProcesses(id).length >= 1);
    await endJobProcesses(id, 200);
    assert.deepEqual(listJobProcesses(id), []);
    assert.equal(stubborn.pid !== undefined, true);
    assert.equal(killJobProcesses(id), 0);
  });
});
