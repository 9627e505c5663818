import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import Module from 'node:module';
import * as vscode from 'vscode';
import type { JobRecord } from '../../src/protocol/job.ts';
import { eventually } from './eventually.ts';
import { SAMPLE_FIX } from './support/hostSample.ts';
import { describeWithClaude, hostWorld, rehearsalTask } from './support/hostWorld.ts';
import { itOnPage, onPage, shot } from './support/page.ts';
import {
  assistantMessage,
  callMessages,
  eventLines,
  requestLines,
  seedLogs,
} from './support/seedLogs.ts';

const OPEN_JOB = 'delegationBridge.openJob';
const OPEN_LOG = 'delegationBridge.openLog';
const EVIL = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';

/** What is used of a browser's window in functions that run on the page. */
interface Browser {
  readonly innerWidth: number;
  requestAnimationFrame(callback: (value: unknown) => void): void;
}

const world = hostWorld();
after(() => world.dispose());

/** Loaded modules of the extension host. */
function isLoaded(bundle: string): boolean {
  const { _cache: cache } = Module as unknown as { _cache: Record<string, unknown> };
  return Object.keys(cache).some((file) => file.endsWith(`/dist/${bundle}.cjs`));
}

async function textOf(selector: string): Promise<string> {
  return onPage(async ({ webview }, input) => {
    const found = webview().locator(input).first();
    await found.waitFor({ state: 'attached' });
    return found.innerText();
  }, selector);
}

async function showsText(selector: string, text: string | RegExp, what: string): Promise<void> {
  await eventually(async () => {
    const shown = await textOf(selector);
    return typeof text === 'string' ? shown.includes(text) : text.test(shown);
  }, what);
}

async function closeAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** A job that has ended, with a log of ten thousand events, a red gate and changes. */
function seedLongJob(record: Partial<JobRecord> = {}): string {
  const [id = ''] = world.seedJobs(1, () => ({
    status: 'done',
    failure: null,
    task: 'Port the parser to streams\n\nKeep the public names. The tests in test/ decide.',
    turns: 4000,
    toolCalls: 4000,
    context: { window: 131_072, used: 61_000 },
    speedTps: 82,
    usage: { input: 2_400_000, output: 61_000, cacheRead: 1_900_000, cacheWrite: null },
    elapsedS: 3720,
    proof: { requests: 300, endpoint: 'rehearsal' },
    filesChanged: ['src/parser.ts', 'src/stream/reader.ts', 'test/parser.test.ts'].map(
      (path, n) => ({
        ...{ path, oldPath: null, change: n === 1 ? 'added' : 'modified', binary: false },
        ...{ additions: 40 + n, deletions: n, oldMode: null, newMode: null },
      }),
    ) as JobRecord['filesChanged'],
    gate: {
      ...{ name: 'tests', kind: 'tests', status: 'failed', base: 'green', covers: 'exact' },
      ...{ exit: 1, durationS: 4.2, protectedChanged: [] },
      tail: [
        '✔ reads an empty stream (1.1ms)',
        '✖ keeps a half line for the next chunk (3.9ms)',
        'ℹ tests 12',
        'ℹ fail 1',
        '  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
        "  + 'abc'",
        "  - 'ab'",
      ].join('\n'),
    },
    ...record,
  }));
  const messages = Array.from({ length: 3330 }, (_, n) => [
    assistantMessage(n, {
      type: 'text',
      text: `Step ${n}: I look at the next part of the parser.`,
    }),
    ...callMessages(n, {
      name: n % 3 === 0 ? 'Bash' : 'Read',
      input:
        n % 3 === 0
          ? { command: `node --test test/part${n}.test.ts` }
          : { file_path: `src/part${n}.ts` },
      answer: n % 9 === 0 ? 'Exit code 1\n✖ one test failed' : `line ${n}\n`.repeat(1 + (n % 5)),
      isError: n % 9 === 0,
    }),
  ]).flat();
  seedLogs(world.stateDir, id, {
    'events.jsonl': eventLines([
      { type: 'system', subtype: 'init', session_id: 's', model: 'rehearsal' },
      ...messages,
      { type: 'result', subtype: 'success', is_error: false, num_turns: 4000 },
    ]),
    'requests.jsonl': requestLines(300),
  });
  return id;
}

describe('the panel of a job', function () {
  this.timeout(120_000);

  before(async () => {
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
  });

  after(closeAll);

  it('loads nothing of it before the first one opens', async () => {
    assert.equal(isLoaded('extension'), true);
    assert.equal(isLoaded('jobPanel'), false);
    const [id = ''] = world.seedJobs(1);
    assert.equal(await vscode.commands.executeCommand(OPEN_JOB, id), id);
    assert.equal(isLoaded('jobPanel'), true);
    await closeAll();
  });

  it('opens one tab for a job, named like its brief, and no second one', async () => {
    const [id = ''] = world.seedJobs(1, () => ({ task: 'Name the tab\nsecond line' }));
    for (const argument of [id, { kind: 'job', jobId: id }, id])
      await vscode.commands.executeCommand(OPEN_JOB, argument);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await eventually(
      () => tabs[0]?.label === 'Name the tab' || tabsNamed('Name the tab') === 1,
      'its name',
    );
    assert.equal(tabsNamed('Name the tab'), 1);
    await closeAll();
  });

  itOnPage('runs and loads nothing that a job brings along', async () => {
    const evilPath = `src/${EVIL.replaceAll('/', '')}.ts`;
    const [id = ''] = world.seedJobs(1, () => ({
      task: `${EVIL} is the brief\n${EVIL}`,
      status: 'failed',
      failure: { kind: 'backend_error', message: EVIL, hint: EVIL },
      modelServed: EVIL,
      modelRequested: EVIL,
      endpoint: EVIL,
      result: EVIL,
      warnings: [EVIL],
      fallback: { from: EVIL, to: EVIL, reason: EVIL },
      filesChanged: [
        {
          ...{ path: evilPath, oldPath: EVIL, change: 'renamed', binary: false },
          ...{ additions: 1, deletions: 1, oldMode: null, newMode: null },
        },
      ],
      gate: {
        ...{ name: EVIL, kind: 'tests', status: 'failed', base: 'unknown', covers: 'exact' },
        ...{ exit: 1, durationS: 1, protectedChanged: [EVIL], tail: `Error: ${EVIL}` },
      },
    }));
    seedLogs(world.stateDir, id, {
      'events.jsonl': eventLines([
        { type: 'system', subtype: 'init', session_id: EVIL, model: EVIL },
        assistantMessage(1, { type: 'text', text: EVIL }),
        ...callMessages(2, { name: EVIL, input: { command: EVIL }, answer: EVIL, isError: true }),
      ]),
      'requests.jsonl': requestLines(4),
    });
    await onPage(({ page }) => {
      const store = globalThis as unknown as { refused: string[] };
      store.refused = [];
      page.on('console', (message) => {
        if (/Content Security Policy/i.test(message.text())) store.refused.push(message.text());
      });
    });
    await vscode.commands.executeCommand(OPEN_LOG, id);
    await showsText('.feed', EVIL, 'the transcript shows what was said, as it was said');
    await showsText('h1', EVIL, 'the title shows the brief as it is');
    await showsText('.failing', EVIL, 'the gate part shows its output');
    const found = await onPage(async ({ webview }) => ({
      ...(await webview()
        .locator('body')
        .evaluate((body) => ({
          pwned: (globalThis as { pwned?: unknown }).pwned ?? null,
          elements: body.querySelectorAll(
            'img, iframe, object, embed, a[href], form, style, [onerror]',
          ).length,
          scripts: body.querySelectorAll('script').length,
        }))),
      refused: (globalThis as unknown as { refused: string[] }).refused,
    }));
    assert.deepEqual(found, { pwned: null, elements: 0, scripts: 1, refused: [] });
    await closeAll();
  });

  itOnPage(
    'shows ten thousand events: what is in sight is in the document, and nothing else',
    async () => {
      const id = seedLongJob();
      await vscode.commands.executeCommand(OPEN_JOB, id);
      await showsText('.feed', 'The session ended', 'the end of the log is in sight');
      const first = await onPage(async ({ webview }) =>
        webview()
          .locator('.feed')
          .evaluate((feed) => ({
            rows: feed.querySelectorAll('article').length,
            size: Number(feed.querySelector('article')?.getAttribute('aria-setsize')),
            toEnd: feed.scrollHeight - feed.clientHeight - feed.scrollTop,
          })),
      );
      assert.ok(first.rows < 150, `${first.rows} rows are in the document`);
      assert.ok(first.size > 4000, `${first.size} rows are known`);
      assert.ok(first.toEnd < 2, 'it follows the end');

      // All of it: what was before the window is loaded on demand.
      await eventually(async () => {
        return onPage(async ({ webview }) => {
          const earlier = webview().locator('button', { hasText: 'Load earlier' });
          if (!(await earlier.isVisible())) return true;
          if (await earlier.isEnabled()) await earlier.click();
          return false;
        });
      }, 'the whole log is loaded');
      const scrolled = await onPage(async ({ webview }) =>
        webview()
          .locator('.feed')
          .evaluate(async (feed) => {
            const frame = (): Promise<unknown> =>
              new Promise((resolve) =>
                (globalThis as unknown as Browser).requestAnimationFrame(resolve),
              );
            const twoFrames = async (): Promise<number> => {
              const started = performance.now();
              await frame();
              await frame();
              return performance.now() - started;
            };
            const median = (all: number[]): number =>
              all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Infinity;
            const idle: number[] = [];
            for (let n = 0; n < 20; n += 1) idle.push(await twoFrames());
            const times: number[] = [];
            const holes: number[] = [];
            for (let n = 0; n <= 60; n += 1) {
              feed.scrollTop = (feed.scrollHeight * n) / 60;
              await frame();
              const started = performance.now();
              await frame();
              await frame();
              times.push(performance.now() - started);
              const { top, bottom } = feed.getBoundingClientRect();
              const isCovered = (y: number): boolean =>
                [...feed.querySelectorAll('article')].some((row) => {
                  const box = row.getBoundingClientRect();
                  return box.top <= y && box.bottom >= y;
                });
              if (!isCovered(top + 5) || !isCovered(bottom - 5)) holes.push(n);
            }
            return {
              size: Number(feed.querySelector('article')?.getAttribute('aria-setsize')),
              idleMs: median(idle),
              medianMs: median(times),
              holes,
            };
          }),
      );
      assert.ok(scrolled.size >= 6600, `${scrolled.size} rows in all`);
      assert.deepEqual(scrolled.holes, [], 'no place without rows');
      // The machine decides how long a frame takes when nothing happens.
      assert.ok(
        scrolled.medianMs < 60 + 4 * scrolled.idleMs,
        `two frames take ${scrolled.medianMs} ms, ${scrolled.idleMs} ms at rest`,
      );
    },
  );

  itOnPage('stops following when the reader scrolls up, and goes on when asked to', async () => {
    await onPage(async ({ webview, page }) => {
      await webview().locator('.feed').hover();
      await page.mouse.wheel(0, -1200);
      await webview().locator('button.follow').waitFor();
      await webview().locator('button.follow').click();
      await webview().locator('button.follow').waitFor({ state: 'hidden' });
    });
  });

  itOnPage('is read by keyboard: row by row, with details on Enter', async () => {
    const seen = await onPage(async ({ webview, page }) => {
      const feed = webview().locator('.feed');
      await webview().locator('.mode', { hasText: 'Timeline' }).click();
      await feed.locator('article').last().focus();
      await page.keyboard.press('Home');
      const first = await feed.locator(':focus').getAttribute('aria-posinset');
      for (let n = 0; n < 2; n += 1) await page.keyboard.press('ArrowDown');
      const third = await feed.locator(':focus').getAttribute('aria-posinset');
      await page.keyboard.press('Enter');
      const details = await feed.locator(':focus .row-detail').count();
      await page.keyboard.press('End');
      const last = await feed.locator(':focus').getAttribute('aria-posinset');
      const size = await feed.locator(':focus').getAttribute('aria-setsize');
      return { first, third, details, isLast: last === size };
    });
    assert.deepEqual(seen, { first: '1', third: '3', details: 2, isLast: true });
  });

  itOnPage('comes back as it was left when its tab was in the background', async () => {
    await onPage(async ({ webview }) => {
      await webview().locator('.mode', { hasText: 'Transcript' }).click();
      await webview()
        .locator('.feed')
        .evaluate((feed) => (feed.scrollTop = feed.scrollHeight / 2));
      await webview().locator('button.follow').waitFor();
    });
    const before = await textOf('.feed article:nth-child(8)');
    await vscode.commands.executeCommand('workbench.action.files.newUntitledFile');
    await vscode.commands.executeCommand('workbench.action.previousEditor');
    await showsText('.feed', before.split('\n')[0] ?? '?', 'the same rows are in sight again');
    assert.equal(
      await onPage(({ webview }) =>
        webview().locator('.mode', { hasText: 'Transcript' }).getAttribute('aria-pressed'),
      ),
      'true',
    );
  });

  for (const theme of ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast']) {
    itOnPage(`has no serious finding of axe in ${theme}`, async () => {
      const settings = vscode.workspace.getConfiguration('workbench');
      await settings.update('colorTheme', theme, vscode.ConfigurationTarget.Global);
      const id = seedLongJob({
        fallback: { from: 'qwen3.8-27b', to: 'deepseek-v4-flash', reason: 'tower: pool full' },
      });
      await vscode.commands.executeCommand(OPEN_JOB, id);
      await showsText('.feed', 'The session ended', 'the panel is drawn');
      await showsText('.notices', 'deepseek-v4-flash', 'the fallback is said');
      const findings = await onPage(({ axe }) => axe({ isWebview: true }));
      assert.deepEqual(
        findings.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
        [],
      );
      if (theme === 'Default High Contrast') await shot('job-panel-high-contrast');
      if (theme === 'Default Light Modern') await shot('job-panel-light');
      await closeAll();
      await settings.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
    });
  }

  itOnPage('fits a narrow editor', async () => {
    const id = seedLongJob();
    await vscode.commands.executeCommand(OPEN_JOB, id);
    await showsText('.feed', 'The session ended', 'the panel is drawn');
    await onPage(({ page }) => page.setViewportSize({ width: 470, height: 900 }));
    const wide = await onPage(async ({ webview }) =>
      webview()
        .locator('body')
        .evaluate(async (body) => {
          await new Promise((resolve) => setTimeout(resolve, 300));
          return (
            body.ownerDocument.documentElement.scrollWidth -
            (globalThis as unknown as Browser).innerWidth
          );
        }),
    );
    await shot('job-panel-narrow');
    await onPage(({ page }) => page.setViewportSize({ width: 1440, height: 900 }));
    assert.ok(wide <= 0, `${wide} px are beyond the edge`);
    await closeAll();
  });

  it('says so when the job is gone', async () => {
    await vscode.commands.executeCommand(OPEN_JOB, 'claude-code-20200101-000000-aaaaaaaaaa');
    await showsText('.trouble', /no job|unknown/i, 'that there is no such job');
    await closeAll();
  });
});

describeWithClaude('the panel of a running job', function () {
  this.timeout(180_000);
  after(closeAll);
  let id = '';

  itOnPage('shows what happens while it happens', async () => {
    const steps = Array.from({ length: 6 }, (_, n) => `run: echo step ${n} && sleep 0.4`);
    const task = rehearsalTask(
      'Walk through the ranges',
      'read src/range.js',
      ...steps,
      'hang 120s',
    );
    ({ id } = await world.submitJob({ task }));
    await vscode.commands.executeCommand(OPEN_JOB, id);
    await showsText('.state-words', 'Running', 'that it runs');
    await showsText('.feed', 'echo step 5', 'the last step, without a reload');
    const cards = await textOf('.right');
    assert.match(cards, /Receipt/);
    await showsText('.right', /Context used per request/, 'the chart');
    await shot('job-panel-running');
  });

  itOnPage('cancels it by its button', async () => {
    await onPage(({ webview }) => webview().locator('[data-action=cancelJob]').click());
    const job = await world.waitForJob(id);
    assert.equal(job.status, 'cancelled');
    await showsText('.state-words', 'Cancelled', 'that it was cancelled');
    await showsText('[role=status]', 'Cancelled', 'that a screen reader is told');
  });

  itOnPage('goes on with a message, in a panel of its own', async () => {
    await onPage(
      async ({ webview, page }, message) => {
        await webview().locator('#resume-message textarea').click();
        await page.keyboard.type(message);
        await webview().locator('[data-action=resumeJob]').click();
      },
      rehearsalTask('Now mend the loop', ...SAMPLE_FIX),
    );
    await showsText('h1', 'Now mend the loop', 'the panel of the next job');
    await showsText('.from', id, 'where it comes from');
    const next = await idInFront();
    const job = await world.waitForJob(next);
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.resumedFrom, id);
    await showsText('.changes', 'src/range.js', 'what it has changed');
  });

  itOnPage('is retried on an endpoint that the person chooses', async () => {
    const before = await idInFront();
    await onPage(async ({ webview, page }) => {
      await webview().locator('[data-action=retryJob]').click();
      await page.locator('.quick-input-widget .monaco-list-row').first().waitFor();
      await page.keyboard.press('Enter');
    });
    await eventually(async () => (await idInFront()) !== before, 'the panel of the new job');
    const job = await world.waitForJob(await idInFront());
    assert.match(job.task, /^Now mend the loop/);
  });
});

describeWithClaude('the panel of a job whose gate is red', function () {
  this.timeout(180_000);
  const settings = vscode.workspace.getConfiguration('workbench');
  let id = '';

  before(async () => {
    await settings.update('colorTheme', 'Default Dark Modern', vscode.ConfigurationTarget.Global);
  });

  after(async () => {
    await closeAll();
    await settings.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
  });

  itOnPage('says first what failed, and offers the review', async () => {
    const task = rehearsalTask(
      'Fix the off-by-one in range()',
      'read src/range.js',
      'run: node --test',
      'edit src/range.js: number < end => number < end - 0',
      'thinking: Subtracting nothing cannot help, but the loop looks right to me.',
      'say: I changed the bound of the loop in src/range.js. The test should pass now.',
    );
    ({ id } = await world.submitJob({ task, gate: 'tests' }));
    const job = await world.waitForJob(id);
    assert.equal(job.gate?.status, 'failed', JSON.stringify(job.failure));
    await vscode.commands.executeCommand(OPEN_JOB, id);
    await showsText('.state-words', 'Gate failed, for review', 'the verdict');
    await showsText('.failing', 'AssertionError', 'the line that tells what failed');
    await showsText('.feed', 'Gate tests failed (exit 1', 'the gate in the timeline');
    const buttons = await onPage(({ webview }) =>
      webview()
        .locator('.buttons [data-action]')
        .evaluateAll((all) => all.map((each) => each.getAttribute('data-action'))),
    );
    assert.deepEqual(buttons.slice(0, 3), ['reviewJob', 'acceptJob', 'rejectJob']);
    const findings = await onPage(({ axe }) => axe({ isWebview: true }));
    assert.deepEqual(
      findings.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
      [],
    );
    await shot('job-panel-failed-gate');
  });

  itOnPage('opens the diff of a file, and all of the output of the gate', async () => {
    await onPage(({ webview }) => webview().locator('.file').first().click());
    await eventually(
      () =>
        vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff,
      'the diff is in front',
    );
    await vscode.commands.executeCommand(OPEN_JOB, id);
    await onPage(({ webview }) => webview().locator('.gate button.link').click());
    await eventually(
      () => vscode.window.activeTextEditor?.document.getText().includes('AssertionError') === true,
      'the output is in an editor',
    );
    assert.equal(vscode.window.activeTextEditor?.document.isUntitled, false);
  });
});

function tabsNamed(label: string): number {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => tab.label === label).length;
}

async function idInFront(): Promise<string> {
  return onPage(
    async ({ webview }) => (await webview().locator('body').getAttribute('data-job-id')) ?? '',
  );
}
