import { after, before, it } from 'mocha';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { rehearsalTask } from './support/rehearsalTask.ts';
import { eventually } from './eventually.ts';
import { SAMPLE_FIX } from './support/hostSample.ts';
import { describeWithClaude, hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage, shot } from './support/page.ts';
import { rowsOf, sidebarWidth } from './support/treeRows.ts';

const PERSON = { name: 'test', kind: 'person', session: null, pid: process.pid } as const;

describeWithClaude('the sidebar', () => {
  const world = hostWorld();
  const { repo, bridge } = world;
  const ids: Record<string, string> = {};
  const run = (command: keyof typeof COMMANDS, ...args: unknown[]) =>
    vscode.commands.executeCommand(COMMANDS[command], ...args);
  const rowThat = async (text: RegExp, what: string): Promise<string> => {
    let rows: string[] = [];
    let found: string | undefined;
    await eventually(
      async () => {
        rows = await rowsOf('Jobs');
        found = rows.find((row) => text.test(row));
        return found !== undefined;
      },
      () => `${what}; there are ${JSON.stringify(rows, null, 1)}`,
    );
    return found ?? '';
  };

  before(async function () {
    this.timeout(240_000);
    await vscode.extensions.getExtension('delegation-bridge.delegation-bridge')?.activate();
    const submit = async (name: string, title: string, lines: readonly string[], gate?: string) => {
      const task = rehearsalTask(title, ...lines);
      ids[name] = (await world.submitJob({ task, ...(gate === undefined ? {} : { gate }) })).id;
    };
    await submit('fixed', 'Fix the off-by-one in range()', SAMPLE_FIX, 'tests');
    await submit(
      'broken',
      'Add a step to range()',
      [
        'read src/range.js',
        'edit src/range.js: number += 1 => number += step',
        'write docs/steps.md: A range can have a step.',
        'say: Added the step.',
      ],
      'tests',
    );
    for (const name of ['fixed', 'broken']) await world.waitForJob(ids[name] ?? '', 180_000);
    await submit('failed', 'Describe the module in one page', ['status 400 no such model']);
    await world.waitForJob(ids['failed'] ?? '', 180_000);
    const working = ['read src/range.js', 'run: node --test', 'hang 600s'];
    await submit('running', 'Port the range helpers to iterators', working);
    await submit('second', 'Write docs for the module', working);
    await submit('waiting', 'Rename start and end', ['say: done']);
    await vscode.commands.executeCommand('workbench.view.extension.delegationBridge');
  });
  after(async () => {
    for (const job of bridge.list({ limit: 600 }))
      if (job.finishedAt === null) await bridge.cancel(job.id, PERSON);
    await world.dispose();
  });

  itOnPage('names each job with its state, for eyes and for screen readers', async () => {
    await rowThat(/^Fix the off-by-one in range\(\), for review, gate passed, 1 file changed/, 'A');
    await rowThat(/^Add a step to range\(\), for review, gate failed \(tests, exit 1\)/, 'B');
    await rowThat(/^Port the range helpers to iterators, running, for /, 'D');
    await rowThat(/^Rename start and end, waiting, 1st in line/, 'E');
    await rowThat(/^For review, 2 jobs/, 'the group');
    await rowThat(/^Finished, 1 job/, 'the group of finished ones');
    const unnamed = await onPage(({ page }) =>
      page
        .locator('.part.sidebar :is(a.action-label, .monaco-button, [role=treeitem])')
        .evaluateAll((all) =>
          all
            .filter((each) => each.checkVisibility())
            .filter((each) => {
              const name =
                each.getAttribute('aria-label') ?? each.getAttribute('title') ?? each.textContent;
              return (name ?? '').trim() === '';
            })
            .map((each) => each.outerHTML.slice(0, 300)),
        ),
    );
    assert.deepEqual(unnamed, []);
  });

  itOnPage(
    'shows a job that another process has started, and its end, within a moment',
    async () => {
      const cli = join(world.env['DELEGATE_STATE'] ?? '', 'bin/delegate');
      const { stdout } = await promisify(execFile)(
        cli,
        ['run', '--no-wait', '--json', rehearsalTask('Started on a terminal', 'say: hello')],
        { cwd: repo.root, env: world.env },
      );
      assert.ok(stdout.includes('"id"'), stdout);
      await rowThat(/^Started on a terminal, waiting, 2nd in line/, 'the job of the command line');
    },
  );

  itOnPage('makes pictures', async () => {
    await sidebarWidth(560);
    await shot('sidebar', '.part.sidebar');
    await vscode.workspace
      .getConfiguration('workbench')
      .update('colorTheme', 'Default High Contrast', vscode.ConfigurationTarget.Global);
    await shot('sidebar-high-contrast', '.part.sidebar');
    await vscode.workspace
      .getConfiguration('workbench')
      .update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
    void run;
  });
});
