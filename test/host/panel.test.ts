import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import Module from 'node:module';
import * as vscode from 'vscode';
import type { JobRecord } from '../../src/protocol/job.ts';
import { eventually } from './eventually.ts';
import { hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage, shot } from './support/page.ts';
import { closeAllEditors, OPEN_JOB, OPEN_LOG, panelShows, panelText } from './support/panelPage.ts';
import {
  assistantMessage,
  callMessages,
  eventLines,
  requestLines,
  seedLogs,
} from './support/seedLogs.ts';

const EVIL = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';

/** What is used of a browser's window in functions that run on the page. */
interface Browser {
  readonly innerWidth: number;
  readonly MutationObserver: new (
    told: (changes: readonly { readonly addedNodes: { readonly length: number } }[]) => void,
  ) => { observe(target: unknown, options: object): void };
  requestAnimationFrame(callback: (value: unknown) => void): void;
}

const world = hostWorld();
after(() => world.dispose());

/** Loaded modules of the extension host. */
function isLoaded(bundle: string): boolean {
  const { _cache: cache } = Module as unknown as { _cache: Record<string, unknown> };
  return Object.keys(cache).some((file) => file.endsWith(`/dist/${bundle}.cjs`));
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
    ),
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
  this.timeout(240_000);

  before(async () => {
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
  });

  after(closeAllEditors);

  it('loads nothing of it before the first one opens', async () => {
    assert.equal(isLoaded('extension'), true);
    assert.equal(isLoaded('jobPanel'), false);
    const [id = ''] = world.seedJobs(1);
    assert.equal(await vscode.commands.executeCommand(OPEN_JOB, id), id);
    assert.equal(isLoaded('jobPanel'), true);
    await closeAllEditors();
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
    await closeAllEditors();
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
    await panelShows('.feed', EVIL, 'the transcript shows what was said, as it was said');
    await panelShows('h1', EVIL, 'the title shows the brief as it is');
    await panelShows('.failing', EVIL, 'the gate part shows its output');
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
    await closeAllEditors();
  });

  itOnPage(
    'shows ten thousand events: what is in sight is in the document, and nothing else',
    async () => {
      const id = seedLongJob();
      await vscode.commands.executeCommand(OPEN_JOB, id);
      await panelShows('.feed', 'The session ended', 'the end of the log is in sight');
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
          // In one step: the button may go while one looks at it.
          return earlier.evaluate((button) => {
            const { hidden } = button as unknown as { hidden: boolean };
            if (!hidden) button.dispatchEvent(new Event('click'));
            return hidden;
          });
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
            let drawn = 0;
            const most = { jump: 0, step: 0 };
            const watch = new (globalThis as unknown as Browser).MutationObserver((changes) => {
              for (const { addedNodes } of changes) drawn += addedNodes.length;
            });
            watch.observe(feed.firstElementChild, { childList: true });
            const rowsDrawn = async (scrollTop: number): Promise<number> => {
              drawn = 0;
              feed.scrollTop = scrollTop;
              for (let n = 0; n < 3; n += 1) await frame();
              return drawn;
            };
            const holes: number[] = [];
            for (let n = 0; n <= 60; n += 1) {
              const place = (feed.scrollHeight * n) / 60;
              most.jump = Math.max(most.jump, await rowsDrawn(place));
              most.step = Math.max(most.step, await rowsDrawn(place - 40));
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
              most,
              holes,
            };
          }),
      );
      assert.ok(scrolled.size >= 6600, `${scrolled.size} rows in all`);
      assert.deepEqual(scrolled.holes, [], 'no place without rows');
      // What scrolling costs, on whatever machine: the rows of one screen for a jump, the rows that come into sight for a step.
      assert.ok(scrolled.most.jump < 120, `a jump draws ${scrolled.most.jump} rows`);
      assert.ok(scrolled.most.step < 12, `a step of 40 px draws ${scrolled.most.step} rows`);
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
    assert.deepEqual(seen, { first: '1', third: '3', details: 1, isLast: true });
  });

  itOnPage('comes back as it was left when its tab was in the background', async () => {
    await onPage(async ({ webview }) => {
      await webview().locator('.mode', { hasText: 'Transcript' }).click();
      await webview()
        .locator('.feed')
        .evaluate((feed) => (feed.scrollTop = feed.scrollHeight / 2));
      await webview().locator('button.follow').waitFor();
    });
    const before = await panelText('.feed article:nth-child(8)');
    await vscode.commands.executeCommand('workbench.action.files.newUntitledFile');
    await vscode.commands.executeCommand('workbench.action.previousEditor');
    await panelShows('.feed', before.split('\n')[0] ?? '?', 'the same rows are in sight again');
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
      await panelShows('.feed', 'The session ended', 'the panel is drawn');
      await panelShows('.notices', 'deepseek-v4-flash', 'the fallback is said');
      const findings = await onPage(({ axe }) => axe({ isWebview: true }));
      assert.deepEqual(
        findings.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
        [],
      );
      if (theme === 'Default High Contrast') await shot('job-panel-high-contrast');
      if (theme === 'Default Light Modern') await shot('job-panel-light');
      await closeAllEditors();
      await settings.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
    });
  }

  itOnPage('fits a narrow editor', async () => {
    const id = seedLongJob();
    await vscode.commands.executeCommand(OPEN_JOB, id);
    await panelShows('.feed', 'The session ended', 'the panel is drawn');
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
    await closeAllEditors();
  });

  it('says so when the job is gone', async () => {
    await vscode.commands.executeCommand(OPEN_JOB, 'claude-code-20200101-000000-aaaaaaaaaa');
    await panelShows('.trouble', /no job|unknown/i, 'that there is no such job');
    await closeAllEditors();
  });
});

function tabsNamed(label: string): number {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => tab.label === label).length;
}
