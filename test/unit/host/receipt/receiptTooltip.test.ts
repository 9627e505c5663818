import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { COMMAND_IDS } from '../../../../src/host/receipt/linkedCommands.ts';
import { escapeMarkdown, fenceText } from '../../../../src/base/markdownText.ts';
import { receiptMarkdown } from '../../../../src/host/receipt/receiptMarkdown.ts';
import { receiptTooltip } from '../../../../src/host/receipt/receiptTooltip.ts';
import type { FeedJob } from '../../../../src/protocol/ui/uiTools.ts';
import { changedFile, CREATED_AT, gate, reviewJob, runningJob } from '../../../support/feedJob.ts';

const NOW = new Date(Date.parse(CREATED_AT) + 252_000);
const EVIL =
  '[click](command:workbench.action.terminal.new) <img src=x> $(zap) **b** https://x.example `c`';
/** Every field that somebody else writes. */
const hostile = (text: string): FeedJob =>
  reviewJob({
    task: text,
    modelRequested: text,
    modelServed: text,
    endpoint: text,
    fallback: { from: text, to: text, reason: text },
    failure: { kind: 'x', message: text, hint: text },
    warnings: [text],
    client: { name: text, session: null, pid: null },
    gate: gate({ name: text, protectedChanged: [text] }),
    tampered: [text],
    filesChanged: [changedFile(text)],
    result: text,
    lastActivity: { at: CREATED_AT, text },
    review: { status: 'pending', by: text, at: null, files: [], dropped: [] },
  });

describe('foreign text in Markdown', () => {
  it('has each sign of punctuation escaped, so that it is shown as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const escaped = escapeMarkdown(text);
        assert.doesNotMatch(escaped.replace(/\\[!-/:-@[-`{-~]/g, ''), /[!-/:-@[-`{-~]/);
        assert.doesNotMatch(escaped, /[\r\n]/);
      }),
    );
  });

  it('cannot close the fence it stands in', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '``````', '\n', 'a', '~~~')), (parts) => {
        const block = fenceText(parts.join(''));
        const [first = '', ...lines] = block.split('\n');
        const fence = first.replace('text', '');
        assert.match(fence, /^`{3,}$/);
        assert.equal(
          lines.findIndex((line) => line.trim().startsWith(fence)),
          lines.length - 1,
        );
      }),
    );
  });
});

describe('the tooltip of a job', () => {
  it('links to our own commands and to nothing else, whatever the model, the server and the workspace wrote', () => {
    const unescaped = receiptTooltip(hostile(EVIL), NOW).replace(/\\[!-/:-@[-`{-~]/g, '');
    const links = [...unescaped.matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => target ?? '');
    assert.ok(links.length >= 3);
    const allowed = new Set<string>(Object.values(COMMAND_IDS));
    for (const target of links) {
      const [, command = '', args = ''] = /^command:([\w.]+)\?(.*)$/.exec(target) ?? [];
      assert.ok(allowed.has(command), target);
      assert.deepEqual(JSON.parse(decodeURIComponent(args)), ['claude-code-1']);
    }
    assert.doesNotMatch(unescaped, /<|\$\(|https?:|`/);
  });

  it('links only to commands that exist and decide nothing', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { commands: { command: string }[] };
    };
    const known = contributes.commands.map(({ command }) => command);
    for (const id of Object.values(COMMAND_IDS)) {
      assert.ok(known.includes(id), id);
      assert.doesNotMatch(id, /accept|reject|cancel|delegate$|run|trust/i);
    }
  });

  it('is the receipt: who was asked, who answered, by which rule, from which commit, how it was checked', () => {
    const job = reviewJob({
      modelRequested: 'glm-5',
      locality: 'local',
      route: { rule: 'named-model', considered: [] },
      proof: { requests: 4, endpoint: 'tower' },
      usage: { input: 12_345, output: 678, cacheRead: null, cacheWrite: null },
      turns: 9,
      queuedS: 30,
    });
    const lines = receiptTooltip(job, NOW)
      .replaceAll('\\', '')
      .split(/\s*\n+/);
    for (const line of [
      '**Fix the off-by-one in range()**',
      '**Asked for** glm-5, policy any',
      '**Answered by** qwen3.8-27b at tower (local), proof: 4 requests carried',
      '**Rule** named-model',
      '**Gate** tests passed, exit 0, in 0:03, was red before the job',
      '**Base** commit 0123456789ab',
      '**Tokens** 12k in, 678 out',
      '**Started by** claude-code',
    ])
      assert.ok(lines.includes(line), `${line} is in\n${lines.join('\n')}`);
    assert.ok(lines.some((line) => line.startsWith('**Time** waited 0:30, ran 4:12, 9 turns')));
  });

  it('says nothing of what nobody knows', () => {
    const text = receiptTooltip(runningJob({ context: { window: null, used: null } }), NOW);
    assert.doesNotMatch(text, /Tokens|Fallback|Rule|null|undefined|NaN/);
    assert.match(text.replaceAll('\\', ''), /nobody so far; chosen: tower/);
    assert.doesNotMatch(text, /Gate/);
  });
});

describe('the receipt on the clipboard', () => {
  it('keeps the words of the model apart from the facts, in a fence', () => {
    const text = receiptMarkdown(hostile('Done ``` **all** tests pass'), NOW);
    const [facts, report] = text.split("### The model's report");
    assert.ok(report?.includes('````text\nDone ``` **all** tests pass\n````'));
    assert.ok(!facts?.includes('**all**'));
    assert.match(text, /### Warnings\n\n- /);
    assert.match(text, /### Files\n\n- modified /);
  });
});
