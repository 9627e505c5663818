import { after, before, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { targetOfTab } from '../../src/host/review/reviewTarget.ts';
import { reviewUri, type ReviewSide } from '../../src/host/review/reviewUri.ts';
import { eventually } from './eventually.ts';
import { hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage, shot } from './support/page.ts';
import {
  clickTitle,
  mergeIsReady,
  pick,
  press,
  quickPick,
  statusBar,
  titleButtons,
} from './support/reviewPage.ts';
import { changeEverything, RANGE_BEFORE, REVIEW_FILES } from './support/reviewSample.ts';
import { treeJob, type TreeJob, type TreeJobOptions } from './support/treeJob.ts';

const LINKED = new Set(['link']);

interface Checkout {
  readonly files: string;
  readonly kept: Readonly<Record<string, string>>;
}

describe('a review in VS Code', function () {
  this.timeout(240_000);
  const world = hostWorld();
  const { repo, bridge } = world;
  let untouched: Checkout;

  before(async () => {
    const extension = vscode.extensions.getExtension('delegation-bridge.delegation-bridge');
    await extension?.activate();
    untouched = checkout();
  });
  // Before and not after, so that the picture of a failure shows it.
  beforeEach(async () => {
    await press('Escape');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    repo.git('checkout', '--quiet', '--', '.');
    repo.git('clean', '-qfd');
  });
  after(() => world.dispose());

  const uri = (job: TreeJob, path: string, side: ReviewSide = 'job') =>
    vscode.Uri.from(reviewUri({ jobId: job.id, path, side }));
  const run = (command: keyof typeof COMMANDS, ...args: unknown[]) =>
    vscode.commands.executeCommand(COMMANDS[command], ...args);
  const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab;
  const target = () => {
    const tab = activeTab();
    return tab === undefined ? null : targetOfTab(tab, () => null);
  };
  const shown = (what: string, isShown: (target: ReturnType<typeof targetOfTab>) => boolean) =>
    eventually(() => isShown(target()), what);
  const review = (job: TreeJob) => bridge.job(job.id).review;
  /** Every file has its word: the worktree is put away. */
  const isDecided = (job: TreeJob) => bridge.job(job.id).worktree?.kept === false;
  /** All that an accept has to leave alone, and the files. The times of the index are VS Code's own git's. */
  const checkout = (): Checkout => {
    const { files, index: _, ...rest } = repo.fingerprint();
    return { files, kept: { ...rest, entries: repo.git('ls-files', '--stage') } };
  };
  const assertUntouched = (isWithFiles = true) => {
    const now = checkout();
    assert.deepEqual(now.kept, untouched.kept);
    if (isWithFiles) assert.equal(now.files, untouched.files);
  };
  /** Types over the first place that has this text, and leaves it unsaved. */
  const solve = async (place: vscode.Uri, from: string, to: string) => {
    await mergeIsReady();
    const document = await vscode.workspace.openTextDocument(place);
    // A merge editor may still be at work on the text: then VS Code does not take the edit.
    await eventually(async () => {
      const at = document.getText().indexOf(from);
      if (at < 0) return false;
      const edit = new vscode.WorkspaceEdit();
      const [start, end] = [document.positionAt(at), document.positionAt(at + from.length)];
      edit.replace(place, new vscode.Range(start, end), to);
      return vscode.workspace.applyEdit(edit);
    }, `${from} is replaced in ${place.path}`);
  };
  const known = async (job: TreeJob): Promise<TreeJob> => {
    // The window knows it once its feed has told.
    await run('refresh');
    return job;
  };
  const everything = async (options: Partial<TreeJobOptions> = {}) =>
    known(
      await treeJob(repo, {
        task: 'Fix the off-by-one in range()',
        change: changeEverything,
        ...options,
      }),
    );
  const rangeJob = async (options: Partial<TreeJobOptions> = {}) =>
    known(
      await treeJob(repo, {
        task: 'Include the end of a range',
        change: (root) => {
          writeFileSync(
            join(root, 'src/range.ts'),
            RANGE_BEFORE.replace('number < end', 'number <= end'),
          );
          writeFileSync(join(root, 'run.sh'), '#!/bin/sh\necho goodbye\n');
        },
        ...options,
      }),
    );

  describe('of every kind of change', () => {
    let job: TreeJob;
    before(async () => {
      job = await everything();
    });

    it('has both sides of each file, byte for byte', async () => {
      const { files } = await bridge.reviews.state(job.id);
      assert.equal(files.length, 16);
      for (const file of files) {
        const { path, oldPath, change } = file;
        const bytes = async (side: ReviewSide, name: string) =>
          Buffer.from(await vscode.workspace.fs.readFile(uri(job, name, side)));
        if (change !== 'deleted') {
          const onDisk = join(job.root, path);
          const expected = LINKED.has(path)
            ? Buffer.from(readlinkSync(onDisk))
            : readFileSync(onDisk);
          assert.deepEqual(await bytes('job', path), expected, path);
          const { size } = await vscode.workspace.fs.stat(uri(job, path));
          assert.equal(size, expected.length, path);
        }
        if (change !== 'added') {
          const name = oldPath ?? path;
          const content = REVIEW_FILES[name];
          assert.ok(content !== undefined, name);
          const expected =
            typeof content === 'object' && 'link' in content
              ? Buffer.from(content.link)
              : Buffer.from(content as string);
          assert.deepEqual(await bytes('base', name), expected, name);
        }
      }
    });

    it('says of what is not there that it is not there', async () => {
      for (const [path, side] of [
        ['docs/gone.md', 'job'],
        ['docs/added.md', 'base'],
        ['nothing.txt', 'job'],
        ['../../etc/passwd', 'job'],
        ['.git/config', 'job'],
      ] as const)
        await assert.rejects(async () => vscode.workspace.fs.readFile(uri(job, path, side)), path);
      const stranger = vscode.Uri.from(
        reviewUri({ jobId: 'no-such-job', path: 'README.md', side: 'job' }),
      );
      await assert.rejects(async () => vscode.workspace.fs.readFile(stranger), /EntryNotFound/);
      await assert.rejects(async () =>
        vscode.workspace.fs.writeFile(uri(job, 'README.md', 'base'), new Uint8Array()),
      );
    });

    itOnPage('opens in the multi-diff editor, with its own buttons', async () => {
      assert.equal(await run('reviewJob', job.id), true);
      await shown('the review of the job', (is) => is?.kind === 'job' && is.jobId === job.id);
      await eventually(
        async () => (await titleButtons()).some((each) => each.startsWith('Accept All Changes')),
        'Accept All Changes stands in the title',
      );
      assert.match(activeTab()?.label ?? '', /^Review: Fix the off-by-one in range\(\)/);
      await eventually(
        async () => (await statusBar()).includes('16 files · gate passed'),
        'the status',
      );
      await shot('review-all');
    });

    itOnPage('opens each change by itself, and says what a diff does not show', async () => {
      const titles: Record<string, RegExp> = {
        'src/range.ts': /^range\.ts \(job: Fix the off-by-one in range\(\)\)$/,
        'src/new näme.ts': /renamed from src\/old name\.ts/,
        'run.sh': /mode 644 → 755/,
        'ends.txt': /line ends LF → CRLF/,
        'docs/gone.md': /^gone\.md \(job/,
        'docs/added.md': /^added\.md \(job/,
        'logo.png': /logo\.png/,
        'added.png': /added\.png/,
        'data.bin': /^data\.bin \(job/,
        link: /^link \(job.*link: its text is its target/,
        '-dash.txt': /^-dash\.txt/,
        'quote "it\'s".txt': /^quote "it's"\.txt/,
        'emoji 🎉 ä.md': /^emoji 🎉 ä\.md/,
        'big.txt': /^big\.txt/,
        'bom.txt': /^bom\.txt/,
      };
      for (const [path, title] of Object.entries(titles)) {
        assert.equal(await run('openChange', { kind: 'file', jobId: job.id, path }), true, path);
        await eventually(() => title.test(activeTab()?.label ?? ''), `${path}: ${String(title)}`);
      }
    });

    itOnPage('knows the picture in front, which has a label of its own', async () => {
      await run('openChange', { kind: 'file', jobId: job.id, path: 'logo.png' });
      await eventually(
        async () => (await titleButtons()).some((each) => each.startsWith('Accept File')),
        'Accept File stands over the pictures',
      );
      await eventually(
        async () => /File \d+ of 16/.test(await statusBar()),
        'the place in the status bar',
      );
    });

    itOnPage('shows one change with its buttons and its place', async () => {
      await run('openChange', { kind: 'file', jobId: job.id, path: 'src/range.ts' });
      await shown('the file', (is) => is?.kind === 'file' && is.path === 'src/range.ts');
      await eventually(async () => {
        const buttons = await titleButtons();
        return ['Accept File', 'Reject File', 'Accept All Changes', 'Review Next File'].every(
          (wanted) => buttons.some((each) => each.startsWith(wanted)),
        );
      }, 'the buttons of a file');
      await eventually(
        async () => /File \d+ of 16 · gate passed on this content/.test(await statusBar()),
        'the place in the status bar',
      );
      await shot('review-file');
    });

    it('goes from file to file', async () => {
      const { files } = await bridge.reviews.state(job.id);
      const paths = files.map((file) => file.path);
      await run('openChange', { kind: 'file', jobId: job.id, path: paths[0] });
      await shown('the first', (is) => is?.kind === 'file' && is.path === paths[0]);
      await run('nextFile');
      await shown('the second', (is) => is?.kind === 'file' && is.path === paths[1]);
      await run('previousFile');
      await shown('the first', (is) => is?.kind === 'file' && is.path === paths[0]);
    });

    it('is no repository of its own in Source Control', async () => {
      const git = vscode.extensions.getExtension('vscode.git');
      const api = (
        (await git?.activate()) as
          { getAPI(v: 1): { repositories: { rootUri: vscode.Uri }[] } } | undefined
      )?.getAPI(1);
      if (api === undefined) return;
      await run('openChange', { kind: 'file', jobId: job.id, path: 'src/range.ts' });
      assert.ok(api.repositories.every(({ rootUri }) => rootUri.fsPath === repo.root));
    });

    it('takes all of it, byte for byte, and gives it back', async () => {
      assert.equal(await run('acceptJob', job.id), true);
      assert.equal(review(job).status, 'accepted');
      assert.equal(review(job).by, 'person:vscode');
      const read = (name: string) => readFileSync(repo.path(name));
      assert.equal(read('crlf.txt').toString(), 'one\r\nTWO\r\nthree\r\n');
      assert.equal(read('ends.txt').toString(), 'one\r\ntwo\r\nthree\r\n');
      assert.equal(read('bom.txt').toString(), '\ufeffone\nTWO\n');
      assert.equal(statSync(repo.path('run.sh')).mode & 0o777, 0o755);
      assert.equal(readlinkSync(repo.path('link')), 'docs/added.md');
      assert.equal(existsSync(repo.path('docs/gone.md')), false);
      assert.equal(existsSync(repo.path('src/old name.ts')), false);
      assert.match(read('src/new näme.ts').toString(), /second = 22/);
      assert.deepEqual([...read('data.bin')], [0, 1, 2, 3, 0, 254]);
      assertUntouched(false);
      assert.equal(await run('undoAccept', job.id), true);
      assert.equal(review(job).status, 'pending');
      assertUntouched();
    });
  });

  describe('decided file by file', () => {
    itOnPage('takes the file in front by its button, then shows the next', async () => {
      const job = await rangeJob();
      await run('openChange', { kind: 'file', jobId: job.id, path: 'run.sh' });
      await shown('run.sh', (is) => is?.kind === 'file' && is.path === 'run.sh');
      await clickTitle('Accept File');
      await shown('the next file', (is) => is?.kind === 'file' && is.path === 'src/range.ts');
      assert.equal(repo.read('run.sh'), '#!/bin/sh\necho goodbye\n');
      assert.equal(repo.read('src/range.ts'), RANGE_BEFORE);
      assert.deepEqual([review(job).status, review(job).files], ['partly', ['run.sh']]);
      await eventually(async () => (await statusBar()).includes('File 2 of 2'), 'the keys follow');
      await eventually(async () => {
        if (review(job).status === 'accepted') return true;
        // Right after the click VS Code may still move the focus; a person presses again.
        await press('Control+Alt+KeyY');
        await new Promise((resolve) => setTimeout(resolve, 1000));
        return review(job).status === 'accepted';
      }, 'the last file is accepted');
      assert.match(repo.read('src/range.ts'), /number <= end/);
      await eventually(() => target() === null, 'the editors of the job are closed');
      assertUntouched(false);
      await press('Control+Alt+KeyU');
      await eventually(() => review(job).status !== 'accepted', 'the accept is undone');
    });

    itOnPage('rejects the file in front by keyboard, and takes that back', async () => {
      const job = await rangeJob();
      await run('openChange', { kind: 'file', jobId: job.id, path: 'run.sh' });
      await shown('run.sh', (is) => is?.kind === 'file' && is.path === 'run.sh');
      await press('Control+Alt+KeyN');
      await eventually(() => review(job).dropped.includes('run.sh'), 'run.sh is rejected');
      await run('takeBackRejectFile', { kind: 'file', jobId: job.id, path: 'run.sh' });
      assert.deepEqual(review(job).dropped, []);
      await run('rejectFile', { kind: 'file', jobId: job.id, path: 'run.sh' });
      assert.equal(await run('acceptJob', job.id), true);
      assert.deepEqual(review(job).files, ['src/range.ts']);
      assert.equal(repo.read('run.sh'), '#!/bin/sh\necho hello\n');
      assertUntouched(false);
    });

    itOnPage('takes the file with the cursor among all changes, by keyboard', async () => {
      const job = await rangeJob();
      await run('reviewJob', job.id);
      await shown('the review of the job', (is) => is?.kind === 'job' && is.jobId === job.id);
      await onPage(({ page }) =>
        page
          .locator('.multiDiffEntry')
          .filter({ hasText: 'range.ts' })
          .locator('.editor.modified .view-line')
          .first()
          .click(),
      );
      await eventually(
        () => vscode.window.activeTextEditor?.document.uri.path === '/src/range.ts',
        'the cursor is in range.ts',
      );
      await press('Control+Alt+KeyY');
      await eventually(() => review(job).files.length > 0, 'a file is accepted');
      assert.deepEqual(review(job).files, ['src/range.ts']);
      await clickTitle('Reject Job');
      await eventually(() => bridge.job(job.id).worktree?.kept === false, 'it is put away');
      assert.deepEqual([review(job).files, review(job).dropped], [['src/range.ts'], ['run.sh']]);
    });

    itOnPage('comes from one job to the next', async () => {
      const jobs = [await rangeJob({ task: 'One' }), await rangeJob({ task: 'Two' })];
      await run('reviewJob', jobs[1]?.id);
      await eventually(() => target()?.jobId === jobs[1]?.id, 'the newer job');
      await run('nextJobToReview');
      await eventually(() => target()?.jobId === jobs[0]?.id, 'the older job');
    });

    it('takes several rows of the tree at once', async () => {
      const job = await everything();
      const rows = ['run.sh', 'bom.txt', 'src/range.ts'].map((path) => ({
        ...{ kind: 'file', jobId: job.id, path },
      }));
      assert.equal(await run('acceptFile', rows[0], rows), true);
      assert.deepEqual([...review(job).files].sort(), ['bom.txt', 'run.sh', 'src/range.ts']);
      await run('rejectFile', rows[0], [{ kind: 'file', jobId: job.id, path: 'big.txt' }]);
      assert.deepEqual(review(job).dropped, ['big.txt']);
    });
  });

  describe('edited before it is taken', () => {
    itOnPage('keeps what was typed, its line ends and byte order mark', async () => {
      const job = await everything();
      for (const [path, from, to] of [
        ['crlf.txt', 'TWO', 'Deux'],
        ['bom.txt', 'TWO', 'Deux'],
        ['run.sh', 'hello', 'world'],
      ] as const) {
        const document = await vscode.workspace.openTextDocument(uri(job, path));
        const at = document.getText().indexOf(from);
        const edit = new vscode.WorkspaceEdit();
        edit.replace(
          document.uri,
          new vscode.Range(document.positionAt(at), document.positionAt(at + from.length)),
          to,
        );
        await vscode.workspace.applyEdit(edit);
        assert.equal(await document.save(), true, path);
      }
      const onDisk = (path: string) => readFileSync(join(job.root, path), 'utf8');
      assert.equal(onDisk('crlf.txt'), 'one\r\nDeux\r\nthree\r\n');
      assert.equal(onDisk('bom.txt'), '\ufeffone\nDeux\n');
      assert.equal(onDisk('run.sh'), '#!/bin/sh\necho world\n');
      assert.equal(lstatSync(join(job.root, 'run.sh')).mode & 0o777, 0o755);
      await run('openChange', { kind: 'file', jobId: job.id, path: 'run.sh' });
      await eventually(
        async () => (await statusBar()).includes('edited since the gate ran'),
        'the status bar says that it was edited',
      );
      await shot('review-edited');
      await onPage(({ page }) => page.locator('.statusbar').getByText('Run Gate Again').click());
      await eventually(
        async () => (await statusBar()).includes('gate passed on this content'),
        'the gate has seen the edit',
      );
      assert.equal(await run('acceptFile', { kind: 'file', jobId: job.id, path: 'run.sh' }), true);
      assert.equal(repo.read('run.sh'), '#!/bin/sh\necho world\n');
      assertUntouched(false);
    });

    itOnPage('asks before a reject puts the edits away, and restore brings them back', async () => {
      const job = await rangeJob();
      await vscode.workspace.fs.writeFile(
        uri(job, 'run.sh'),
        Buffer.from('#!/bin/sh\necho mine\n'),
      );
      const rejecting = run('rejectJob', job.id);
      const { title, rows } = await quickPick();
      assert.equal(title, 'Reject: Include the end of a range');
      assert.match(rows.join(), /You edited run\.sh/);
      await press('Escape');
      await rejecting;
      assert.equal(review(job).status, 'pending');
      const again = run('rejectJob', job.id);
      await pick('Reject');
      await again;
      assert.equal(review(job).status, 'rejected');
      assertUntouched();
      await run('restoreJob', job.id);
      assert.equal(review(job).status, 'pending');
      const { root } = bridge.job(job.id).worktree ?? { root: '' };
      assert.equal(readFileSync(join(root, 'run.sh'), 'utf8'), '#!/bin/sh\necho mine\n');
    });

    it('cannot be edited once the job is decided', async () => {
      const job = await rangeJob();
      await run('rejectJob', job.id);
      const stat = await vscode.workspace.fs.stat(uri(job, 'run.sh'));
      assert.equal(stat.permissions, vscode.FilePermission.Readonly);
      await assert.rejects(async () =>
        vscode.workspace.fs.writeFile(uri(job, 'run.sh'), Buffer.from('late')),
      );
    });
  });

  describe('where the checkout has moved on', () => {
    itOnPage(
      'merges a conflict in the merge editor, and takes only the finished text',
      async () => {
        const job = await rangeJob();
        repo.write('src/range.ts', RANGE_BEFORE.replace('number < end', 'number < end + 1'));
        const accepting = run('acceptJob', job.id);
        const { title, rows } = await quickPick();
        assert.equal(title, '1 conflict with your checkout');
        assert.match(rows.join(), /Merge src\/range\.ts/);
        assert.match(rows.join(), /Accept the other 1 file/);
        await pick('Merge src/range.ts');
        assert.equal(await accepting, false);
        await shown('the merge', (is) => is?.kind === 'merge');
        assert.ok('input1' in (activeTab()?.input as object), 'it is the merge editor');
        await eventually(
          async () => (await titleButtons()).some((each) => each.startsWith('Accept Merge')),
          'Accept Merge stands in the title',
        );
        await shot('review-conflict');
        assert.equal(repo.read('run.sh'), '#!/bin/sh\necho hello\n', 'nothing was written yet');

        // As it opens, the conflict reads as before both changes: that is no merge.
        await press('Control+Alt+KeyY');
        const unfinished = await quickPick();
        assert.match(unfinished.title, /^1 place of src\/range\.ts is not merged yet/);
        await pick('Go on merging');

        await solve(
          uri(job, 'src/range.ts', 'result'),
          'number < end',
          'number < end + 1 /* merged */',
        );
        await clickTitle('Accept Merge');
        await eventually(() => review(job).status === 'accepted', 'all is accepted');
        assert.match(repo.read('src/range.ts'), /number < end \+ 1 \/\* merged \*\//);
        assert.equal(repo.read('run.sh'), '#!/bin/sh\necho goodbye\n');
        assert.equal(bridge.job(job.id).gate?.covers, 'merged');
        await eventually(() => target() === null, 'the editors are closed');
        assertUntouched(false);
      },
    );

    itOnPage('merges several one after the other, and takes all of them as one', async () => {
      const job = await rangeJob();
      repo.write('src/range.ts', RANGE_BEFORE.replace('number < end', 'number < end + 1'));
      repo.write('run.sh', '#!/bin/sh\necho hello again\n');
      const accepting = run('acceptJob', job.id);
      assert.equal((await quickPick()).title, '2 conflicts with your checkout');
      await pick('Merge 2 files');
      assert.equal(await accepting, false);
      await shown('the first merge', (is) => is?.kind === 'merge' && is.path === 'run.sh');
      await eventually(
        async () => (await statusBar()).includes('Merging run.sh (1 of 2)'),
        '1 of 2',
      );
      await solve(uri(job, 'run.sh', 'result'), 'echo hello', 'echo hello and goodbye');
      await press('Control+Alt+KeyY');
      await shown('the second merge', (is) => is?.kind === 'merge' && is.path === 'src/range.ts');
      await eventually(async () => (await statusBar()).includes('(2 of 2)'), '2 of 2');
      assert.equal(repo.read('run.sh'), '#!/bin/sh\necho hello again\n', 'not written yet');
      await solve(uri(job, 'src/range.ts', 'result'), 'number < end', 'number <= end + 1');
      await press('Control+Alt+KeyY');
      await eventually(() => isDecided(job), 'both are accepted, and the worktree is put away');
      assert.equal(review(job).status, 'accepted');
      assert.equal(repo.read('run.sh'), '#!/bin/sh\necho hello and goodbye\n');
      assert.match(repo.read('src/range.ts'), /number <= end \+ 1/);
      assertUntouched(false);
      assert.equal(await run('undoAccept', job.id), true);
      assert.equal(repo.read('run.sh'), '#!/bin/sh\necho hello again\n');
      assert.match(repo.read('src/range.ts'), /number < end \+ 1/);
    });

    itOnPage('keeps a file of the checkout where the person wants that', async () => {
      const job = await rangeJob();
      rmSync(repo.path('run.sh'));
      const accepting = run('acceptJob', job.id);
      const { title, rows } = await quickPick();
      assert.equal(title, '1 conflict with your checkout');
      assert.match(rows[1] ?? '', /^run\.sh.*You deleted or moved run\.sh/);
      await pick('run.sh');
      await pick('Keep mine');
      assert.equal(await accepting, true);
      assert.ok(isDecided(job));
      assert.deepEqual([review(job).files, review(job).dropped], [['src/range.ts'], ['run.sh']]);
      assert.equal(existsSync(repo.path('run.sh')), false);
    });

    itOnPage('takes the others, and leaves the conflict for later', async () => {
      const job = await rangeJob();
      repo.write('src/range.ts', RANGE_BEFORE.replace('number < end', 'number < end + 1'));
      const accepting = run('acceptJob', job.id);
      await pick('Accept the other 1 file');
      assert.equal(await accepting, true);
      assert.deepEqual([review(job).status, review(job).files], ['partly', ['run.sh']]);
      assert.match(repo.read('src/range.ts'), /end \+ 1/);
    });

    itOnPage('lets one choose between two binary files', async () => {
      const job = await everything();
      writeFileSync(repo.path('data.bin'), Buffer.from([0, 9, 9, 9]));
      const accepting = run('acceptFile', { kind: 'file', jobId: job.id, path: 'data.bin' });
      await pick('data.bin');
      await pick("Take the job's file");
      assert.equal(await accepting, true);
      assert.deepEqual([...readFileSync(repo.path('data.bin'))], [0, 1, 2, 3, 0, 254]);
    });

    itOnPage('asks about an editor with unsaved text, saves it and merges', async () => {
      const job = await rangeJob();
      const document = await vscode.workspace.openTextDocument(repo.path('src/range.ts'));
      await vscode.window.showTextDocument(document);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), '// My own line.\n');
      await vscode.workspace.applyEdit(edit);
      assert.equal(document.isDirty, true);
      const left = run('acceptJob', job.id);
      assert.equal((await quickPick()).title, 'Unsaved files in your checkout');
      await press('Escape');
      assert.equal(await left, false);
      assert.equal(repo.read('src/range.ts'), RANGE_BEFORE);
      const accepting = run('acceptJob', job.id);
      await pick('Save and accept');
      assert.equal(await accepting, true);
      assert.match(repo.read('src/range.ts'), /^\/\/ My own line\.\n[^]*number <= end/);
      await eventually(
        () => document.getText() === repo.read('src/range.ts'),
        'the editor shows it',
      );
      assertUntouched(false);
    });

    itOnPage('tells every other client which files have unsaved text', async () => {
      const job = await rangeJob();
      const document = await vscode.workspace.openTextDocument(repo.path('run.sh'));
      await vscode.window.showTextDocument(document);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(1, 0), '# mine\n');
      await vscode.workspace.applyEdit(edit);
      const person = { name: 'cli', kind: 'person', session: null, pid: process.pid } as const;
      await eventually(async () => {
        const { result } = await bridge.reviews.accept(job.id, person, { dryRun: true });
        return result.conflicts.some(({ reason }) => reason === 'dirty_editor');
      }, 'an accept from elsewhere meets the unsaved editor');
      await document.save();
      await eventually(async () => {
        const { result } = await bridge.reviews.accept(job.id, person, { dryRun: true });
        return !result.conflicts.some(({ reason }) => reason === 'dirty_editor');
      }, 'it does not after the save');
    });
  });

  describe('with a gate that did not pass', () => {
    itOnPage('says so once, and takes it all the same when told to', async () => {
      const job = await rangeJob({ gate: { status: 'failed', exit: 3 } });
      const first = run('acceptFile', { kind: 'file', jobId: job.id, path: 'run.sh' });
      const { title, rows } = await quickPick();
      assert.equal(title, 'The gate tests failed. Accept all the same?');
      assert.match(rows.join(), /Run the gate again first/);
      await pick('Accept all the same');
      assert.equal(await first, true);
      assert.equal(
        await run('acceptFile', { kind: 'file', jobId: job.id, path: 'src/range.ts' }),
        true,
      );
      assert.equal(review(job).status, 'accepted');
    });

    itOnPage('runs the gate first when that is wanted', async () => {
      const job = await rangeJob({ gate: { status: 'failed', exit: 3 } });
      const accepting = run('acceptJob', job.id);
      await pick('Run the gate again first');
      assert.equal(await accepting, true);
      assert.equal(bridge.job(job.id).gate?.status, 'passed');
    });
  });
});
