import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { waitForEnd } from '../../../src/server/waitForEnd.ts';

function fakeProcess() {
  const target = Object.assign(new EventEmitter(), { stdin: new PassThrough() });
  return target as unknown as NodeJS.Process & { stdin: PassThrough };
}

describe('waitForEnd', () => {
  const ways: [
    string,
    (target: ReturnType<typeof fakeProcess>, stdout: PassThrough) => void,
    RegExp,
    boolean,
  ][] = [
    ['stdin ends', ({ stdin }) => stdin.resume().end(), /^stdin has ended$/, false],
    ['stdin breaks', ({ stdin }) => stdin.destroy(), /^stdin was closed$/, false],
    [
      'stdout breaks',
      (_target, stdout) => stdout.destroy(new Error('EPIPE')),
      /^nobody reads stdout$/,
      false,
    ],
    ['SIGTERM', (target) => target.emit('SIGTERM'), /^SIGTERM$/, false],
    ['SIGINT', (target) => target.emit('SIGINT'), /^SIGINT$/, false],
    [
      'an exception that nobody caught',
      (target) => target.emit('uncaughtException', new Error('a defect')),
      /^internal error: Error: a defect/,
      true,
    ],
  ];
  for (const [name, happen, reason, isDefect] of ways) {
    it(name, async () => {
      const target = fakeProcess();
      const stdout = new PassThrough();
      const ended = waitForEnd(target, stdout);
      happen(target, stdout);
      const end = await ended;
      assert.match(end.reason, reason);
      assert.equal(end.isDefect, isDefect);
    });
  }
});
