import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isIntact, signText } from '../../../../src/bridge/setup/signedText.ts';
import { profileTools } from '../../../../src/server/profileTools.ts';

const FOLDER = join(import.meta.dirname, '../../../../media/claude-code');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

describe('the texts that set-up installs', () => {
  for (const [file, part, name] of [
    ['skill.md', 'skill', 'delegate'],
    ['relay.md', 'relay', 'delegate-relay'],
  ] as const) {
    it(`${file} has front matter that Claude Code reads to its end, with the mark in it`, () => {
      const text = signText(read(file), part);
      // Claude Code ends the front matter at the next "---", wherever it stands (2.1.332, tried).
      const [before, matter = ''] = text.split('---');
      assert.equal(before, '');
      const { name: found, description } = parse(matter) as Record<string, string>;
      assert.equal(found, name);
      assert.ok((description ?? '').length > 100 && (description ?? '').length <= 1024);
      assert.match(matter, /^\n# Written by Delegation Bridge; .* sha256:[0-9a-f]{64}\n/);
      assert.ok(isIntact(text));
    });

    it(`${file} names no tool that is not there`, async () => {
      const tools = (await profileTools('bridge', false)).offered.map((tool) => tool.name);
      for (const [, tool = ''] of read(file).matchAll(/mcp__delegate__(\w+)/g)) {
        assert.ok(tools.includes(tool), tool);
      }
      const words = [...read(file).matchAll(/`((?:\w+_)+\w+)`/g)].map(([, word = '']) => word);
      const schemas = JSON.stringify(
        (await profileTools('bridge', false)).offered.map((tool) => Object.keys(tool.input.shape)),
      );
      const known = [...tools, 'model_unavailable', 'policy_refused'];
      assert.deepEqual(
        words.filter((word) => !known.includes(word) && !schemas.includes(`"${word}"`)),
        [],
      );
    });
  }

  it('tells an edited text, however small the edit, from one that is intact', () => {
    const text = signText(read('skill.md'), 'skill');
    for (const edited of [
      `${text}\n`,
      text.replace('dull', 'Dull'),
      text.replaceAll('\n', '\r\n'),
      read('skill.md'),
      '',
    ]) {
      assert.equal(isIntact(edited), false);
    }
    assert.ok(isIntact(signText('#!/bin/sh\nan older one\n', 'hook')));
  });
});
