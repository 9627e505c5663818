import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS, COMMANDS_WITHOUT_TRUST } from '../../src/contributions.ts';
import { eventually } from './eventually.ts';
import { hostWorld } from './support/hostWorld.ts';
import { change, problem } from './support/modelsEditor.ts';
import { itOnPage, onPage, shot } from './support/page.ts';
import { processesOfRun } from './support/processesOfRun.ts';

const COMMAND_LIMIT_MS = 1_500;
const NAMES = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];

describe('Restricted Mode', function () {
  this.timeout(180_000);
  const world = hostWorld();
  after(() => world.dispose());
  const log = join(world.repo.scratch, 'asked.log');
  const evil = vscode.Uri.file(join(world.repo.root, '.claude/agents/evil.md'));
  let jobId = '';
  let asItWas: Snapshot;

  before(async () => {
    [jobId = ''] = world.seedJobs(3);
    const extension = vscode.extensions.getExtension('delegation-bridge.delegation-bridge');
    await extension?.activate();
    await vscode.commands.executeCommand(COMMANDS.showServerVersion);
    asItWas = snapshot(world);
  });

  it('is what this window is in', () => {
    assert.equal(vscode.workspace.isTrusted, false);
  });

  for (const isNamed of [false, true]) {
    it(`refuses every command that needs trust${isNamed ? ', a job given' : ''}, and says so at once`, async () => {
      for (const name of NAMES.filter((each) => !COMMANDS_WITHOUT_TRUST.includes(each))) {
        const args = isNamed ? [{ kind: 'job', jobId }] : [];
        const startedMs = performance.now();
        assert.equal(
          await vscode.commands.executeCommand(COMMANDS[name], ...args),
          undefined,
          name,
        );
        // A question would still wait for its answer.
        assert.ok(performance.now() - startedMs < 10_000, name);
      }
    });
  }

  it('runs every command that only looks, without harm', async () => {
    for (const name of COMMANDS_WITHOUT_TRUST) {
      await Promise.race([
        vscode.commands.executeCommand(COMMANDS[name], { kind: 'job', jobId }),
        new Promise((resolve) => setTimeout(resolve, COMMAND_LIMIT_MS)),
      ]);
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('has left the machine as it was', async () => {
    await eventually(
      () => bridges(world).length === 1,
      () => `one server, not ${JSON.stringify(ourProcesses(world))}`,
    );
    assert.match(bridges(world)[0] ?? '', /server\.cjs --profile ui --restricted$/);
    // The one that checks models.yaml, which was opened, only reads it.
    assert.ok(ourProcesses(world).length <= 2, JSON.stringify(ourProcesses(world)));
    assert.deepEqual(snapshot(world), asItWas);
  });

  it('checks models.yaml, and reads no definition of an agent, open or not', async () => {
    const models = vscode.Uri.file(join(world.repo.root, 'models.yaml'));
    await vscode.window.showTextDocument(models);
    await change(models, 'max_turns', 'max_trns');
    await problem(models, /max_trns/);
    await vscode.window.showTextDocument(evil);
    await change(evil, 'Do as I say.', 'Do as I say, at once.');
    // Longer than a trusted window waits; and the problem of models.yaml was found meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.deepEqual(vscode.languages.getDiagnostics(evil), []);
    for (const uri of [models, evil]) {
      await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('has asked no endpoint, neither the one of the workspace nor the own', () => {
    assert.equal(readFileSync(log, 'utf8'), '');
  });

  itOnPage('says why in its views, which go on to show what there is', async () => {
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await onPage(({ openView }) => openView('Delegation'));
    for (const part of ['nothing runs until you trust', 'Finished (3)', 'not asked in Restricted'])
      await eventually(async () => (await sidebar()).includes(part), part);
    await shot('restricted-mode');
  });

  itOnPage('works as soon as the workspace is trusted, without a reload', async () => {
    await vscode.commands.executeCommand('workbench.trust.manage');
    await onPage(({ page }) =>
      page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click(),
    );
    await eventually(() => vscode.workspace.isTrusted, 'the workspace is trusted');
    await onPage(({ openView }) => openView('Delegation'));
    await eventually(
      () => readFileSync(log, 'utf8').includes('/user/'),
      "the user's own endpoint is asked",
    );
    assert.doesNotMatch(readFileSync(log, 'utf8'), /\/workspace\//, 'that needs trust of its own');
    await problem(evil, /there is no tool "Raed"/);
  });

  itOnPage('shows what the repository brings along before it counts', async () => {
    const decided = vscode.commands.executeCommand(COMMANDS.trustRepositorySettings);
    await eventually(() => quickInput('evil'), 'the settings are shown');
    const shown = await onPage(({ page }) => page.locator('.quick-input-widget').innerText());
    for (const part of ['gates', 'touch evil', 'theirs', '.claude/settings.json'])
      assert.ok(shown.includes(part), `${part} in ${shown}`);
    await onPage(({ press }) => press('ArrowDown', 'Enter'));
    assert.equal(await decided, true);
    const facts = await world.bridge.configFacts(world.repo.root);
    assert.ok(facts.endpoints.some(({ name }) => name === 'theirs'));
    assert.deepEqual(facts.untrusted, []);
  });
});

type Snapshot = Readonly<Record<string, string>>;

/** Everything in the workspace and in the folder of the configuration: kind, size and time of change. */
function snapshot(world: ReturnType<typeof hostWorld>): Snapshot {
  const config = join(world.repo.scratch, 'config');
  return Object.fromEntries(
    [world.repo.root, config].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
        const file = join(entry.parentPath, entry.name);
        const { size, mtimeMs, mode } = statSync(file);
        return [file, entry.isDirectory() ? 'folder' : `${size} ${mtimeMs} ${mode}`];
      }),
    ),
  );
}

/** Command lines of the processes of our programs. */
function ourProcesses(world: ReturnType<typeof hostWorld>): string[] {
  return processesOfRun(world.repo.scratch)
    .map(({ argv }) => argv.join(' '))
    .filter((line) => /(\/dist\/\w+\.cjs|delegate\.cjs|delegate-guard)/.test(line));
}

/** Without the language server of models.yaml. */
function bridges(world: ReturnType<typeof hostWorld>): string[] {
  return ourProcesses(world).filter((line) => !line.includes('/languageServer.cjs'));
}

function sidebar(): Promise<string> {
  return onPage(({ page }) => page.locator('.sidebar').innerText());
}

function quickInput(text: string): Promise<boolean> {
  return onPage(async ({ page }, wanted) => {
    const widget = page.locator('.quick-input-widget');
    return (await widget.isVisible()) && (await widget.innerText()).includes(wanted);
  }, text);
}
