import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { nameSchema } from '../../../../src/config/schemaParts.ts';
import {
  endpointNameProblem,
  suggestEndpointName,
} from '../../../../src/host/start/endpointName.ts';

describe('endpointName', () => {
  it('says what is wrong with a name', () => {
    for (const [name, problem] of [
      ['tower', null],
      [' tower ', null],
      ['llama.cpp-2', null],
      ['', /needed/],
      ['known', /already/],
      ['42', /digits alone/],
      ['-x', /begin with/],
      ['a b', /letters/],
      ['a/b', /letters/],
      ['__proto__', /letters/],
      ['constructor', /letters/],
      ['x'.repeat(65), /64/],
    ] as const) {
      const said = endpointNameProblem(name, ['known']);
      if (problem === null) assert.equal(said, null, name);
      else assert.match(said ?? '', problem, name);
    }
  });

  it('takes what the configuration takes, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 20 }), fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/)),
        (text) => {
          const isTaken = nameSchema.safeParse(text.trim()).success;
          assert.equal(endpointNameProblem(text, []) === null, isTaken, JSON.stringify(text));
        },
      ),
    );
  });

  it('suggests a name that is valid and free, whatever a server calls itself', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('8080', 'a', '', 'tower:8080')),
        fc.array(fc.constantFrom('a', 'server', 'a-2', 'tower-8080')),
        (wish, taken) => {
          assert.equal(endpointNameProblem(suggestEndpointName(wish, taken), taken), null);
        },
      ),
    );
    assert.equal(suggestEndpointName('llama.cpp', ['llama.cpp']), 'llama.cpp-2');
    assert.equal(suggestEndpointName('127.0.0.1:8080', []), '127.0.0.1-8080');
  });
});
