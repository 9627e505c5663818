import assert from 'node:assert/strict';
import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { parseModelsText } from '../../../src/config/parse.ts';
import { removeSidecarEndpoint } from '../../../src/config/removeSidecarEndpoint.ts';
import { writeSidecarEndpoint } from '../../../src/config/sidecar.ts';
import { scratchFolders } from './scratch.ts';

describe('removeSidecarEndpoint', () => {
  const scratch = scratchFolders();

  function place(before: string | null): { config: string; sidecar: string } {
    const config = path.join(scratch.folder(), 'models.yaml');
    const sidecar = path.join(path.dirname(config), 'models.local.yaml');
    if (before !== null) scratch.write(sidecar, before);
    return { config, sidecar };
  }

  const table: [name: string, before: string, after: string][] = [
    [
      'takes out the lines of the entry and no other byte',
      '# top\nendpoints:   # eps\n  a:\n    base_url:   http://a  # url\n  b:\n    base_url: http://b\n    notes: |\n      two\n      lines\n  c: { base_url: http://c }\ndefaults:\n  max_turns:   7  # seven\n',
      '# top\nendpoints:   # eps\n  a:\n    base_url:   http://a  # url\n  c: { base_url: http://c }\ndefaults:\n  max_turns:   7  # seven\n',
    ],
    [
      'takes out the last of several',
      'endpoints:\n  a: { base_url: http://a }\n  b: { base_url: http://b }',
      'endpoints:\n  a: { base_url: http://a }\n',
    ],
    [
      'takes out an entry of a section on one line',
      'endpoints: { a: { base_url: http://a }, b: { base_url: http://b } } # all\n',
      'endpoints: { a: { base_url: http://a } } # all\n',
    ],
    [
      'takes out the section with its only entry',
      'defaults:\n  max_turns: 7 # seven\nendpoints:\n  b:\n    base_url: http://b\n',
      'defaults:\n  max_turns: 7 # seven\n',
    ],
    [
      'leaves the head of a file with nothing else',
      '# Written by Delegation Bridge.\nendpoints:\n  b:\n    base_url: http://b\n',
      '# Written by Delegation Bridge.\n',
    ],
    [
      'keeps line ends of Windows',
      'endpoints:\r\n  a: { base_url: http://a }\r\n  b:\r\n    base_url: http://b\r\n',
      'endpoints:\r\n  a: { base_url: http://a }\r\n',
    ],
  ];
  for (const [name, before, after] of table) {
    it(name, () => {
      const { config, sidecar } = place(before);
      assert.equal(removeSidecarEndpoint(config, 'b'), sidecar);
      assert.equal(readFileSync(sidecar, 'utf8'), after);
      assert.equal(lstatSync(sidecar).mode & 0o777, 0o600);
      assert.equal(existsSync(config), false, 'the file by hand is never made');
    });
  }

  it('says that there is nothing to take out, and writes nothing', () => {
    for (const before of [null, '', 'endpoints:\n  a: { base_url: http://a }\n']) {
      const { config, sidecar } = place(before);
      assert.equal(removeSidecarEndpoint(config, 'b'), null);
      assert.equal(existsSync(sidecar), before !== null);
      if (before !== null) assert.equal(readFileSync(sidecar, 'utf8'), before);
    }
  });

  it('does not touch a broken sidecar, nor write through a link', () => {
    const broken = place('endpoints:\n  b: { base_url: http://b\n');
    const linked = place(null);
    symlinkSync(scratch.write(`${linked.config}.elsewhere`, 'endpoints: {}\n'), linked.sidecar);
    for (const { config } of [broken, linked]) {
      assert.throws(
        () => removeSidecarEndpoint(config, 'b'),
        (error) => BridgeError.is(error, 'config_invalid'),
      );
    }
  });

  it('undoes what writing an endpoint did, for any names', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9._-]{0,10}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 2, maxLength: 5 }),
        fc.nat(4),
        (names, which) => {
          const { config, sidecar } = place(null);
          const removed = names[which % names.length] ?? '';
          for (const each of names)
            writeSidecarEndpoint(config, each, { base_url: `http://${which}` });
          removeSidecarEndpoint(config, removed);
          const { value } = parseModelsText(readFileSync(sidecar, 'utf8'), sidecar);
          assert.deepEqual(
            Object.keys(value?.endpoints ?? {}).sort(),
            names.filter((each) => each !== removed).sort(),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
