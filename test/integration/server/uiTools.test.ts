import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { jobDir } from '../../../src/bridge/jobs/jobPaths.ts';
import { UI_TOOLS, type UiToolName } from '../../../src/protocol/ui/uiTools.ts';
import { startRehearsal } from '../../../src/rehearsal/startRehearsal.ts';
import { DIST } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import { type ReviewWorld, reviewWorld } from '../../support/reviewWorld.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const plain = (text: unknown): string => Buffer.from(String(text), 'base64').toString();

/** Starts the built server as the extension does. */
async function openServer(world: ReviewWorld, ...args: string[]) {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(DIST, 'server.cjs'), '--profile', 'ui', ...args],
    { cwd: world.repo.root, env: world.env, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const mcp = await McpTestClient.connect(child, { name: 'delegation-bridge-vscode' });
  await mcp.client.listTools(); // from here on the client checks each answer against the tool's schema
  return mcp;
}

/** A call as the extension makes it: its arguments fit the contract, and so does the answer. */
async function call(mcp: McpTestClient, name: UiToolName, args: Record<string, unknown> = {}) {
  UI_TOOLS[name].input.parse(args);
  const { fields, isError, text } = await mcp.call(name, args);
  assert.equal(text, fields['provenance'], 'nobody reads the text, so it is short');
  if (!isError) UI_TOOLS[name].output.parse(fields);
  return { fields, isError };
}

describe('the tools of the ui profile, over stdio', function () {
  this.timeout(120_000);
  let world: ReviewWorld;
  let mcp: McpTestClient;

  before(async () => {
    world = reviewWorld({
      files: { 'a.txt': '1\n2\n3\n', 'b.txt': 'b\n' },
      models: 'gates:\n  tests: { run: test -f new.txt }\n',
    });
    mcp = await openServer(world);
  });
  after(async () => {
    assert.equal(await mcp.leave(), 0);
    await world.dispose();
  });

  it('offers every tool of the contract', async () => {
    const { tools } = await mcp.client.listTools();
    const names = new Set(tools.map((tool) => tool.name));
    assert.deepEqual(
      Object.keys(UI_TOOLS).filter((name) => !names.has(name)),
      [],
    );
  });

  it('job_feed: whole records in a list, the brief cut, the last words left out', async () => {
    const task = `Do it ${'and again '.repeat(200)}`;
    const record = { task, result: 'what the model said', warnings: ['w'.repeat(50_000)] };
    const job = await world.job({ writes: { 'b.txt': 'B\n' }, record });
    const { fields } = await call(mcp, 'job_feed', { folders: [join(world.repo.root, 'sub/x')] });
    const row = fields['jobs'].find((found: { id: string }) => found.id === job.id);
    assert.equal(row.result, null);
    assert.ok(row.task.length < 600 && row.task.startsWith('Do it and'));
    assert.equal(row.warnings[0].length, 50_000, 'nothing else is cut for a program');
    assert.equal(row.repo_root, world.repo.root);
    assert.equal(row.files_changed.length, 1);
    const { fields: none } = await call(mcp, 'job_feed', { folders: [world.repo.scratch] });
    assert.deepEqual([none['jobs'], none['total']], [[], 0]);
    const { fields: whole } = await call(mcp, 'job_status', { job_id: job.id });
    assert.equal(whole['job'].task, task, 'a person reads the brief');
  });

  it('read_log: page by page', async () => {
    const job = await world.job({ writes: { 'b.txt': 'B\n' } });
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join('');
    writeFileSync(join(jobDir(world.repo.stateDir, job.id), 'transcript.txt'), lines);
    let text = '';
    let offset = 0;
    for (;;) {
      const { fields } = await call(mcp, 'read_log', {
        job_id: job.id,
        what: 'transcript',
        offset,
        max_bytes: 1024,
      });
      text += fields['text'];
      offset = fields['next_offset'];
      if (offset === fields['size_bytes']) break;
    }
    assert.equal(text, lines);
    assert.equal(
      (await call(mcp, 'read_log', { job_id: job.id, what: 'gate', offset: 0 })).fields[
        'size_bytes'
      ],
      0,
    );
  });

  it('review: state, both sides, an edit, a drop and an accept of the rest', async () => {
    const job = await world.job({
      writes: { 'a.txt': '1\n2\nthree\n', 'new.txt': 'new\n', 'b.txt': 'B\n' },
      isGated: true,
    });
    const id = { job_id: job.id };
    const { fields: state } = await call(mcp, 'review_job', id);
    assert.deepEqual(
      [state['note'], state['gate_covers'], state['root'], state['files'].length],
      [null, 'exact', job.root, 3],
    );
    const side = async (path: string, of: 'base' | 'job') =>
      (await call(mcp, 'review_file', { ...id, path, side: of })).fields;
    assert.equal(plain((await side('a.txt', 'base'))['content_base64']), '1\n2\n3\n');
    assert.equal(plain((await side('a.txt', 'job'))['content_base64']), '1\n2\nthree\n');
    assert.equal((await side('new.txt', 'base'))['exists'], false);
    const big = 'x'.repeat(5 * 1024 * 1024);
    await call(mcp, 'save_review_file', { ...id, path: 'new.txt', content_base64: base64(big) });
    assert.equal(plain((await side('new.txt', 'job'))['content_base64']), big);
    assert.equal((await call(mcp, 'review_job', id)).fields['gate_covers'], 'edited');
    const { fields: dropped } = await call(mcp, 'drop_files', { ...id, files: ['b.txt'] });
    assert.deepEqual(dropped['job'].review.dropped, ['b.txt']);
    const { fields: accepted } = await call(mcp, 'accept_job', id);
    assert.equal(accepted['result'].status, 'applied');
    assert.equal(accepted['job'].review.by, 'person:vscode');
    assert.equal(accepted['job'].gate.covers, 'edited');
    const { fields: undone } = await call(mcp, 'undo_accept', id);
    assert.equal(undone['job'].review.status, 'pending');
    assert.equal(existsSync(world.repo.path('new.txt')), false);
    const { fields: rejected } = await call(mcp, 'reject_job', id);
    assert.equal(rejected['job'].review.status, 'rejected');
    await call(mcp, 'restore_job', id);
    assert.equal((await call(mcp, 'review_job', id)).fields['note'], null);
  });

  it('a conflict is an error with the files beside it; the merge editor’s text settles it; the gate runs on what was merged', async () => {
    const job = await world.job({
      writes: { 'a.txt': '1\njob\n3\n', 'c.txt': 'c\n' },
      isGated: true,
    });
    const id = { job_id: job.id };
    world.repo.write('a.txt', '1\nmine\n3\n');
    const { fields: refused, isError } = await call(mcp, 'accept_job', id);
    assert.equal(isError, true);
    assert.equal(refused['error'].kind, 'conflict');
    assert.deepEqual(
      refused['result'].conflicts.map((found: { path: string; reason: string }) => [
        found.path,
        found.reason,
      ]),
      [['a.txt', 'overlap']],
    );
    const { fields: texts } = await call(mcp, 'merge_inputs', { ...id, path: 'a.txt' });
    assert.equal(plain(texts['base_base64']), '1\n2\n3\n');
    assert.equal(plain(texts['yours_base64']), '1\nmine\n3\n');
    assert.equal(plain(texts['job_base64']), '1\njob\n3\n');
    const marked = plain(texts['result_base64']);
    assert.match(marked, /^<{7}[^]*^>{7}/m);
    const accept = async (text: string) =>
      call(mcp, 'accept_job', {
        ...id,
        resolved: [{ path: 'a.txt', content_base64: base64(text) }],
      });
    const { fields: unresolved } = await accept(marked);
    assert.equal(unresolved['result'].conflicts[0].reason, 'unresolved');
    assert.equal(world.repo.read('a.txt'), '1\nmine\n3\n');
    const { fields: done } = await accept('1\nmine and job\n3\n');
    assert.equal(done['result'].status, 'applied');
    assert.equal(done['job'].gate.covers, 'merged');
    assert.equal(world.repo.read('a.txt'), '1\nmine and job\n3\n');
    assert.equal((await call(mcp, 'review_job', id)).fields['gate_covers'], 'merged');
    world.repo.write('new.txt', 'there\n');
    const { fields: judged } = await call(mcp, 'run_gate', id);
    assert.deepEqual(
      [judged['job'].gate.status, judged['job'].gate.covers],
      ['passed', 'exact'],
      'in the checkout, where the merged text is',
    );
    const { isError: isUnknown } = await call(mcp, 'accept_job', {
      ...id,
      resolved: [{ path: 'nowhere.txt', content_base64: '' }],
    });
    assert.equal(isUnknown, true);
    world.repo.git('checkout', '-q', '--', '.');
    world.repo.git('clean', '-qfd');
  });

  it('a large file goes both ways', async () => {
    const job = await world.job({ writes: { 'b.txt': 'B\n' } });
    const id = { job_id: job.id, path: 'b.txt' };
    // As base64 more than the SDK's own buffer holds.
    const large = Buffer.alloc(12 * 1024 * 1024, 'large ');
    const { fields } = await call(mcp, 'save_review_file', {
      ...id,
      content_base64: large.toString('base64'),
    });
    assert.equal(fields['size_bytes'], large.length);
    const { fields: read } = await call(mcp, 'review_file', { ...id, side: 'job' });
    assert.ok(Buffer.from(String(read['content_base64']), 'base64').equals(large));
  });

  it('a text that is no base64 is refused before anything is written', async () => {
    const job = await world.job({ writes: { 'b.txt': 'B\n' } });
    const { fields } = await call(mcp, 'save_review_file', {
      job_id: job.id,
      path: 'b.txt',
      content_base64: 'no base64!',
    });
    assert.equal(fields['error'].kind, 'bad_argument');
    assert.equal(readFileSync(join(job.root, 'b.txt'), 'utf8'), 'B\n');
  });

  it('a gate that did not pass has to be named as accepted; a failed job with changes waits for review too', async () => {
    const job = await world.job({ writes: { 'b.txt': 'B\n' }, isGated: true });
    const gate = job.gate === null ? null : { ...job.gate, status: 'failed' as const, exit: 1 };
    world.store.update(job.id, (record) => ({ ...record, gate }));
    const { fields } = await call(mcp, 'accept_job', { job_id: job.id });
    assert.equal(fields['error'].kind, 'review_required');
    const { fields: taken } = await call(mcp, 'accept_job', {
      job_id: job.id,
      accept_gate_failure: true,
    });
    assert.equal(taken['job'].review.status, 'accepted');
    const failed = await world.job({ writes: { 'b.txt': 'B2\n' }, record: { status: 'failed' } });
    const { fields: feed } = await call(mcp, 'job_feed', { limit: 1 });
    assert.ok(feed['jobs'].some((found: { id: string }) => found.id === failed.id));
    const { fields: forced } = await call(mcp, 'accept_job', {
      job_id: failed.id,
      accept_gate_failure: true,
    });
    assert.equal(forced['result'].status, 'refused', 'b.txt was changed by the job before');
    world.repo.git('checkout', '-q', '--', '.');
  });

  it('scan_endpoints finds what listens on loopback and names it; what is no model server is not told', async () => {
    const rehearsal = await startRehearsal({});
    const { createServer } = await import('node:http');
    const other = createServer((_request, response) => response.end('<html>hello</html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const otherPort = (other.address() as { port: number }).port;
    const port = Number(new URL(rehearsal.url).port);
    try {
      const { fields } = await call(mcp, 'scan_endpoints', { ports: [port, otherPort, 1] });
      assert.ok(fields['asked'].includes(`http://127.0.0.1:${port}`));
      assert.ok(
        fields['asked'].every((url: string) => /^http:\/\/(127\.0\.0\.1|\[::1\]):/.test(url)),
      );
      assert.equal(fields['found'].length, 1);
      const [found] = fields['found'];
      assert.equal(found.base_url, `http://127.0.0.1:${port}`);
      assert.match(found.suggested_name, /^[A-Za-z0-9][A-Za-z0-9._-]*$/);
      assert.equal(found.registered_as, null);
      assert.equal(found.probe.models[0].id, 'rehearsal');
      await mcp.call('register_endpoint', {
        name: 'mine',
        base_url: `http://localhost:${port}`,
      });
      const { fields: again } = await call(mcp, 'scan_endpoints', { ports: [port] });
      assert.equal(again['found'][0].registered_as, 'mine');
    } finally {
      other.close();
      await rehearsal.close();
    }
  });

  it('doctor: what the command prints, without a secret or the home of the user', async () => {
    const secret = 'sk-test-0123456789abcdef0123';
    await call(mcp, 'doctor');
    const modelsFile = join(world.repo.scratch, 'config/delegation-bridge/models.yaml');
    const before = readFileSync(modelsFile, 'utf8');
    writeFileSync(
      modelsFile,
      `${before}endpoints:\n  far: { base_url: "http://127.0.0.1:9", notes: "key ${secret}", api_key: ${secret} }\n`,
    );
    const { report } = (await call(mcp, 'doctor')).fields;
    writeFileSync(modelsFile, before);
    assert.match(report, /Delegation Bridge/);
    assert.match(report, /endpoints\.far\.base_url/);
    assert.doesNotMatch(report, new RegExp(secret));
    assert.ok(!String(report).includes(world.repo.home));
  });

  it('a change by another process is told within 300 ms', async () => {
    const job = await world.job({ record: { status: 'running' } });
    const uri = `delegate://jobs/${job.id}`;
    const told: number[] = [];
    mcp.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      if (params.uri === uri) told.push(performance.now());
    });
    await mcp.client.subscribeResource({ uri });
    const delays: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      // Also right after another change, when the server is holding back.
      await delay(round % 2 === 0 ? 10 : 330);
      told.length = 0;
      const changedAt = performance.now();
      world.store.update(job.id, (record) => ({ ...record, toolCalls: round }));
      const deadline = changedAt + 5_000;
      while (!told.some((at) => at > changedAt) && performance.now() < deadline) await delay(2);
      delays.push((told.at(-1) ?? Number.POSITIVE_INFINITY) - changedAt);
    }
    await mcp.client.unsubscribeResource({ uri });
    const sorted = [...delays].sort((a, b) => a - b);
    const figures = `median ${Math.round(sorted[10] ?? 0)} ms, longest ${Math.round(sorted.at(-1) ?? 0)} ms`;
    // On a busy machine a process may wait for its turn, so the longest has room.
    assert.ok((sorted[10] ?? Infinity) <= 300, figures);
    assert.ok((sorted.at(-1) ?? Infinity) <= 2_000, figures);
    if (process.env['DELEGATE_TEST_FIGURES'] !== undefined) process.stderr.write(`${figures}\n`);
  });

  it('a changed models.yaml is told to whoever subscribed to the endpoints', async () => {
    const uri = 'delegate://endpoints';
    let told = 0;
    mcp.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      if (params.uri === uri) told += 1;
    });
    await mcp.client.subscribeResource({ uri });
    const file = world.repo.path('models.yaml');
    writeFileSync(file, 'endpoints: {}\n');
    const deadline = performance.now() + 20_000;
    while (told === 0 && performance.now() < deadline) await delay(20);
    assert.ok(told > 0);
    await mcp.client.unsubscribeResource({ uri });
  });
});

describe('the ui profile in a window that is not trusted', function () {
  this.timeout(120_000);

  it('only looks: every tool that reads works, and nothing of the workspace runs', async () => {
    const world = reviewWorld({
      files: {
        'a.txt': '1\n2\n3\n',
        '.gitattributes': '* filter=evil diff=evil merge=evil\n',
        'models.yaml': 'gates: { tests: { run: touch gate-ran } }\n',
      },
    });
    const canary = join(world.repo.scratch, 'canary');
    const evil = join(world.repo.scratch, 'evil.sh');
    writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${canary}\ncat\n`, { mode: 0o755 });
    const job = await world.job({ writes: { 'a.txt': '1\njob\n3\n', 'n.txt': 'n\n' } });
    const taken = await world.job({ writes: { 'a.txt': '1\n2\nother\n' } });
    await world.reviews.reject(taken.id, {
      kind: 'person',
      name: 'vscode',
      session: null,
      pid: null,
    });
    for (const [name, value] of [
      ['filter.evil.clean', evil],
      ['filter.evil.smudge', evil],
      ['filter.evil.process', evil],
      ['filter.evil.required', 'true'],
      ['filter.odd=name.clean', evil],
      ['diff.evil.textconv', evil],
      ['diff.evil.command', evil],
      ['diff.external', evil],
      ['merge.evil.driver', evil],
      ['core.fsmonitor', evil],
      ['core.hooksPath', join(world.repo.scratch, 'hooks')],
    ] as const)
      world.repo.git('config', name, value);
    mkdirSync(join(world.repo.scratch, 'hooks'));
    for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction'])
      writeFileSync(join(world.repo.scratch, 'hooks', hook), readFileSync(evil), { mode: 0o755 });
    // So that git has to look into the files.
    world.repo.write('a.txt', '1\nmine\n3\n');

    const mcp = await openServer(world, '--restricted');
    try {
      const { tools } = await mcp.client.listTools();
      assert.ok(tools.every((tool) => tool.annotations?.readOnlyHint === true));
      const id = { job_id: job.id };
      const reads: [UiToolName, Record<string, unknown>][] = [
        ['job_feed', {}],
        ['job_status', id],
        ['read_log', { ...id, what: 'transcript', offset: 0 }],
        ['review_job', id],
        ['review_job', { job_id: taken.id }],
        ['review_file', { ...id, path: 'a.txt', side: 'base' }],
        ['review_file', { ...id, path: 'a.txt', side: 'job' }],
        ['review_file', { job_id: taken.id, path: 'a.txt', side: 'job' }],
        ['merge_inputs', { ...id, path: 'a.txt' }],
        ['list_models', {}],
        ['doctor', {}],
      ];
      for (const [name, args] of reads) {
        const { isError, fields } = await call(mcp, name, args);
        assert.equal(isError, false, `${name}: ${JSON.stringify(fields['error'])}`);
      }
      const diff = await mcp.call('job_diff', id);
      assert.match(diff.text + JSON.stringify(diff.fields), /job/);
      assert.equal(diff.isError, false);
      for (const [name, args] of [
        ['save_review_file', { ...id, path: 'a.txt', content_base64: '' }],
        ['drop_files', { ...id, files: ['a.txt'] }],
        ['accept_job', id],
        ['retry_job', id],
        ['scan_endpoints', {}],
        ['run_gate', id],
      ] as const) {
        const { fields } = await call(mcp, name, args);
        assert.equal(fields['error'].kind, 'restricted', name);
      }
      assert.equal(existsSync(canary) ? readFileSync(canary, 'utf8') : '', '');
      assert.equal(existsSync(join(job.root, 'gate-ran')), false);
    } finally {
      assert.equal(await mcp.leave(), 0);
      await world.dispose();
    }
  });
});
