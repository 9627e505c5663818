import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { redactReport } from '../../../src/bridge/redactReport.ts';

const redact = (text: string): Promise<string> =>
  redactReport(text, {
    env: { MY_API_KEY: 'from-the-environment', LANG: 'C.UTF-8', SHORT_TOKEN: 'abc' },
    secrets: {
      names: () => ['kept'],
      read: async () => ({ get: () => 'kept-in-the-file' }),
    } as unknown as Parameters<typeof redactReport>[1]['secrets'],
    homeDir: '/home/somebody',
  });

describe('redactReport', () => {
  const cases: [string, string][] = [
    ['a kept-in-the-file b', 'a [secret kept] b'],
    ['a from-the-environment b', 'a [secret MY_API_KEY] b'],
    ['C.UTF-8 abc', 'C.UTF-8 abc'],
    ['http://user:pass@host/x', 'http://[redacted]@host/x'],
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [redacted]'],
    [`key sk-ant-${'a1B2'.repeat(6)}`, 'key [redacted]'],
    ['/home/somebody/project', '~/project'],
    ['http://127.0.0.1:8080 is up', 'http://127.0.0.1:8080 is up'],
  ];
  for (const [text, expected] of cases) {
    it(text, async () => assert.equal(await redact(text), expected));
  }
});
