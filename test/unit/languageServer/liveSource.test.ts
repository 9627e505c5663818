import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { LiveSource } from '../../../src/languageServer/live/liveSource.ts';
import type { LiveFacts } from '../../../src/protocol/modelsLanguage/liveFacts.ts';
import { NOW_MS, upFacts } from './support/modelsWorld.ts';

describe('LiveSource', () => {
  function source(answers: ((maxAgeMs: number) => Promise<LiveFacts>)[]) {
    const asked: number[] = [];
    let changes = 0;
    const troubles: unknown[] = [];
    let nowMs = NOW_MS;
    const live = new LiveSource({
      ask: (maxAgeMs) => {
        asked.push(maxAgeMs);
        return (answers.shift() ?? assert.fail('asked once too often'))(maxAgeMs);
      },
      onChange: () => changes++,
      onTrouble: (error) => troubles.push(error),
      now: () => nowMs,
    });
    return { live, asked, troubles, changes: () => changes, pass: (ms: number) => (nowMs += ms) };
  }
  const never = () => new Promise<LiveFacts>(() => undefined);

  it('an answer that never comes is not waited for, and is not asked for again at once', async () => {
    const { live, asked } = source([never]);
    assert.equal(await live.within(10_000, 20), false);
    assert.equal(await live.within(10_000, 20), false);
    assert.deepEqual(asked, [10_000]);
  });

  it('after a minute without an answer another question is asked', async () => {
    const facts = upFacts({});
    const { live, pass, asked } = source([never, async () => facts]);
    await live.within(10_000, 5);
    pass(60_001);
    await live.refresh(10_000);
    assert.equal(asked.length, 2);
    assert.equal(live.facts, facts);
  });

  it('what is known and new is not asked for', async () => {
    const { live, asked, changes } = source([async () => upFacts({})]);
    await live.refresh(60_000);
    assert.equal(await live.within(13_000, 5), true);
    assert.equal(asked.length, 1);
    assert.equal(changes(), 1);
  });

  it('what has changed is asked for although a question is open, and an answer that comes late changes nothing', async () => {
    let answerLate: (facts: LiveFacts) => void = () => assert.fail();
    const late = new Promise<LiveFacts>((resolve) => (answerLate = resolve));
    const facts = upFacts({}, { secrets: ['new'] });
    const { live, asked } = source([() => late, async () => facts]);
    const first = live.refresh(60_000);
    await live.changed();
    assert.equal(asked.length, 2);
    answerLate(upFacts({}));
    await first;
    assert.equal(live.facts, facts);
  });

  it('the same answer again is no change; an error is told and what was known stays', async () => {
    const facts = upFacts({});
    const { live, changes, troubles } = source([
      async () => facts,
      async () => upFacts({}),
      () => Promise.reject(new Error('gone')),
    ]);
    for (let turn = 0; turn < 3; turn++) await live.refresh(1000);
    assert.equal(changes(), 1);
    assert.equal(troubles.length, 1);
    assert.equal(live.facts, facts);
  });
});
