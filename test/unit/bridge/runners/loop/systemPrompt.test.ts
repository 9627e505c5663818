import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  isSamePrompt,
  systemPrompt,
  type SystemPromptInput,
} from '../../../../../src/bridge/runners/loop/systemPrompt.ts';

const BASE: SystemPromptInput = {
  agent: { name: 'reviewer', body: 'You review code.' },
  tools: [{ name: 'read_file', description: '', inputSchema: {} }],
  cwd: '/one',
  maxTurns: 25,
  isReadOnly: false,
  append: [],
  instructionsFile: null,
};

describe('systemPrompt', () => {
  it('two jobs of one agent share everything up to what belongs to the job', () => {
    const one = systemPrompt(BASE);
    const other = systemPrompt({ ...BASE, cwd: '/two', maxTurns: 9, isReadOnly: true });
    const body = one.indexOf('You review code.') + 'You review code.'.length;
    assert.equal(one.slice(0, body), other.slice(0, body));
    assert.ok(one.indexOf('/one') > body);
  });

  it('is the same text for the same job', () =>
    assert.equal(systemPrompt(BASE), systemPrompt(BASE)));

  const table: { name: string; given: Partial<SystemPromptInput>; has: RegExp; lacks?: RegExp }[] =
    [
      { name: 'read-only', given: { isReadOnly: true }, has: /read-only/ },
      { name: 'not read-only', given: {}, has: /Turns: 25/, lacks: /read-only/ },
      { name: 'no agent', given: { agent: null }, has: /finish/, lacks: /You are the agent/ },
      {
        name: 'added text',
        given: { append: ['', 'Speak French.'] },
        has: /\n\nSpeak French\.\n\n/,
      },
      {
        name: 'instructions',
        given: { instructionsFile: 'CLAUDE.md' },
        has: /CLAUDE\.md in the work folder/,
      },
    ];
  for (const { name, given, has, lacks } of table) {
    it(name, () => {
      const text = systemPrompt({ ...BASE, ...given });
      assert.match(text, has);
      if (lacks !== undefined) assert.doesNotMatch(text, lacks);
    });
  }

  const others: { name: string; given: Partial<SystemPromptInput>; is: boolean }[] = [
    { name: 'another number of turns', given: { maxTurns: 3 }, is: true },
    { name: 'another folder', given: { cwd: '/two' }, is: false },
    { name: 'other rights', given: { isReadOnly: true }, is: false },
    { name: 'another agent', given: { agent: { name: 'x', body: 'y' } }, is: false },
  ];
  for (const { name, given, is } of others)
    it(`${name}: ${is ? 'the same' : 'another'} prompt`, () =>
      assert.equal(isSamePrompt(systemPrompt(BASE), systemPrompt({ ...BASE, ...given })), is));
});
