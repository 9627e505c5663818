import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readFormMessage } from '../../../../src/host/registryForm/readFormMessage.ts';
import { withTimeLimit } from '../../../../src/host/registryForm/withTimeLimit.ts';

const path = ['endpoints', 'a'];
const edit = { type: 'edit', id: 1, version: 2, edits: [{ kind: 'set', path, value: { x: [1] } }] };

const UNDERSTOOD: readonly unknown[] = [
  { type: 'ready' },
  edit,
  {
    ...edit,
    edits: [
      { kind: 'move', path, to: 0 },
      { kind: 'remove', path },
    ],
  },
  { type: 'fix', version: 1, problem: 0, fix: 0 },
  { type: 'focus', path: [] },
  { type: 'try', baseUrl: 'http://127.0.0.1:1', secret: 'a' },
  { type: 'register', baseUrl: 'http://127.0.0.1:1', name: 'a', keepOutOfGit: true },
  { type: 'askSecret' },
  { type: 'runGate', name: 'tests' },
  { type: 'blocked', directive: 'img-src', uri: 'inline' },
];

const NOT_UNDERSTOOD: readonly unknown[] = [
  null,
  'ready',
  [],
  { type: 'readyy' },
  { type: 'ready', more: 1 },
  { ...edit, edits: [] },
  { ...edit, version: 'last' },
  { ...edit, edits: [{ kind: 'write', path, value: 1 }] },
  { ...edit, edits: [{ kind: 'set', path: [-1], value: 1 }] },
  { ...edit, edits: [{ kind: 'set', path: [{}], value: 1 }] },
  { ...edit, edits: [{ kind: 'set', path, value: undefined }] },
  { type: 'askSecret', value: 'sk-1234' },
  { type: 'register', baseUrl: 'http://a', name: 'a', keepOutOfGit: true, entry: { env: {} } },
  { type: 'runGate', name: '' },
  { type: 'runCommand', command: 'workbench.action.terminal.new' },
];

describe('what the page of the form says', () => {
  for (const message of UNDERSTOOD)
    it(`is understood: ${JSON.stringify(message).slice(0, 100)}`, () =>
      assert.deepEqual(readFormMessage(message), message));

  for (const message of NOT_UNDERSTOOD)
    it(`is not understood: ${JSON.stringify(message).slice(0, 100)}`, () =>
      assert.equal(readFormMessage(message), null));

  it('never makes it throw', () => {
    fc.assert(fc.property(fc.anything(), (message) => void readFormMessage(message)));
  });
});

describe('a limit to waiting', () => {
  it('gives what was waited for', async () => {
    assert.equal(await withTimeLimit(Promise.resolve(3), 1000, 'late'), 3);
    await assert.rejects(withTimeLimit(Promise.reject(new Error('no')), 1000, 'late'), /no/);
  });

  it('says what did not come', async () => {
    const never = new Promise<void>(() => undefined);
    await assert.rejects(withTimeLimit(never, 1, 'Nobody answers.'), {
      ...{ kind: 'timeout', message: 'Nobody answers.' },
    });
  });
});
