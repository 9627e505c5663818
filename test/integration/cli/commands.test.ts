import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startRehearsal } from '../../../src/rehearsal/startRehearsal.ts';
import { type BridgeWorld, bridgeWorld, script } from '../../support/bridgeWorld.ts';
import { runCommand, startCommand } from '../../support/cliRun.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const GATED = `endpoints:
  rehearsal: { base_url: URL, max_concurrent: 50 }
gates:
  tests: { run: test -f new.txt }
`;

describeWithClaude('delegate: the path of a job', () => {
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld({ models: GATED });
  });
  after(() => world.dispose());

  it('run, show, diff, accept, undo, reject, restore, abandon', async () => {
    const run = await runCommand(world, ['run', '-', '--gate', 'tests', '--kind', 'docs'], {
      stdin: script('write new.txt: made', 'say: It is made.'),
    });
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stdout, /^Answered by +rehearsal at rehearsal \(local/m);
    assert.match(run.stdout, /^Gate +tests passed/m);
    assert.match(run.stdout, /^It is made\.$/m);
    // eslint-disable-next-line no-control-regex -- no colours or cursor moves outside a terminal
    assert.doesNotMatch(run.stdout + run.stderr, /\u001b/);
    const id = /^Job +(\S+)$/m.exec(run.stdout)?.[1] ?? '';
    const tail = id.slice(-6);

    const show = JSON.parse((await runCommand(world, ['show', tail, '--json'])).stdout) as {
      v: number;
      job: { id: string; kind: string; client: { name: string } };
    };
    assert.equal(show.v, 1);
    assert.equal(show.job.id, id);
    assert.equal(show.job.kind, 'docs');
    assert.equal(show.job.client.name, 'cli');
    assert.match((await runCommand(world, ['diff', tail])).stdout, /^\+made$/m);
    assert.equal((await runCommand(world, ['diff', tail, '--name-only'])).stdout, 'new.txt\n');
    assert.match((await runCommand(world, ['log', tail])).stdout, /\[assistant\] It is made\./);

    const file = join(world.repo.root, 'new.txt');
    assert.equal((await runCommand(world, ['accept', tail, '--dry-run'])).code, 0);
    assert.equal(existsSync(file), false);
    assert.equal((await runCommand(world, ['reject', tail])).code, 0);
    assert.equal(
      (await runCommand(world, ['accept', tail])).code,
      1,
      'a rejected job cannot be accepted',
    );
    assert.equal((await runCommand(world, ['restore', tail])).code, 0);
    const accept = await runCommand(world, ['accept', tail]);
    assert.equal(accept.code, 0, accept.stderr);
    assert.equal(readFileSync(file, 'utf8'), 'made');
    assert.match(
      (await runCommand(world, ['show', tail])).stdout,
      /^Review +accepted by person:cli$/m,
    );
    assert.match(
      (await runCommand(world, ['diff', tail])).stdout,
      /^\+made$/m,
      'the patch of an accepted job, whose worktree is gone',
    );
    const undo = await runCommand(world, ['undo', tail]);
    assert.equal(undo.code, 0, undo.stderr);
    assert.equal(existsSync(file), false);
  });

  it('a gate that fails: exit 1, and accept needs --force', async () => {
    const run = await runCommand(world, [
      'run',
      script('write other.txt: x', 'say: done'),
      '--gate',
      'tests',
      '--json',
    ]);
    assert.equal(run.code, 1);
    const { job } = JSON.parse(run.stdout) as {
      job: { id: string; status: string; gate: { status: string } };
    };
    assert.equal(job.status, 'done');
    assert.equal(job.gate.status, 'failed');
    const again = await runCommand(world, ['gate', job.id]);
    assert.equal(again.code, 1, JSON.stringify(again));
    const wait = await runCommand(world, ['wait', job.id]);
    assert.equal(wait.code, 1, 'a red gate is no success');
    assert.match(wait.stdout, /done in \S+, but its gate failed \(tests, exit 1\)/);
    assert.equal((await runCommand(world, ['accept', job.id])).code, 1);
    assert.equal((await runCommand(world, ['accept', job.id, '--force'])).code, 0);
  });

  it('outside of git: what was changed is said to be unknown, never to be nothing', async () => {
    const cwd = join(world.repo.scratch, 'plain');
    mkdirSync(cwd, { recursive: true });
    const task = script('run: echo x > made-by-shell.txt', 'say: done');
    const run = await runCommand(world, ['run', task, '--cwd', cwd, '--isolation', 'none']);
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stdout, /^Changed +not known: the folder is not in a git repository$/m);
    const id = /^Job +(\S+)$/m.exec(run.stdout)?.[1] ?? '';
    const diff = await runCommand(world, ['diff', id]);
    assert.equal(diff.code, 1);
    assert.equal(diff.stdout, '');
    assert.match(diff.stderr, /not known: its folder is not in a git repository/);
  });

  it('--no-wait prints the command that waits, log -f follows, wait says how it ended', async () => {
    const run = await runCommand(world, [
      'run',
      script('hang 1s', 'write late.txt: x', 'say: last words'),
      '--no-wait',
    ]);
    const [id = ''] = run.stdout.split('\n');
    assert.match(run.stdout, new RegExp(`To wait for it: delegate wait ${id}`));
    const [log, wait, old] = await Promise.all([
      runCommand(world, ['log', id, '-f']),
      runCommand(world, ['wait', id]),
      runCommand(world, ['--json', id], { program: 'delegate-wait' }),
    ]);
    const lines = log.stdout.trimEnd().split('\n');
    assert.match(log.stdout, /\[assistant\] last words/);
    assert.equal(new Set(lines).size, lines.length, `each line once:\n${log.stdout}`);
    assert.equal(wait.code, 0);
    assert.match(wait.stdout, new RegExp(`^${id} .*: done in `));
    assert.equal(old.code, 0);
    assert.equal((JSON.parse(old.stdout) as { status: string }).status, 'done');
  });

  it('wait: a job whose process was killed is lost at once, with exit code 1', async () => {
    const { id } = await world.bridge.submit(
      { task: script('hang 60s'), cwd: world.repo.root },
      { kind: 'person', name: 'test', session: null, pid: null },
      world.repo.root,
    );
    const pid = await world.until('the host', () => {
      const job = world.bridge.job(id);
      return job.status === 'running' ? job.host.pid : null;
    });
    const wait = startCommand(world, ['wait', id, '--json']);
    const startMs = performance.now();
    process.kill(pid, 'SIGKILL');
    const { code, stdout } = await wait.ended;
    assert.equal(code, 1);
    assert.equal((JSON.parse(stdout) as { status: string }).status, 'lost');
    assert.ok(performance.now() - startMs < 15_000);
  });

  it('Ctrl+C leaves the job running and says how to go on', async () => {
    const run = startCommand(world, ['run', script('hang 60s')]);
    await world.until('the first word of the job', () => run.output.stderr.includes('running'));
    run.child.kill('SIGINT');
    const { code, stderr } = await run.ended;
    assert.equal(code, 130);
    const id = /delegate cancel (\S+)/.exec(stderr)?.[1] ?? '';
    assert.match(stderr, new RegExp(`The job goes on\\. To wait for it: delegate wait ${id}`));
    assert.equal(world.bridge.job(id).status, 'running');
    const cancel = await runCommand(world, ['cancel', id]);
    assert.equal(cancel.code, 0);
    assert.match(cancel.stdout, /cancelled after/);
    assert.match((await runCommand(world, ['cancel', id])).stdout, /was over already/);
  });

  it('admit starts what waits and leaves', async () => {
    const { code, stdout } = await runCommand(world, ['admit']);
    assert.equal(code, 0);
    assert.equal(stdout, '');
  });
});

describe('delegate: everything else', () => {
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld();
  });
  after(() => world.dispose());

  const sentences: [string[], RegExp][] = [
    [['job'], /^delegate: there is no command "job"\.\nDid you mean "delegate jobs"\?\n$/],
    [['qqqqqqq'], /^delegate: there is no command "qqqqqqq"\.\nSee "delegate --help"\.\n$/],
    [['show', 'nope'], /^There is no job nope\./],
    [['show'], /^delegate show: something is missing\.\nUsage: delegate show/],
    [['run', ' '], /^The task is empty\./],
    [
      ['run', 'x', '--policy', 'everywhere'],
      /^--policy takes local-only, prefer-local, any, not "everywhere"\.\n$/,
    ],
    [['jobs', '--limit', 'many'], /^--limit takes a whole number of at least 1, not "many"\.\n$/],
    [['endpoint', 'remove', 'a', 'b'], /^delegate endpoint: there is no "remove"\./],
    [['secret', 'set'], /^delegate secret: say what to do\./],
    [['mcp', '--profile', 'delegate'], /^There is no profile "delegate"\. The profiles are /],
    [['mcp', '--http', '127.0.0.1:1'], /is not part of this version/],
  ];
  for (const [args, expected] of sentences) {
    it(`delegate ${args.join(' ')}: a sentence on stderr, exit 1`, async () => {
      const { code, stdout, stderr } = await runCommand(world, args);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, expected);
      assert.doesNotMatch(stderr, /\n\s+at |Experimental/, 'no stack, no warning of Node');
    });
  }

  it('help for everything, and the version', async () => {
    const help = await runCommand(world, ['--help']);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /^ {2}run +Hand a task/m);
    assert.doesNotMatch(help.stdout, /admit/);
    assert.match((await runCommand(world, ['help', 'wait'])).stdout, /^Usage: delegate wait/);
    const version = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    assert.equal((await runCommand(world, ['--version'])).stdout, `delegate ${version.version}\n`);
  });

  it('a secret comes from stdin, is listed by name and never shown', async () => {
    const set = await runCommand(world, ['secret', 'set', 'tower_key'], {
      stdin: 'very-hidden-value\n',
    });
    assert.equal(set.code, 0, set.stderr);
    const list = await runCommand(world, ['secret', 'list']);
    assert.equal(list.stdout, 'tower_key\n');
    const doctor = await runCommand(world, ['doctor', '--json']);
    assert.doesNotMatch(
      [set, list, doctor].map((run) => run.stdout + run.stderr).join(''),
      /very-hidden-value/,
    );
    assert.equal((await runCommand(world, ['secret', 'delete', 'tower_key'])).code, 0);
    assert.equal((await runCommand(world, ['secret', 'delete', 'tower_key'])).code, 1);
  });

  it('models and route say what is up and why not; endpoint add writes the sidecar', async () => {
    const gone = await startRehearsal({});
    await gone.close();
    const added = await runCommand(world, ['endpoint', 'add', 'gone', gone.url]);
    assert.match(added.stdout, /^Wrote gone to .*models\.local\.yaml\.\nIt cannot be used now: /);
    const models = await runCommand(world, ['models']);
    assert.match(models.stdout, /^rehearsal .*: reachable/m);
    assert.match(models.stdout, /^gone .*: .+/m);
    const route = await runCommand(world, ['route', '--model', 'rehearsal']);
    assert.match(route.stdout, /^rehearsal at rehearsal, by rule model-exact/);
    const nowhere = await runCommand(world, ['route', '--model', 'gpt-99', '--json']);
    assert.equal(nowhere.code, 1);
    assert.equal((JSON.parse(nowhere.stdout) as { ok: boolean }).ok, false);
  });

  it('an endpoint that wants a key: how to give it one, without the key in any file', async () => {
    const locked = createServer((request, response) => {
      const isOpen = request.headers.authorization === 'Bearer sesame';
      response.writeHead(isOpen ? 200 : 401, { 'content-type': 'application/json' });
      response.end(isOpen ? '{"object":"list","data":[{"id":"vault"}]}' : '{"error":"key"}');
    }).listen(0, '127.0.0.1');
    await once(locked, 'listening');
    const url = `http://127.0.0.1:${(locked.address() as AddressInfo).port}`;
    try {
      const without = await runCommand(world, ['endpoint', 'add', 'locked', url]);
      assert.match(without.stdout, /delegate secret set locked .*--secret locked$/m);
      await runCommand(world, ['secret', 'set', 'locked'], { stdin: 'sesame\n' });
      const added = await runCommand(world, [
        'endpoint',
        'add',
        'locked',
        url,
        '--secret',
        'locked',
      ]);
      assert.match(added.stdout, /It answers and serves vault\./, added.stdout + added.stderr);
      const sidecar = readFileSync(world.modelsFile.replace(/yaml$/, 'local.yaml'), 'utf8');
      assert.match(sidecar, /\$\{secret:locked\}/);
      assert.doesNotMatch(sidecar, /sesame/);
    } finally {
      locked.close();
    }
  });

  it('trust: what the file may do is said, listed and taken back', async () => {
    assert.equal((await runCommand(world, ['trust'])).code, 1, 'there is no file yet');
    const file = join(world.repo.root, 'models.yaml');
    const gates = 'gates:\n  tests: { run: "true" }\n';
    writeFileSync(file, gates);
    assert.match(
      (await runCommand(world, ['trust', '.'])).stdout,
      /You allow:\n {2}gates\nIt is not used all the same: it needs a key "endpoints"/,
    );
    writeFileSync(file, `endpoints:\n  far: { base_url: "http://127.0.0.1:9" }\n${gates}`);
    assert.match(
      (await runCommand(world, ['models'])).stdout,
      /models\.yaml is not trusted, so it is not used\. Read it, then: delegate trust /,
    );
    assert.match((await runCommand(world, ['doctor'])).stdout, /^ {2}workspace .*not trusted/m);
    assert.match(
      (await runCommand(world, ['run', 'x', '--gate', 'tests'])).stderr,
      /^There is no gate tests\.\n.*models\.yaml is not trusted, so its gates do not count\.$/m,
    );
    assert.match(
      (await runCommand(world, ['run', 'x', '--gate', 'constructor'])).stderr,
      /^There is no gate constructor\.$/m,
    );
    const trusted = await runCommand(world, ['trust', world.repo.root]);
    assert.match(
      trusted.stdout,
      /is trusted as it is now\.\nYou allow:\n {2}endpoints\.far\.base_url +"http:\/\/127\.0\.0\.1:9"\n {2}gates\.tests\.run +"true"\n/,
    );
    assert.doesNotMatch((await runCommand(world, ['models'])).stdout, /not trusted/);
    assert.match((await runCommand(world, ['trust', 'list'])).stdout, /models\.yaml +since /);
    assert.equal((await runCommand(world, ['trust', 'revoke', world.repo.root])).code, 0);
    assert.match(
      (await runCommand(world, ['trust', 'list'])).stdout,
      /^No workspace file is trusted\.$/m,
    );
  });

  it('doctor says what an endpoint shows to be wrong, is content, and with a broken file says the place and exits 1', async () => {
    const told = await runCommand(world, ['doctor']);
    assert.equal(told.code, 0, told.stdout);
    assert.match(told.stdout, /models\.yaml:2:\d+: "rehearsal" reports 4 slots; 50 jobs at once/);
    world.writeModels('endpoints:\n  rehearsal: { base_url: URL }\n');
    const good = await runCommand(world, ['doctor']);
    assert.equal(good.code, 0, good.stdout);
    assert.match(good.stdout, /^No problems\.$/m);
    world.writeModels('endpoints:\n  a: [\n');
    const bad = await runCommand(world, ['doctor']);
    assert.equal(bad.code, 1);
    assert.match(bad.stdout, /models\.yaml:\d+:\d+: /);
    world.writeModels('endpoints:\n  rehearsal: { base_url: URL }\n');
  });

  it('jobs and gc on an empty store', async () => {
    assert.match(
      (await runCommand(world, ['jobs'])).stdout,
      /^There are no jobs\. To start one: delegate run/,
    );
    assert.deepEqual(JSON.parse((await runCommand(world, ['jobs', '--json'])).stdout), {
      v: 1,
      jobs: [],
    });
    assert.match((await runCommand(world, ['gc', '--dry-run'])).stdout, /^Would remove 0 jobs/);
  });

  it('rehearse serves until it is told to stop', async () => {
    const run = startCommand(world, ['rehearse', '--json']);
    const { url } = await world.until('its address', () =>
      run.output.stdout.includes('\n') ? (JSON.parse(run.output.stdout) as { url: string }) : null,
    );
    assert.equal((await fetch(`${url}/v1/models`)).status, 200);
    run.child.kill('SIGINT');
    assert.equal((await run.ended).code, 0);
  });
});
