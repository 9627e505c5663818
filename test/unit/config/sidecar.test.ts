import assert from 'node:assert/strict';
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { parseModelsText } from '../../../src/config/parse.ts';
import { writeSidecarEndpoint } from '../../../src/config/sidecar.ts';
import type { SidecarEntry } from '../../../src/config/sidecarFile.ts';
import { scratchFolders } from './scratch.ts';

describe('writeSidecarEndpoint', () => {
  const scratch = scratchFolders();

  function written(
    before: string | null,
    name: string,
    entry: SidecarEntry,
    main?: string,
  ): string {
    const config = path.join(scratch.folder(), 'models.yaml');
    if (main !== undefined) scratch.write(config, main);
    const sidecar = path.join(path.dirname(config), 'models.local.yaml');
    if (before !== null) scratch.write(sidecar, before);
    assert.equal(writeSidecarEndpoint(config, name, entry), sidecar);
    assert.equal(existsSync(config), main !== undefined, 'the file by hand is never made');
    assert.equal(lstatSync(sidecar).mode & 0o777, 0o600);
    assert.deepEqual(
      readdirSync(path.dirname(config)).filter((file) => file.endsWith('.tmp')),
      [],
    );
    return readFileSync(sidecar, 'utf8');
  }

  const long =
    'http://a-very-long-name-of-a-machine-in-a-network.example.internal:8080/with/a/path/that/goes/on/and/on';
  const table: [
    name: string,
    before: string | null,
    endpoint: string,
    entry: SidecarEntry,
    after: string,
  ][] = [
    [
      'makes the file',
      null,
      'a',
      { base_url: long, notes: 'é\nzwei' },
      `# Written by Delegation Bridge; merged field by field over the file beside it.\nendpoints:\n  a:\n    base_url: ${long}\n    notes: |-\n      é\n      zwei\n`,
    ],
    [
      'adds after the last entry',
      'endpoints:\n  a:\n    base_url: http://a # mine\n\n# tail\n',
      'b',
      { base_url: 'http://b' },
      'endpoints:\n  a:\n    base_url: http://a # mine\n  b:\n    base_url: http://b\n\n# tail\n',
    ],
    [
      'adds a section',
      'defaults: {max_turns:   3}  # three',
      'b',
      { base_url: 'http://b' },
      'defaults: {max_turns:   3}  # three\nendpoints:\n  b:\n    base_url: http://b\n',
    ],
    [
      'changes one field and keeps every other byte',
      '# top\nendpoints:   # eps\n  a:\n    base_url:   \'http://a\'  # url\n    # note\n    notes:  "n"\n\n  # before b\n  b: { base_url: http://q }  # flow\ndefaults:\n  max_turns:   7  # seven\n',
      'b',
      { notes: 'x' },
      '# top\nendpoints:   # eps\n  a:\n    base_url:   \'http://a\'  # url\n    # note\n    notes:  "n"\n\n  # before b\n  b: { base_url: http://q, notes: x }  # flow\ndefaults:\n  max_turns:   7  # seven\n',
    ],
    [
      'keeps comments inside the entry',
      'endpoints:\n  a:\n    # where\n    base_url: http://a # url\n',
      'a',
      { base_url: 'http://b' },
      'endpoints:\n  a:\n    # where\n    base_url: http://b # url\n',
    ],
    [
      'keeps fields that are not named',
      'endpoints:\n  a:\n    base_url: http://a\n    notes: n\n',
      'a',
      { host: 'h' },
      'endpoints:\n  a:\n    base_url: http://a\n    notes: n\n    host: h\n',
    ],
    [
      'keeps CRLF',
      'endpoints:\r\n  a:\r\n    base_url: http://a\r\ndefaults: {}\r\n',
      'b',
      { base_url: 'http://b' },
      'endpoints:\r\n  a:\r\n    base_url: http://a\r\n  b:\r\n    base_url: http://b\r\ndefaults: {}\r\n',
    ],
    [
      'keeps references',
      'endpoints:\n  a:\n    base_url: http://a\n    api_key: ${env:K}\n',
      'a',
      { notes: 'n' },
      'endpoints:\n  a:\n    base_url: http://a\n    api_key: ${env:K}\n    notes: n\n',
    ],
    [
      'writes after a block text',
      'endpoints:\n  a:\n    base_url: http://a\n    notes: |\n      x\n# end',
      'b',
      { base_url: 'http://b' },
      'endpoints:\n  a:\n    base_url: http://a\n    notes: |\n      x\n  b:\n    base_url: http://b\n# end',
    ],
    [
      'fills an empty section',
      'endpoints:\n',
      'b',
      { base_url: 'http://b' },
      'endpoints:\n  b:\n    base_url: http://b\n',
    ],
    [
      'keeps merge keys',
      'endpoints:\n  a: &x\n    base_url: http://a\n  b:\n    <<: *x\n',
      'b',
      { notes: 'n' },
      'endpoints:\n  a: &x\n    base_url: http://a\n  b:\n    <<: *x\n    notes: n\n',
    ],
  ];
  for (const [name, before, endpoint, entry, after] of table)
    it(name, () => assert.equal(written(before, endpoint, entry), after));

  it('changes exactly the named fields, for any sidecar', () => {
    const entry = fc.record(
      {
        base_url: fc.constantFrom('http://a', 'http://b:1'),
        notes: fc.string({ unit: 'grapheme' }),
        max_concurrent: fc.integer({ min: 1, max: 9 }),
      },
      { requiredKeys: [] },
    );
    const name = fc.constantFrom('a', 'b', 'c.d');
    fc.assert(
      fc.property(
        fc.dictionary(name, entry),
        name,
        entry,
        fc.boolean(),
        (endpoints, target, change, isFlow) => {
          fc.pre(Object.keys(change).length > 0);
          const before = isFlow
            ? JSON.stringify({ endpoints, gates: {} })
            : `# c\nendpoints:\n${Object.entries(endpoints)
                .map(([key, value]) => `  ${key}: ${JSON.stringify(value)} # ${key}\n`)
                .join('')}gates: {}\n`;
          const after = parseModelsText(written(before, target, change), 'f');
          // Through JSON, because fast-check also makes objects without a prototype.
          const expected = {
            endpoints: { ...endpoints, [target]: { ...endpoints[target], ...change } },
            gates: {},
          };
          assert.deepEqual(after.value, JSON.parse(JSON.stringify(expected)));
        },
      ),
      { numRuns: 150 },
    );
  });

  const refused: [
    name: string,
    before: string | null,
    endpoint: string,
    entry: unknown,
    main: string | undefined,
    kind: 'bad_argument' | 'config_invalid',
    words: RegExp,
  ][] = [
    [
      'a broken sidecar',
      'endpoints: [',
      'a',
      { base_url: 'http://a' },
      undefined,
      'config_invalid',
      /models\.local\.yaml:1:\d+/,
    ],
    [
      'a sidecar with an unknown key',
      'endpoints: { a: { zzz: 1 } }',
      'a',
      { notes: 'n' },
      undefined,
      'config_invalid',
      /zzz/,
    ],
    [
      'a name that cannot be',
      null,
      'a b',
      { base_url: 'http://a' },
      undefined,
      'bad_argument',
      /name/,
    ],
    [
      '__proto__',
      null,
      '__proto__',
      { base_url: 'http://a' },
      undefined,
      'bad_argument',
      /reserved/,
    ],
    ['nothing', null, 'a', {}, undefined, 'bad_argument', /nothing to write/],
    ['no address', null, 'a', { base_url: 'nowhere' }, undefined, 'bad_argument', /address/],
    [
      'an unknown field',
      null,
      'a',
      { base_uri: 'http://a' },
      undefined,
      'bad_argument',
      /base_uri/,
    ],
    [
      'another address for the key of the file',
      null,
      'a',
      { base_url: 'http://evil' },
      'endpoints: { a: { base_url: http://a, api_key: "${env:K}" } }',
      'bad_argument',
      /another address/,
    ],
    [
      'another address for headers of the sidecar',
      'endpoints: { a: { base_url: http://a, headers: { X: y } } }',
      'a',
      { base_url: 'http://evil' },
      undefined,
      'bad_argument',
      /another address/,
    ],
    [
      'another address when the file cannot be read',
      null,
      'a',
      { base_url: 'http://evil' },
      'endpoints: [',
      'config_invalid',
      /broken/,
    ],
  ];
  for (const [name, before, endpoint, entry, main, kind, words] of refused) {
    it(`refuses ${name}, and writes nothing`, () => {
      const config = path.join(scratch.folder(), 'models.yaml');
      const sidecar = path.join(path.dirname(config), 'models.local.yaml');
      if (main !== undefined) scratch.write(config, main);
      if (before !== null) scratch.write(sidecar, before);
      assert.throws(
        () => writeSidecarEndpoint(config, endpoint, entry as SidecarEntry),
        (error: unknown) => BridgeError.is(error, kind) && words.test(error.message),
      );
      assert.equal(existsSync(sidecar) ? readFileSync(sidecar, 'utf8') : null, before);
    });
  }

  it('takes another address with a key of its own, and the same address without', () => {
    const main = 'endpoints: { a: { base_url: http://a, api_key: "${env:K}" } }';
    assert.match(written(null, 'a', { base_url: 'http://b', api_key: '' }, main), /http:\/\/b/);
    assert.match(written(null, 'a', { base_url: 'http://a/v1', notes: 'n' }, main), /notes/);
  });

  it('does not write through a link', () => {
    const dir = scratch.folder();
    const target = scratch.write(path.join(dir, 'target.yaml'), '');
    symlinkSync(target, path.join(dir, 'models.local.yaml'));
    assert.throws(
      () => writeSidecarEndpoint(path.join(dir, 'models.yaml'), 'a', { base_url: 'http://a' }),
      /is a link/,
    );
    assert.equal(readFileSync(target, 'utf8'), '');
  });
});
