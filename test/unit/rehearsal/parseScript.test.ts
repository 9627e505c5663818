import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseScript } from '../../../src/rehearsal/parseScript.ts';
import type { ScriptAction } from '../../../src/rehearsal/script.ts';

const GOOD: [script: string, ...actions: ScriptAction[]][] = [
  ['write a.txt: Hello', { kind: 'write', path: 'a.txt', content: 'Hello' }],
  ['write a.txt: one\\ntwo\\\\n\\t.', { kind: 'write', path: 'a.txt', content: 'one\ntwo\\n\t.' }],
  ['write my file.txt: a: b', { kind: 'write', path: 'my file.txt', content: 'a: b' }],
  ['write C:\\x\\a.txt: hi', { kind: 'write', path: 'C:\\x\\a.txt', content: 'hi' }],
  [
    'write a:\n  one\n\n    two\\n\n\nread a',
    w('a', 'one\n\n  two\\n\n'),
    { kind: 'read', path: 'a' },
  ],
  ['write a <<END\n  one\n\n# no comment\nEND', w('a', '  one\n\n# no comment\n')],
  ['write a: <<EOF\nx\nEOF', w('a', 'x\n')],
  ['write a <<END\nEND', w('a', '')],
  ['read src/x.ts', { kind: 'read', path: 'src/x.ts' }],
  ["run: printf 'a\\n' | cat", { kind: 'run', command: "printf 'a\\n' | cat" }],
  ['run: cat <<EOF', { kind: 'run', command: 'cat <<EOF' }],
  ['run <<END\ncd x\nls\nEND', { kind: 'run', command: 'cd x\nls' }],
  ['run:\n  cd x\n  ls', { kind: 'run', command: 'cd x\nls' }],
  ['say: Done: yes', { kind: 'say', text: 'Done: yes' }],
  ['say:\n  One.\n  Two.', { kind: 'say', text: 'One.\nTwo.' }],
  ['thinking: hm', { kind: 'thinking', text: 'hm' }],
  ['edit a: x = 1 => x = 2', { kind: 'edit', path: 'a', oldText: 'x = 1', newText: 'x = 2' }],
  ['edit a: x\\ny => ', { kind: 'edit', path: 'a', oldText: 'x\ny', newText: '' }],
  ['edit a <<E\nx\n=>\ny\nz\nE', { kind: 'edit', path: 'a', oldText: 'x\n', newText: 'y\nz\n' }],
  ['status 429 retry-after=2', status(429, 2, 'Rehearsed status 429.')],
  ['status 500 out of memory', status(500, null, 'out of memory')],
  ['hang 30s', { kind: 'hang', durationMs: 30_000 }],
  ['hang 1.5 s', { kind: 'hang', durationMs: 1500 }],
  ['hang 20ms', { kind: 'hang', durationMs: 20 }],
  ['split every 1 byte', { kind: 'split', sizeBytes: 1 }],
  ['split every 7 bytes', { kind: 'split', sizeBytes: 7 }],
  ['slow 20 tok/s', { kind: 'slow', tokensPerSecond: 20 }],
  ['cut\nhtml\nempty', { kind: 'cut' }, { kind: 'html' }, { kind: 'empty' }],
  [
    'bad-json\nbad-input\noverflow',
    { kind: 'bad-json' },
    { kind: 'bad-input' },
    { kind: 'overflow' },
  ],
  ['# nothing\n\n   say: hi', { kind: 'say', text: 'hi' }],
];

const BAD: [script: string, line: number, problem: RegExp][] = [
  ['say: hi\ndance', 2, /"dance" is not an action/],
  ['write: x', 1, /write PATH: TEXT/],
  ['write a.txt', 1, /Nothing follows "write a.txt"/],
  ['write a <<END\nx', 1, /not closed with END/],
  ['read', 1, /read PATH/],
  ['run:', 1, /run : COMMAND/],
  ['edit a: b', 1, /needs "=>"/],
  ['status 200', 1, /from 400 to 599/],
  ['status many', 1, /from 400 to 599/],
  ['hang forever', 1, /hang 30s/],
  ['split every 0 bytes', 1, /split every 1 byte/],
  ['slow 0 tok/s', 1, /slow 20 tok\/s/],
  ['cut now', 1, /stands alone/],
];

function w(path: string, content: string): ScriptAction {
  return { kind: 'write', path, content };
}

function status(code: number, retryAfterS: number | null, message: string): ScriptAction {
  return { kind: 'status', status: code, retryAfterS, message };
}

function actionsOf(script: string): ScriptAction[] {
  const parsed = parseScript(script);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.script.rounds.flat().map(({ line: _, ...action }) => action);
}

describe('parseScript', () => {
  for (const [script, ...actions] of GOOD) {
    it(`reads ${JSON.stringify(script)}`, () => {
      assert.deepEqual(actionsOf(script), actions);
    });
  }

  for (const [script, line, problem] of BAD) {
    it(`refuses ${JSON.stringify(script)} with its line`, () => {
      const parsed = parseScript(script);
      assert.ok(!parsed.ok);
      assert.equal(parsed.line, line);
      assert.match(parsed.problem, problem);
    });
  }

  it('keeps the line of each action, bodies counted', () => {
    const parsed = parseScript('write a <<E\n1\n2\nE\n\nsay: x');
    assert.ok(parsed.ok);
    assert.deepEqual(
      parsed.script.rounds.flat().map((item) => item.line),
      [1, 6],
    );
  });

  it('divides rounds at ---', () => {
    const parsed = parseScript('say: 1\n---\nread a\nsay: 2');
    assert.ok(parsed.ok);
    assert.deepEqual(
      parsed.script.rounds.map((round) => round.map((item) => item.kind)),
      [['say'], ['read', 'say']],
    );
  });

  it('keeps every body between <<END and END to the byte', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ''));
    const body = fc.array(line.filter((text) => text.trim() !== 'END'));
    fc.assert(
      fc.property(body, (lines) => {
        const content = lines.map((one) => `${one}\n`).join('');
        assert.deepEqual(actionsOf(`write a <<END\n${content}END`), [w('a', content)]);
      }),
    );
  });

  it('never throws, whatever the text', () => {
    const verb = fc.constantFrom('write', 'edit', 'read', 'run', 'say', 'status', 'hang', 'slow');
    const line = fc.tuple(verb, fc.string()).map(([word, rest]) => `${word} ${rest}`);
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => {
        assert.equal(typeof parseScript(lines.join('\n')).ok, 'boolean');
      }),
    );
  });
});
