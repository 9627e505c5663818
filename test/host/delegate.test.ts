import { after, afterEach, before, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import type { JobRecord } from '../../src/protocol/job.ts';
import { startRehearsal } from '../../src/rehearsal/startRehearsal.ts';
import { eventually } from './eventually.ts';
import { describeWithClaude, hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage, shot } from './support/page.ts';
import { press } from './support/reviewPage.ts';
import { shownStep, type ShownStep, type } from './support/steps.ts';

const isStep = (number: number) => (step: ShownStep) => step.title.includes(`(${number}/3)`);

describeWithClaude('delegating in VS Code', () => {
  const world = hostWorld();
  const { repo, bridge } = world;

  before(async () => {
    await vscode.extensions.getExtension('delegation-bridge.delegation-bridge')?.activate();
  });
  afterEach(async () => {
    for (let n = 0; n < 3 && (await shownStep()) !== null; n++) await press('Escape');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    for (const job of bridge.list()) {
      if (job.finishedAt === null) await bridge.cancel(job.id, PERSON);
    }
    await world.dispose();
  });

  const PERSON = { name: 'test', kind: 'person', session: null, pid: process.pid } as const;
  const run = (command: keyof typeof COMMANDS, ...args: unknown[]) =>
    vscode.commands.executeCommand(COMMANDS[command], ...args);
  const jobs = (): JobRecord[] => bridge.list({ limit: 100 });
  const open = async (path: string, from?: number, to?: number): Promise<vscode.TextEditor> => {
    const document = await vscode.workspace.openTextDocument(join(repo.root, path));
    const editor = await vscode.window.showTextDocument(document);
    if (from !== undefined && to !== undefined)
      editor.selection = new vscode.Selection(from, 0, to, 0);
    return editor;
  };
  /** Waits until the quick input looks like this. */
  const step = async (what: string, isThere: (step: ShownStep) => boolean): Promise<ShownStep> => {
    let shown: ShownStep | null = null;
    await eventually(
      async () => {
        shown = await shownStep();
        return shown !== null && isThere(shown);
      },
      () => `${what}; there is ${JSON.stringify(shown)}`,
    );
    return shown as unknown as ShownStep;
  };
  const gone = () => eventually(async () => (await shownStep()) === null, 'the steps are gone');
  /** Enter on the first row of each step that is left. */
  const enterThrough = async (from: 1 | 2 | 3): Promise<void> => {
    for (let number = from; number <= 3; number++) {
      await step(`step ${number}`, (shown) => isStep(number)(shown) && isReady(shown));
      await press('Enter');
    }
    await gone();
  };
  const isReady = ({ active, rows }: ShownStep): boolean =>
    /Next|Start,|^Start|rehearsal/.test(active) && rows.length > 1;
  const newJob = async (before: readonly JobRecord[]): Promise<JobRecord> => {
    let found: JobRecord | undefined;
    await eventually(() => {
      found = jobs().find(({ id }) => !before.some((each) => each.id === id));
      return found !== undefined;
    }, 'there is a new job');
    return found as JobRecord;
  };

  let firstJob: JobRecord;

  itOnPage('needs only the keyboard, from the palette to a row for review', async () => {
    await open('TASK.md', 0, 9);
    const before = jobs();
    await onPage(({ runCommand }) => runCommand('Delegate: Delegate a Task…'));
    const empty = await step('the first step', isStep(1));
    assert.match(empty.active, /Say what is to be done/);
    await type('Make the range include its end');
    await step('it can go on', ({ active }) => active.includes('Next'));
    const { rows } = await step('the selection is offered', ({ rows: all }) =>
      all.some((row) => row.includes('The selection')),
    );
    await press(
      ...Array<string>(rows.findIndex((row) => row.includes('The selection'))).fill('ArrowDown'),
    );
    await step('the mark is on the selection', ({ active }) => active.includes('The selection'));
    await press('Enter');
    await step(
      'it was added',
      ({ rows: all, active }) =>
        all.some((row) => row.includes('TASK.md:1-9')) && active.includes('Next'),
    );
    await shot('delegate-what');
    await press('Enter');
    const who = await step(
      'who is up',
      (shown) =>
        isStep(2)(shown) &&
        shown.rows.some((row) => row.includes('local')) &&
        /now /.test(shown.rows[0] ?? ''),
    );
    assert.match(who.active, /Let the policy decide/);
    await shot('delegate-who');
    await press('Enter');
    const how = await step(
      'how',
      (shown) => isStep(3)(shown) && shown.active.includes('gate tests'),
    );
    assert.match(how.active, /Start.*worktree · gate tests · prefer-local · whoever/);
    await shot('delegate-how');
    await press('Enter');
    await gone();
    firstJob = await newJob(before);
    assert.match(firstJob.task, /^Make the range include its end\n/);
    assert.equal(firstJob.client.name, 'vscode');
    const ended = await world.waitForJob(firstJob.id);
    assert.equal(ended.status, 'done', JSON.stringify(ended.failure));
    assert.equal(ended.gate?.status, 'passed');
    assert.equal(ended.review.status, 'pending');
  });

  itOnPage('keeps what was typed when it is left, and the answers', async () => {
    await open('README.md');
    void run('delegate');
    await step('the first step', isStep(1));
    await type('A thought that is not finished');
    await step('it is there', ({ active }) => active.includes('Next'));
    await press('Escape');
    await gone();
    void run('delegate');
    const again = await step('the first step again', (shown) => shown.value !== '');
    assert.equal(again.value, 'A thought that is not finished');
    await press('Enter');
    await step('who', isStep(2));
    await vscode.commands.executeCommand('workbench.action.quickInputBack');
    const back = await step('back at what', isStep(1));
    assert.equal(back.value, 'A thought that is not finished');
    const clear = back.rows.findIndex((row) => row.includes('Start over'));
    await press(...Array<string>(clear).fill('ArrowDown'), 'Enter');
    await step('it is empty', ({ value }) => value === '');
    await press('Escape');
    await gone();
  });
});
