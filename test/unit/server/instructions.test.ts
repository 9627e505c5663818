import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { instructionsOf } from '../../../src/server/instructions.ts';
import { profileTools } from '../../../src/server/profileTools.ts';

describe('instructionsOf', () => {
  for (const profile of ['bridge', 'ui', 'delegate-local'] as const) {
    it(`${profile}: every tool that is named is offered`, async () => {
      const offered = (await profileTools(profile, false)).offered.map((tool) => tool.name);
      const named = [...instructionsOf(profile).matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)]
        .map(([word]) => word)
        .filter((word) => word !== 'fallback_note');
      assert.ok(named.length >= 4);
      assert.deepEqual(
        named.filter((word) => !offered.includes(word)),
        [],
      );
    });
  }
});
