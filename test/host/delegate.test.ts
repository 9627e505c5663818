import { after, afterEach, before } from 'mocha';
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

describeWithClaude('delegating in VS Code', function () {
  // A job takes ten seconds, and several times that on a machine under load.
  this.timeout(180_000);
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

  /** From the open first step: empties the draft, which would be there again in the next test. */
  const startOver = async (): Promise<void> => {
    const { rows } = await step('the first step', isStep(1));
    const clear = rows.findIndex((row) => row.includes('Start over'));
    await press(...Array<string>(clear).fill('ArrowDown'), 'Enter');
    await step('it is empty', (shown) => !shown.rows.some((row) => row.includes('Start over')));
  };

  /** Brings the mark to a row, from wherever it is: it goes back to the start when something new is known. */
  const mark = (row: string) =>
    eventually(async () => {
      const isThere = (await shownStep())?.active.includes(row) === true;
      if (!isThere) await press('ArrowDown');
      return isThere;
    }, `the mark is on ${row}`);

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
    await startOver();
    await press('Escape');
    await gone();
  });

  itOnPage('hands over a selection by its key', async () => {
    await open('TASK.md', 2, 9);
    const before = jobs();
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    await press('Control+Alt+d');
    const what = await step('the first step', (shown) =>
      shown.rows.some((row) => row.includes('TASK.md:3-9')),
    );
    assert.match(what.active, /Say what is to be done/);
    await type('Play the lines');
    await enterThrough(1);
    const { task, id } = await newJob(before);
    assert.match(task, /^Play the lines\n\n`TASK\.md:3-9`:\n\n````markdown\n```rehearsal\n/);
    await world.waitForJob(id);
  });

  itOnPage('hands over files from the Explorer', async () => {
    await vscode.commands.executeCommand('workbench.files.action.focusFilesExplorer');
    await onPage(async ({ page }) => {
      await page
        .locator('.explorer-folders-view .monaco-list-row', { hasText: 'README.md' })
        .click();
      await page.keyboard.press('Shift+F10');
      const item = page.getByRole('menuitem', { name: 'Delegate File…' });
      await item.waitFor();
      // A menu takes no click in its first moments, lest the one that opened it count.
      await page.waitForTimeout(700);
      await item.click();
    });
    const one = await step('the first step with the file', (shown) =>
      shown.rows.some((row) => row.includes('README.md')),
    );
    assert.ok(isStep(1)(one));
    await press('Escape');
    await gone();
    const uris = ['package.json', 'src/range.js'].map((path) =>
      vscode.Uri.file(join(repo.root, path)),
    );
    const before = jobs();
    void run('delegateFile', uris[0], uris);
    await step('all files', ({ rows }) =>
      ['README.md', 'package.json', 'src/range.js'].every((path) =>
        rows.some((row) => row.includes(path)),
      ),
    );
    await type('Say what these are for');
    await enterThrough(1);
    const { task } = await newJob(before);
    assert.match(
      task,
      /Files this is about:\n\n- `README\.md`\n- `package\.json`\n- `src\/range\.js`$/,
    );
  });

  itOnPage('hands over a problem from its quick fixes', async () => {
    const editor = await open('src/range.js');
    // The menu waits for the fixes of every provider: the language service of JavaScript takes its time on a busy machine.
    await vscode.languages.setTextDocumentLanguage(editor.document, 'plaintext');
    const problems = vscode.languages.createDiagnosticCollection('test');
    const range = new vscode.Range(3, 2, 3, 5);
    const problem = new vscode.Diagnostic(range, 'The end is left out.');
    Object.assign(problem, { source: 'review', code: 7 });
    problems.set(editor.document.uri, [problem]);
    editor.selection = new vscode.Selection(range.start, range.start);
    const before = jobs();
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    await onPage(async ({ page }) => {
      await page.locator('.squiggly-error').first().waitFor();
      await page.keyboard.press('Control+.');
      await page
        .locator('.action-widget .monaco-list-row.focused', {
          hasText: 'Delegate Fix for This Problem…',
        })
        .waitFor();
      await page.keyboard.press('Enter');
    });
    const what = await step('the first step', ({ active }) => active.includes('Next'));
    assert.match(what.active, /Fix this problem: The end is left out/);
    await enterThrough(1);
    const { task, id } = await newJob(before);
    assert.match(task, /^Fix this problem: The end is left out\. \(src\/range\.js:4\)\n/);
    assert.match(task, /error from review 7 at `src\/range\.js:4:3`/);
    assert.match(task, /number < end/);
    problems.dispose();
    await world.waitForJob(id);
  });

  itOnPage('gives an agent to the built-in loop, which needs no Claude Code', async () => {
    const folder = join(repo.root, '.claude', 'agents');
    mkdirSync(folder, { recursive: true });
    // Another name each time: that of a first try is remembered.
    const name = `reporter-${Date.now()}`;
    writeFileSync(
      join(folder, `${name}.md`),
      '---\ndescription: Reports and changes nothing\ntools: Read\n---\nYou report.\n',
    );
    const before = jobs();
    try {
      void run('delegate');
      await step('the first step', isStep(1));
      await type('Report what this is');
      await step('it can go on', ({ active }) => active.includes('Next'));
      await press('Enter');
      await step('who', (shown) => isStep(2)(shown) && isReady(shown));
      await press('Enter');
      await step('the agents', ({ rows }) => rows.some((row) => row.includes('Agent: ')));
      await eventually(async () => {
        await mark('Agent: ');
        await press('Enter');
        return (await shownStep())?.active.includes(`Agent: ${name}`) === true;
      }, 'the agent is chosen');
      const chosen = await step('the agent', ({ active }) => active.includes(`Agent: ${name}`));
      assert.match(chosen.active, /Reports and changes nothing/);
      assert.ok(chosen.rows.some((row) => row.includes('Runner: built-in loop')));
      assert.match(chosen.rows[0] ?? '', new RegExp(`Start.*agent ${name}`));
      await mark('Start');
      await press('Enter');
      await gone();
      const { id, runner, agent: given } = await newJob(before);
      assert.deepEqual([runner, given?.name], ['loop', name]);
      const ended = await world.waitForJob(id);
      assert.equal(ended.status, 'done', JSON.stringify(ended.failure));
      assert.match(ended.result ?? '', /This is the rehearsal server/);
    } finally {
      rmSync(join(repo.root, '.claude'), { recursive: true });
    }
  });

  itOnPage('hands over a TODO from above it', async () => {
    await open('src/todo.js');
    await onPage(({ page }) =>
      page.locator('.codelens-decoration a', { hasText: 'Delegate' }).click(),
    );
    const what = await step('the first step', ({ active }) => active.includes('Next'));
    assert.match(what.active, /Do what this comment asks for: TODO: play the script/);
    await startOver();
  });

  itOnPage('asks before the text of a file with keys goes along', async () => {
    writeFileSync(join(repo.root, '.env'), 'KEY=not-to-be-sent\n');
    await open('.env', 0, 1);
    void run('delegateSelection');
    const asked = await step('the question', ({ title }) =>
      title.includes('.env may hold keys or passwords'),
    );
    assert.match(asked.active, /^Add the Path Only/);
    await press('Enter');
    await step('the path', ({ rows }) => rows.some((row) => row.startsWith('.env')));
    await startOver();
  });

  itOnPage('takes a long brief from an editor, and closes that once there is a job', async () => {
    void run('delegate');
    const what = await step('the first step', isStep(1));
    const editor = what.rows.findIndex((row) => row.includes('Write the brief in an editor'));
    await press(...Array<string>(editor).fill('ArrowDown'), 'Enter');
    await gone();
    await eventually(
      () => vscode.window.activeTextEditor?.document.isUntitled === true,
      'the brief is open',
    );
    const brief = [
      '# Fix the range',
      '',
      ...readFileSync(join(repo.root, 'TASK.md'), 'utf8').split('\n'),
    ].join('\n');
    await vscode.window.activeTextEditor?.edit((edit) =>
      edit.insert(new vscode.Position(0, 0), brief),
    );
    const before = jobs();
    await onPage(({ page }) =>
      page.locator('.editor-actions a.action-label[aria-label^="Delegate This Brief"]').click(),
    );
    await enterThrough(2);
    const { task, id } = await newJob(before);
    assert.equal(task, brief.trim());
    await eventually(
      () => vscode.workspace.textDocuments.every(({ isUntitled }) => !isUntitled),
      'the brief is closed',
    );
    await world.waitForJob(id);
  });

  itOnPage('delegates again what it shows first, and says what is not part of it', async () => {
    const before = jobs();
    void run('delegateAgain');
    const how = await step('the last step', isStep(3));
    // The .env of another test is not committed.
    const dirty = await step('what is not part of it', ({ rows }) =>
      rows.some((row) => row.includes('your 1 uncommitted change is not part of it')),
    );
    const gate = dirty.rows.findIndex((row) => row.startsWith('Gate: tests'));
    assert.ok(gate > 0, JSON.stringify(how));
    await press(...Array<string>(gate).fill('ArrowDown'), 'Enter');
    await step('no gate', ({ active }) => active.startsWith('Gate: none'));
    await press(...Array<string>(gate).fill('ArrowUp'));
    await step('the start says so', ({ active }) => active.includes('no gate'));
    await press('Enter');
    await gone();
    const job = await newJob(before);
    assert.match(job.task, /^# Fix the range/);
    const ended = await world.waitForJob(job.id);
    assert.equal(ended.gate, null);
  });

  itOnPage('cancels a running job, and shows its end', async () => {
    const task = readFileSync(join(repo.root, 'SLOW.md'), 'utf8');
    const { id } = await bridge.submit({ cwd: repo.root, task }, PERSON, repo.root);
    await eventually(() => bridge.job(id).status === 'running', 'it runs');
    assert.deepEqual(await run('cancelJob', { kind: 'job', jobId: id }), [id]);
    assert.equal(bridge.job(id).status, 'cancelled');
    // One that is over is left as it is.
    assert.deepEqual(await run('cancelJob', firstJob.id), []);
    assert.equal(bridge.job(firstJob.id).status, 'done');
  });

  itOnPage('goes on with a session, with a message that is kept when it is left', async () => {
    void run('resumeJob', { kind: 'job', jobId: firstJob.id });
    await step('the box', ({ title }) => title.includes('Resume “Make the range include its end”'));
    await type('Now add a test');
    await press('Escape');
    await gone();
    const before = jobs();
    void run('resumeJob', firstJob.id);
    const again = await step('the box again', ({ value }) => value !== '');
    assert.equal(again.value, 'Now add a test');
    await press('Enter');
    const job = await newJob(before);
    assert.equal(job.resumedFrom, firstJob.id);
    assert.equal(job.task, 'Now add a test');
    const ended = await world.waitForJob(job.id);
    assert.equal(ended.status, 'done', JSON.stringify(ended.failure));
    assert.equal(ended.gate?.status, 'passed');
  });

  itOnPage('starts a job anew on another endpoint; what is down cannot be taken', async () => {
    const second = await startRehearsal();
    const models = readFileSync(world.modelsFile, 'utf8');
    writeFileSync(
      world.modelsFile,
      models.replace(
        'endpoints:\n',
        `endpoints:\n  second: { base_url: ${second.url} }\n  broken: { base_url: http://127.0.0.1:9 }\n`,
      ),
    );
    try {
      const before = jobs();
      void run('retryJob', { kind: 'job', jobId: firstJob.id });
      const shown = await step('the endpoints', ({ rows }) =>
        rows.some((row) => row.startsWith('broken')),
      );
      assert.match(shown.title, /Retry “Make the range include its end”/);
      assert.match(shown.active, /^rehearsal, .*second/);
      const down = shown.rows.findIndex((row) => row.startsWith('broken'));
      await shot('retry-on');
      await press(
        ...Array<string>(down - shown.rows.indexOf(shown.active)).fill('ArrowDown'),
        'Enter',
      );
      await step('it is still open', ({ active }) => active.startsWith('broken'));
      await press(
        ...Array<string>(down - shown.rows.indexOf(shown.active)).fill('ArrowUp'),
        'Enter',
      );
      await gone();
      const job = await newJob(before);
      assert.equal(job.endpoint, 'second');
      assert.equal(job.task, bridge.job(firstJob.id).task);
      const ended = await world.waitForJob(job.id);
      assert.equal(ended.status, 'done', JSON.stringify(ended.failure));
      assert.equal(ended.gate?.status, 'passed');
    } finally {
      writeFileSync(world.modelsFile, models);
      await second.close();
    }
  });

  itOnPage('runs a gate again, and puts a job aside', async () => {
    assert.equal(await run('runGate', firstJob.id), 'passed');
    assert.deepEqual(await run('abandonJob', { kind: 'job', jobId: firstJob.id }), [firstJob.id]);
    assert.equal(bridge.job(firstJob.id).review.status, 'abandoned');
  });

  itOnPage('keeps everything when a job is refused, and says why', async () => {
    const models = readFileSync(world.modelsFile, 'utf8');
    writeFileSync(world.modelsFile, models.replace(world.rehearsalUrl, 'http://127.0.0.1:9'));
    try {
      void run('delegate');
      await step('the first step', isStep(1));
      await type('Nobody can do this');
      await press('Enter');
      await step('nothing answers', ({ rows }) =>
        rows.some((row) => row.includes('Find Model Servers')),
      );
      await press('Enter');
      await step('how', (shown) => isStep(3)(shown) && shown.active.includes('gate tests'));
      await press('Enter');
      const refused = await step(
        'why',
        ({ rows }) =>
          rows.length > 0 &&
          /no |not|answers/i.test(rows[0] ?? '') &&
          rows.some((row) => row.startsWith('Show Endpoints')),
      );
      assert.match(refused.active, /^Start/);
      await press('Escape');
      await gone();
      void run('delegate');
      assert.equal(
        (await step('the draft', ({ value }) => value !== '')).value,
        'Nobody can do this',
      );
    } finally {
      writeFileSync(world.modelsFile, models);
    }
  });
});
