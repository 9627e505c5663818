import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Timeline } from '../../../../webview-ui/jobPanel/events/timeline.ts';
import type { TimelineItem } from '../../../../webview-ui/jobPanel/events/timelineItem.ts';

const RECORDED = readFileSync('test/fixtures/jobPanel/events.jsonl', 'utf8');
const LINES = RECORDED.trimEnd().split('\n');

function whole(text: string): Timeline {
  const timeline = new Timeline();
  timeline.restart(0);
  timeline.append(text, 0);
  return timeline;
}

/** Items without their ids, which count differently after a load of what was earlier. */
function contents(items: readonly TimelineItem[]): unknown[] {
  return items.map((item) => ({ ...item, id: 0 }));
}

function event(seq: number, value: unknown): string {
  return `${JSON.stringify({ v: 1, seq, at: '2026-11-30T08:00:00.000Z', type: 'message', value })}\n`;
}

function said(seq: number, text: string, id = `msg_${seq}`): string {
  const content = [{ type: 'text', text }];
  return event(seq, { type: 'assistant', message: { id, model: 'm', content } });
}

describe('the timeline of a job', () => {
  it('reads a recorded session: what was said, each call with its answer, in turns', () => {
    const timeline = whole(RECORDED);
    assert.deepEqual(
      timeline.items.map((item) =>
        item.kind === 'call'
          ? [item.name, item.subject, item.result?.isError, item.result?.exit]
          : [item.kind, item.text.slice(0, 40)],
      ),
      [
        ['mark', 'The session began'],
        ['Read', 'range.js', false, null],
        ['Bash', 'node --test', true, 1],
        ['Edit', 'range.js', false, null],
        ['Bash', 'node --test', false, null],
        ['said', 'The loop in range.js left out the last n'],
        ['mark', 'The session ended'],
      ],
    );
    assert.deepEqual([...timeline.turns().values()], [1, 2, 3, 4, 5]);
    assert.equal(timeline.earlierEnd, 0);
  });

  it('is the same however the log is cut into pieces', () => {
    const expected = contents(whole(RECORDED).items);
    fc.assert(
      fc.property(fc.array(fc.nat(RECORDED.length), { maxLength: 12 }), (cuts) => {
        const timeline = new Timeline();
        timeline.restart(0);
        const places = [0, ...cuts.sort((a, b) => a - b), RECORDED.length];
        for (const [index, from] of places.slice(0, -1).entries())
          timeline.append(RECORDED.slice(from, places[index + 1]), from);
        assert.deepEqual(contents(timeline.items), expected);
      }),
    );
  });

  it('is the same whichever part of it was loaded first', () => {
    const expected = whole(RECORDED);
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: LINES.length - 1 }), { maxLength: 5 }),
        (cuts) => {
          const places = [0, ...cuts.sort((a, b) => a - b), LINES.length];
          const pages = places
            .slice(0, -1)
            .map((from, index) => LINES.slice(from, places[index + 1]).join('\n') + '\n');
          const timeline = new Timeline();
          timeline.restart(pages.length - 1);
          timeline.append(pages.at(-1) ?? '', pages.length - 1);
          for (let page = pages.length - 2; page >= 0; page -= 1) {
            assert.equal(timeline.turns().size, 0, 'no number before the begin is known');
            timeline.prepend(pages[page] ?? '', page);
          }
          assert.deepEqual(contents(timeline.items), contents(expected.items));
          assert.deepEqual([...timeline.turns().values()], [...expected.turns().values()]);
          const ids = timeline.items.map(({ id }) => id);
          assert.deepEqual(
            ids,
            [...ids].sort((a, b) => a - b),
            'ids grow along the list',
          );
        },
      ),
    );
  });

  it('takes whatever bytes there are, and misses no line after them', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.json(),
            fc.json().map((text) => text.slice(0, 9)),
          ),
        ),
        (lines) => {
          const timeline = whole(`${lines.join('\n')}\n${said(1, 'after all that')}`);
          const last = timeline.items.at(-1);
          assert.equal(last?.kind === 'said' && last.text, 'after all that');
        },
      ),
    );
  });

  it('knows kinds of the bridge itself, and leaves out what it does not know', () => {
    const own = (type: string, value: unknown): string =>
      `${JSON.stringify({ v: 1, seq: 1, at: null, type, value })}\n`;
    const timeline = whole(
      own('start', {
        ...{ endpoint: 'tower', model: 'qwen', context: 131_072 },
        fallback: { from: 'glm', to: 'qwen', reason: 'pool full' },
      }) +
        own('backend', { status: 503, message: 'still loading' }) +
        own('gate', { name: 'tests', status: 'failed', exit: 1, duration_s: 62 }) +
        own('repair', { round: 1, of: 2, gate: 'tests' }) +
        own('of tomorrow', { anything: true }) +
        event(2, {
          type: 'system',
          subtype: 'compact_boundary',
          compact_metadata: { pre_tokens: 99_000 },
        }) +
        event(3, {
          type: 'system',
          subtype: 'api_retry',
          attempt: 2,
          error_status: 529,
          retry_delay_ms: 1500,
        }) +
        event(4, { type: 'of tomorrow' }) +
        event(5, { type: 'result', subtype: 'error_max_turns', errors: ['too many'] }),
    );
    assert.deepEqual(
      timeline.items.map((item) =>
        item.kind === 'mark' ? `${item.tone}: ${item.text}` : item.kind,
      ),
      [
        'attention: Fallback from glm to qwen',
        'quiet: Started on tower with qwen, window 131k',
        'attention: The endpoint answered 503: still loading',
        'bad: Gate tests failed (exit 1, 1:02)',
        "attention: Repair round 1 of 2: the gate's output went back to the model",
        'attention: The conversation was compacted at 99k tokens',
        'attention: Retry 2: 529, again in 2 s',
        'bad: The session ended with error max turns',
      ],
    );
  });

  it('counts a message in several blocks as one turn, and agents of the model as none', () => {
    const nested = JSON.stringify({
      ...{ v: 1, seq: 3, at: null, type: 'message' },
      value: {
        ...{ type: 'assistant', parent_tool_use_id: 'call_1' },
        message: { id: 'msg_n', model: 'm', content: [{ type: 'text', text: 'inside' }] },
      },
    });
    const timeline = whole(
      said(1, 'a', 'm1') + said(2, 'b', 'm1') + `${nested}\n` + said(4, 'c', 'm2'),
    );
    assert.deepEqual(
      [...timeline.turns().entries()],
      [
        [0, 1],
        [3, 2],
      ],
    );
    assert.deepEqual(
      timeline.items.map(({ isNested }) => isNested),
      [false, false, true, false],
    );
  });

  it('lets the oldest pages go when there is too much, and can have them again', () => {
    const timeline = new Timeline({ items: 50, characters: 1_000_000 });
    timeline.restart(0);
    const pages = Array.from({ length: 20 }, (_, page) =>
      Array.from({ length: 10 }, (_, n) => said(page * 10 + n, `${page}.${n}`)).join(''),
    );
    for (const [page, text] of pages.entries()) timeline.append(text, page);
    assert.equal(timeline.items.length, 50);
    assert.equal(timeline.earlierEnd, 15);
    const first = timeline.items[0];
    assert.equal(first?.kind === 'said' && first.text, '15.0');
    timeline.prepend(pages[14] ?? '', 14);
    assert.equal(timeline.earlierEnd, 14);
    const earlier = timeline.items[0];
    assert.equal(earlier?.kind === 'said' && earlier.text, '14.0');
    assert.equal(timeline.isFull, true);
  });

  it('bounds what it keeps of a huge text, and says how much is missing', () => {
    const [item] = whole(said(1, 'x'.repeat(100_000))).items;
    assert.ok(item?.kind === 'said');
    assert.ok(item.text.length < 25_000);
    assert.match(item.text, /76000 more characters are in the log$/);
  });

  it('shows a line that is too long as one that cannot be read', () => {
    const timeline = new Timeline();
    timeline.restart(0);
    for (let n = 0; n < 9; n += 1) timeline.append('y'.repeat(500_000), n);
    timeline.append(`\n${said(2, 'next')}`, 10);
    assert.deepEqual(
      timeline.items.map((item) => (item.kind === 'call' ? item.name : item.text)),
      ['An entry of the log that cannot be read', 'next'],
    );
  });
});
