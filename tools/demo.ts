// The main job from end to end, in the terminal: a repository with a red test, a brief, a worktree, a gate, a diff, an accept, a receipt.
//   npm run demo [-- --endpoint URL] [-- --runner claude-code|loop] [-- --keep]
// Without --endpoint the rehearsal server plays the model: no model, no account, no network. Without --runner Claude Code drives it where
// it is installed, else the bridge's own loop does. Everything lies in one scratch folder.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { PRACTICE_FILES } from '../src/bridge/practiceFiles.ts';

const ROOT = resolve(import.meta.dirname, '..');
const { values: flags } = parseArgs({
  options: {
    endpoint: { type: 'string' },
    runner: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

const TASK = `The test in range.test.js is red: range(1, 3) must be [1, 2, 3]. Find the bug in range.js, fix it there, run "node --test", and report what you changed.
Do not change the test.`;
const SCRIPT = `
\`\`\`rehearsal
read range.js
run: node --test
edit range.js: number < end => number <= end
run: node --test
say: The loop in range.js left out the last number; it now runs to number <= end. "node --test" passes.
\`\`\``;

interface Job {
  readonly id: string;
  readonly status: string;
  readonly failure: { message: string; hint: string } | null;
  readonly gate: { status: string } | null;
}
interface EndpointView {
  readonly name: string;
  readonly base_url: string;
  readonly locality: string;
  readonly probe: {
    readonly state: string;
    readonly models: { readonly id: string; readonly context: number | null }[];
  };
}
interface Answer {
  readonly structuredContent?: Record<string, unknown>;
  readonly content?: { type: string; text?: string }[];
  readonly isError?: boolean;
}

const scratch = mkdtempSync(join(tmpdir(), 'delegate-demo-'));
const project = join(scratch, 'project');
const configHome = join(scratch, 'config');
const startedAt = Date.now();
const ended: (() => void)[] = [];

function say(text = ''): void {
  process.stdout.write(`${text}\n`);
}

function step(text: string): void {
  say(`\n${((Date.now() - startedAt) / 1000).toFixed(1).padStart(5)} s  ${text}`);
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '         ');
}

const env: Record<string, string> = {
  PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
  HOME: join(scratch, 'home'),
  XDG_CONFIG_HOME: configHome,
  DELEGATE_STATE: join(scratch, 'state'),
  GIT_CONFIG_NOSYSTEM: '1',
};

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: project,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function makeProject(): void {
  for (const folder of [project, env['HOME'] ?? '', join(configHome, 'delegation-bridge')])
    mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(PRACTICE_FILES))
    writeFileSync(join(project, name), text);
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=Demo', '-c', 'user.email=demo@example.invalid', 'add', '.');
  git(
    '-c',
    'user.name=Demo',
    '-c',
    'user.email=demo@example.invalid',
    'commit',
    '-q',
    '-m',
    'A range with a bug',
  );
}

/** `node --test` in the checkout; the words of its summary. */
function testCheckout(): string {
  try {
    execFileSync(process.execPath, ['--test'], { cwd: project, env, stdio: 'pipe' });
    return 'green';
  } catch (error) {
    if ((error as { status?: number }).status === 1) return 'red';
    throw error;
  }
}

const RUNNERS = {
  'claude-code': 'Claude Code in a worktree of its own',
  loop: 'the bridge’s own loop in a worktree of its own',
} as const;
type Runner = keyof typeof RUNNERS;

function chooseRunner(): Runner {
  const { runner } = flags;
  if (runner === undefined) return isClaudeInstalled() ? 'claude-code' : 'loop';
  if (Object.hasOwn(RUNNERS, runner)) return runner as Runner;
  throw new Error(`--runner takes ${Object.keys(RUNNERS).join(' or ')}, not "${runner}".`);
}

/** Run, not looked for: without its optional part the package leaves a program that only says so. */
function isClaudeInstalled(): boolean {
  const { status } = spawnSync('claude', ['--version'], { env, stdio: 'ignore', timeout: 30_000 });
  return status === 0;
}

async function startModel(): Promise<string> {
  if (flags.endpoint !== undefined) return flags.endpoint;
  const child = spawn(
    process.execPath,
    [join(ROOT, 'bin/delegate.cjs'), 'rehearse', '--port', '0'],
    {
      cwd: scratch,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  ended.push(() => child.kill());
  return new Promise((done, fail) => {
    let said = '';
    child.once('exit', (code) => fail(new Error(`The rehearsal server ended with ${code}.`)));
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (url !== undefined) done(url);
    });
  });
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  onProgress?: (text: string) => void,
): Promise<Answer> {
  const answer = (await client.callTool({ name, arguments: args }, undefined, {
    timeout: 30 * 60_000,
    resetTimeoutOnProgress: true,
    onprogress: (progress) => onProgress?.(progress.message ?? ''),
  })) as Answer;
  if (answer.isError === true)
    throw new Error(
      answer.content?.map((block) => block.text ?? '').join('\n') ?? 'the call failed',
    );
  return answer;
}

async function main(): Promise<void> {
  step('A repository with a red test');
  makeProject();
  say(indent(`${project}: node --test is ${testCheckout()}`));

  step(
    flags.endpoint === undefined
      ? 'A model server: the rehearsal one, which plays a script'
      : `Your model server: ${flags.endpoint}`,
  );
  const url = await startModel();
  const models = join(configHome, 'delegation-bridge', 'models.yaml');
  writeFileSync(
    models,
    `endpoints:\n  demo: { base_url: "${url}" }\ngates:\n  tests: { run: node --test, protect: ["*.test.js"], baseline: true }\n`,
  );
  say(indent(`models.yaml names it as "demo" at ${url}`));

  step('The bridge, as an MCP server over stdio, and what it knows');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(ROOT, 'dist/server.cjs'), '--config', models],
    cwd: project,
    env,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'delegate-demo', version: '1' });
  await client.connect(transport);
  ended.push(() => void client.close());
  const overview = await call(client, 'list_models', {});
  for (const { name, base_url: at, locality, probe } of overview.structuredContent?.[
    'endpoints'
  ] as EndpointView[]) {
    const served = probe.models
      .map((model) => `${model.id} (window ${model.context ?? 'unknown'})`)
      .join(', ');
    say(indent(`${name}: ${probe.state}, ${locality}, ${at}, serves ${served || 'nothing'}`));
  }

  const runner = chooseRunner();
  step(`run_agent: ${RUNNERS[runner]}, judged by the repository’s own tests`);
  if (runner === 'loop' && flags.runner === undefined)
    say(indent('Claude Code is not installed here, so the runner is "loop"; it needs nothing.'));
  const started = await call(client, 'run_agent', {
    task: TASK + (flags.endpoint === undefined ? SCRIPT : ''),
    runner,
    isolation: 'worktree',
    gate: 'tests',
    cwd: project,
  });
  const { id } = started.structuredContent?.['job'] as Job;
  let last = '';
  const waited = await call(
    client,
    'wait_jobs',
    { job_ids: [id], mode: 'all', timeout_s: 1800 },
    (text) => {
      if (text !== last) say(indent(text));
      last = text;
    },
  );
  const [job] = (waited.structuredContent?.['jobs'] ??
    waited.structuredContent?.['finished']) as Job[];
  if (job === undefined || job.status !== 'done') {
    throw new Error(
      `The job ended as ${job?.status ?? 'unknown'}: ${job?.failure?.message ?? ''} ${job?.failure?.hint ?? ''}`,
    );
  }
  say(
    indent(
      `checkout meanwhile: git status says "${git('status', '--porcelain').trim() || 'clean'}", node --test is ${testCheckout()}`,
    ),
  );

  step('What it changed');
  const diff = await call(client, 'job_diff', { job_id: id });
  say(indent(diff.structuredContent?.['patch'] as string));

  step('accept_job: into the checkout');
  await call(client, 'accept_job', { job_id: id });
  const verdict = testCheckout();
  say(indent(`git status: ${git('status', '--porcelain').trim()}; node --test is ${verdict}`));

  step('The receipt');
  say(
    indent(
      execFileSync(process.execPath, [join(ROOT, 'bin/delegate.cjs'), 'show', id], {
        cwd: project,
        env,
        encoding: 'utf8',
      }),
    ),
  );
  if (verdict !== 'green') throw new Error('The tests are still red in the checkout.');
  say(
    `\nDone in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.${flags.keep ? ` Everything is in ${scratch}.` : ''}`,
  );
}

try {
  if (!existsSync(join(ROOT, 'dist/server.cjs')))
    throw new Error('dist/ is missing: run "npm run build" first.');
  await main();
} catch (error) {
  process.stderr.write(
    `\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
} finally {
  for (const end of ended.reverse()) end();
  if (!flags.keep) rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  else if (process.exitCode === 1) process.stderr.write(`Everything is kept in ${scratch}.\n`);
}
