import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { type Memory, ReviewTitles } from '../../../../src/host/review/reviewTitles.ts';

function memory(): Memory {
  const values = new Map<string, unknown>();
  return {
    get: <T>(key: string) => structuredClone(values.get(key)) as T | undefined,
    update: async (key, value) => void values.set(key, structuredClone(value)),
  };
}
const job = (jobId: string) => ({ kind: 'job', jobId }) as const;

describe('titles of review editors', () => {
  it('lead to what was opened, also after a reload of the window', () => {
    const kept = memory();
    const title = new ReviewTitles(kept).name('Review: x', job('job-1111'));
    assert.equal(title, 'Review: x');
    const reloaded = new ReviewTitles(kept);
    assert.deepEqual(reloaded.find('Review: x'), job('job-1111'));
    assert.deepEqual(reloaded.find('Review: x (12 files)'), job('job-1111'));
    assert.equal(reloaded.find('Review: y'), null);
  });

  it('are never the same for two jobs', () => {
    const titles = new ReviewTitles(memory());
    const all = ['job-1111', 'job-2222', 'jab-2222'].map((id) => titles.name('Review: x', job(id)));
    assert.deepEqual(all, ['Review: x', 'Review: x · 2222', 'Review: x · jab-2222']);
    assert.deepEqual(titles.find('Review: x · 2222 (1 file)'), job('job-2222'));
    assert.deepEqual(titles.find('Review: x (1 file)'), job('job-1111'));
  });

  it('stay the same when the same is opened again', () => {
    const titles = new ReviewTitles(memory());
    titles.name('Review: x', job('job-1111'));
    assert.equal(titles.name('Review: x', job('job-1111')), 'Review: x');
  });

  it('are bounded: the oldest are forgotten', () => {
    const titles = new ReviewTitles(memory());
    for (let n = 0; n < 250; n++) titles.name(`Review: ${n}`, job(`job-${n}`));
    assert.equal(titles.find('Review: 0'), null);
    assert.deepEqual(titles.find('Review: 249'), job('job-249'));
  });
});
