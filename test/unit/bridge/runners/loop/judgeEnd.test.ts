import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { judgeEnd, type EndInput } from '../../../../../src/bridge/runners/loop/judgeEnd.ts';
import { readsLikeAnnouncement } from '../../../../../src/bridge/runners/loop/readsLikeAnnouncement.ts';

const DONE: EndInput = {
  stopReason: 'end_turn',
  rawStopReason: 'end_turn',
  text: 'Changed a.ts; the tests pass.',
  report: null,
  hasThinking: false,
  nudgesLeft: 1,
  turnsLeft: 5,
  mayAct: true,
  hasActed: true,
};
const PLAN = 'Let me look at the tests now.';

describe('judgeEnd', () => {
  const table: { name: string; given: Partial<EndInput>; verdict: string }[] = [
    { name: 'a report after work', given: {}, verdict: 'done' },
    { name: 'a report, nothing done', given: { hasActed: false }, verdict: 'nudge nothing_done' },
    { name: 'nothing done, read-only', given: { hasActed: false, mayAct: false }, verdict: 'done' },
    {
      name: 'nothing done, no nudge left',
      given: { hasActed: false, nudgesLeft: 0 },
      verdict: 'done',
    },
    {
      name: 'nothing done, no turn left',
      given: { hasActed: false, turnsLeft: 0 },
      verdict: 'done',
    },
    {
      name: 'nothing done, asked before',
      given: { hasActed: false, report: 'x' },
      verdict: 'done',
    },
    { name: 'an announcement', given: { text: PLAN }, verdict: 'nudge announcement' },
    {
      name: 'an announcement, no nudge left',
      given: { text: PLAN, nudgesLeft: 0 },
      verdict: 'done',
    },
    {
      name: 'an announcement, nothing done, no nudge left',
      given: { text: PLAN, nudgesLeft: 0, hasActed: false },
      verdict: 'failed',
    },
    { name: 'an empty answer', given: { text: ' \n' }, verdict: 'nudge empty' },
    {
      name: 'an empty answer, no nudge left',
      given: { text: '', nudgesLeft: 0 },
      verdict: 'failed',
    },
    { name: 'an empty answer after a report', given: { text: '', report: 'x' }, verdict: 'done' },
    { name: 'cut at the limit', given: { stopReason: 'max_tokens' }, verdict: 'failed' },
    { name: 'refused', given: { stopReason: 'content_filter' }, verdict: 'failed' },
    {
      name: 'no reason given',
      given: { stopReason: 'unknown', rawStopReason: null },
      verdict: 'failed',
    },
    {
      name: 'another reason',
      given: { stopReason: 'unknown', rawStopReason: 'odd' },
      verdict: 'failed',
    },
    {
      name: 'a call announced that did not come',
      given: { stopReason: 'tool_use' },
      verdict: 'done',
    },
  ];
  for (const { name, given, verdict } of table) {
    it(`${name}: ${verdict}`, () => {
      const judged = judgeEnd({ ...DONE, ...given });
      assert.equal(
        [judged.kind, ...(judged.kind === 'nudge' ? [judged.why] : [])].join(' '),
        verdict,
      );
      if (judged.kind === 'failed') assert.equal(judged.failure.kind, 'incomplete');
    });
  }

  it('says when thinking took the whole limit', () => {
    const judged = judgeEnd({ ...DONE, stopReason: 'max_tokens', text: '', hasThinking: true });
    assert.match(judged.kind === 'failed' ? judged.failure.message : '', /thinking/);
  });
});

describe('readsLikeAnnouncement', () => {
  const table: [string, boolean][] = [
    ['Let me look at the file.', true],
    ["I'll fix the import now.", true],
    ['I’ll fix the import now.', true],
    ['Found it. Now I will run the tests.', true],
    ['Next, I need to update the docs.', true],
    ['Here is the plan:', true],
    ["The bug is in a.ts.\n\nI'm going to change it", true],
    ['Fixed a.ts and ran the tests; all pass.', false],
    ['Fixed. Let me know if you need more.', false],
    ['I will not change b.ts, because it is generated.', false],
    ['', false],
    [`Let me explain. ${'x'.repeat(700)}`, false],
  ];
  for (const [text, is] of table)
    it(`${JSON.stringify(text.slice(0, 50))}: ${is}`, () =>
      assert.equal(readsLikeAnnouncement(text), is));
});
