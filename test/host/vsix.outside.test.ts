import assert from 'node:assert/strict';
import { execFile as execFileOf, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { after, afterEach, before, describe, it } from 'mocha';
import { bridgeWorld, ROOT, type BridgeWorld } from '../support/bridgeWorld.ts';
import { whyNoClaude } from '../support/withClaude.ts';
import { skipBecause } from '../support/skipBecause.ts';
import { eventually } from './eventually.ts';
import { SAMPLE, SAMPLE_FIX } from './support/hostSample.ts';
import { openWindow, runOfSuite, type OpenedWindow } from './support/openWindow.ts';
import { rehearsalTask } from './support/rehearsalTask.ts';

const execFile = promisify(execFileOf);
const CLAUDE = join(ROOT, 'node_modules/.bin/claude');

describe('the VSIX on a machine without Node', function () {
  this.timeout(180_000);
  let folder: string;
  let vsix: string;
  let world: BridgeWorld;
  let window: OpenedWindow;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'delegate-vsix-'));
    vsix = join(folder, 'delegation-bridge.vsix');
    execFileSync('vsce', ['package', '--no-dependencies', '--out', vsix], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(async function () {
    await window.close(this.currentTest);
    await world.dispose();
  });

  /** A window of a machine that has nothing on its PATH but `programs`. */
  async function openWith(programs: Readonly<Record<string, string>>): Promise<void> {
    world = await bridgeWorld({
      ...SAMPLE,
      models: `endpoints:
  rehearsal: { base_url: URL }
gates:
  whitespace: { run: git diff --check, kind: syntax }
`,
      distDir: join(runOfSuite().extension, 'dist'),
    });
    const bin = join(world.repo.scratch, 'bin');
    mkdirSync(bin);
    for (const [name, file] of Object.entries(programs)) symlinkSync(file, join(bin, name));
    window = await openWindow(world, { vsix, env: { PATH: bin } });
    await window.driver.openView('Delegation');
  }

  /** `delegate` as the extension has put it down, with the PATH of the window. */
  async function delegate(...args: string[]): Promise<string> {
    const { stdout } = await execFile(join(world.repo.stateDir, 'bin/delegate'), args, {
      cwd: world.repo.root,
      env: { ...world.env, PATH: join(world.repo.scratch, 'bin') },
    });
    return stdout;
  }

  const row = (text: string | RegExp) =>
    window.page.getByRole('treeitem', { name: text }).first().waitFor({ timeout: 60_000 });

  it('shows its views, finds the endpoint, and without Claude Code uses the built-in loop', async () => {
    await openWith({ git: '/usr/bin/git', sh: '/bin/sh' });
    await row(/rehearsal/);
    await window.driver.runCommand('Delegate: Delegate a Task');
    for (const step of [1, 2, 3]) {
      await window.page.getByText(`Delegate a Task (${step}/3)`).waitFor();
      if (step === 1) await window.page.keyboard.type('Say hello');
      await window.page.keyboard.press('Enter');
    }
    await eventually(() => world.bridge.list().length === 1, 'the job is in the store');
    const job = await world.finished(world.bridge.list()[0]?.id ?? '');
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.runner, 'loop');
    await row(/Say hello/);
  });

  it('runs a job to its end and takes the result', async function () {
    if (whyNoClaude !== null) skipBecause(this, whyNoClaude);
    await openWith({ git: '/usr/bin/git', sh: '/bin/sh', claude: CLAUDE });
    await row(/rehearsal/);
    const fix = SAMPLE_FIX.filter((line) => !line.startsWith('run: node'));
    await delegate('run', rehearsalTask('Fix range()', ...fix), '--gate', 'whitespace');
    const [job] = world.bridge.list();
    assert.equal(job?.status, 'done', JSON.stringify(job?.failure));
    assert.equal(job.gate?.status, 'passed', job.gate?.tail);
    await row(/Fix range\(\)/);
    await delegate('accept', job.id);
    assert.match(world.repo.read('src/range.js'), /number <= end/);
  });
});
