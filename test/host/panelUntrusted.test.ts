import { after, describe } from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage } from './support/page.ts';
import { assistantMessage, eventLines, seedLogs } from './support/seedLogs.ts';

describe('the panel of a job in Restricted Mode', function () {
  this.timeout(120_000);
  const world = hostWorld();
  after(() => world.dispose());

  itOnPage('shows the job, and says why nothing can be done about it', async () => {
    const [id = ''] = world.seedJobs(1, () => ({
      ...{ task: 'Look, and do not touch', status: 'done', failure: null },
      ...{ isolation: 'none', sessionId: 'a-session' },
    }));
    seedLogs(world.stateDir, id, {
      'events.jsonl': eventLines([assistantMessage(1, { type: 'text', text: 'All is done.' })]),
    });
    await vscode.commands.executeCommand('delegationBridge.openJob', id);
    const shown = async (): Promise<{ text: string; off: string[]; on: string[]; why: string }> =>
      onPage(async ({ webview }) => {
        const body = webview().locator('body');
        await webview().locator('.buttons [data-action]').first().waitFor();
        const named = (selector: string): Promise<string[]> =>
          body
            .locator(selector)
            .evaluateAll((all) => all.map((each) => each.getAttribute('data-action') ?? ''));
        return {
          text: await body.innerText(),
          off: await named('[data-action][disabled]'),
          on: await named('[data-action]:not([disabled])'),
          why: (await webview().locator('[data-action=retryJob]').getAttribute('title')) ?? '',
        };
      });
    await eventually(async () => (await shown()).text.includes('All is done.'), 'the log');
    const { text, off, on, why } = await shown();
    assert.match(text, /Restricted Mode: the job is shown, but nothing is run/);
    assert.deepEqual(on, ['copyReceipt']);
    assert.deepEqual(off.sort(), ['resumeJob', 'retryJob']);
    assert.match(why, /trust this workspace/);
  });
});
