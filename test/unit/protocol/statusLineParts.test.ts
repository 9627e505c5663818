import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import {
  formatCount,
  formatDuration,
  formatOrdinal,
  formatPlural,
} from '../../../src/protocol/statusLineParts.ts';

describe('statusLineParts', () => {
  const durations: [number, string][] = [
    [0, '0:00'],
    [7.9, '0:07'],
    [252, '4:12'],
    [3600, '1:00:00'],
    [-5, '0:00'],
    [Number.NaN, '0:00'],
  ];
  for (const [seconds, expected] of durations) {
    it(`${seconds} s is ${expected}`, () => assert.equal(formatDuration(seconds), expected));
  }
  const counts: [number, string][] = [
    [0, '0'],
    [999, '999'],
    [1000, '1k'],
    [1234, '1.2k'],
    [131_072, '131k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [2_500_000, '2.5M'],
  ];
  for (const [count, expected] of counts) {
    it(`${count} is ${expected}`, () => assert.equal(formatCount(count), expected));
  }
  const ordinals: [number, string][] = [
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [12, '12th'],
    [13, '13th'],
    [21, '21st'],
    [112, '112th'],
  ];
  for (const [position, expected] of ordinals) {
    it(`${position} is ${expected}`, () => assert.equal(formatOrdinal(position), expected));
  }
  it('counts nouns', () => {
    assert.equal(formatPlural(1, 'file'), '1 file');
    assert.equal(formatPlural(0, 'file'), '0 files');
  });
});
