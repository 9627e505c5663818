import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import {
  isOnlyReferences,
  redactor,
  referencesIn,
  resolveReferences,
  SecretFile,
} from '../../../src/config/secrets.ts';
import { scratchFolders } from './scratch.ts';

const kind = (wanted: string, words: RegExp) => (error: unknown) =>
  BridgeError.is(error) && error.kind === wanted && words.test(`${error.message} ${error.hint}`);

describe('SecretFile', () => {
  const scratch = scratchFolders();
  const modeOf = (file: string) => lstatSync(file).mode & 0o777;

  it('keeps, names and deletes secrets in a file of mode 0600', () => {
    const dir = path.join(scratch.folder(), 'new/config');
    const secrets = new SecretFile(dir);
    assert.deepEqual([secrets.names(), secrets.get('a')], [[], null]);
    secrets.set('b', 'two');
    secrets.set('a', 'one\n"quoted"');
    assert.deepEqual(
      [secrets.names(), secrets.get('a'), new SecretFile(dir).get('b')],
      [['a', 'b'], 'one\n"quoted"', 'two'],
    );
    assert.equal(modeOf(secrets.file), 0o600);
    assert.deepEqual(readdirSync(dir), ['secrets.json'], 'no temporary file is left');
    assert.deepEqual(
      [secrets.delete('a'), secrets.delete('a'), secrets.names()],
      [true, false, ['b']],
    );
  });

  it('keeps any value', () => {
    const secrets = new SecretFile(scratch.folder());
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
        secrets.set('x', value);
        assert.equal(secrets.get('x'), value);
      }),
      { numRuns: 30 },
    );
  });

  it('refuses names that a reference could not hold, and empty values', () => {
    const secrets = new SecretFile(scratch.folder());
    for (const name of ['', 'a b', '__proto__', 'a}', '-a', 'a/b', 'x'.repeat(101)])
      assert.throws(() => secrets.set(name, 'v'), kind('bad_argument', /name/));
    assert.throws(() => secrets.set('a', ''), kind('bad_argument', /no value/));
    assert.equal(secrets.get('constructor'), null);
  });

  it('repairs the mode', () => {
    const secrets = new SecretFile(scratch.folder());
    secrets.set('a', '1');
    chmodSync(secrets.file, 0o644);
    assert.equal(secrets.get('a'), '1');
    assert.equal(modeOf(secrets.file), 0o600);
  });

  it('refuses a link, the file of somebody else, and what is no secret file; changes none of them', () => {
    const dir = scratch.folder();
    const target = scratch.write(path.join(dir, 'elsewhere.json'), '{"a":"1"}');
    const secrets = new SecretFile(dir);
    symlinkSync(target, secrets.file);
    assert.throws(() => secrets.get('a'), kind('config_invalid', /symbolic link/));
    assert.throws(() => secrets.set('a', '2'), kind('config_invalid', /symbolic link/));
    assert.equal(readFileSync(target, 'utf8'), '{"a":"1"}');

    const other = new SecretFile(scratch.folder(), (process.getuid?.() ?? 0) + 1);
    writeFileSync(other.file, '{"a":"1"}');
    assert.throws(() => other.get('a'), kind('config_invalid', /another user/));

    const broken = new SecretFile(scratch.folder());
    for (const text of ['sk-hush', '{"a": 1}', '["sk-hush"]', '{"a":"sk-hush"']) {
      writeFileSync(broken.file, text);
      assert.throws(
        () => broken.set('b', '2'),
        (error: unknown) =>
          kind('config_invalid', /secrets\.json/)(error) && !/hush/.test(String(error)),
      );
      assert.equal(readFileSync(broken.file, 'utf8'), text, 'nothing is lost');
    }
  });
});

describe('resolveReferences', () => {
  const sources = {
    env: { KEY: 'env-value', EMPTY: '', NESTED: '${secret:s}' },
    secrets: { get: (name: string) => (name === 's' ? 'secret-$&-value' : null) },
  };
  const table: [text: string, value: string, names: string[]][] = [
    ['', '', []],
    ['plain $HOME ${} ${x:y}', 'plain $HOME ${} ${x:y}', []],
    ['${env:KEY}', 'env-value', ['env:KEY']],
    ['Bearer ${secret:s}!${env:KEY}', 'Bearer secret-$&-value!env-value', ['secret:s', 'env:KEY']],
    ['${env:NESTED}', '${secret:s}', ['env:NESTED']],
  ];
  for (const [text, value, names] of table) {
    it(JSON.stringify(text), () => {
      assert.deepEqual(resolveReferences(text, sources), { value, names });
      assert.deepEqual(referencesIn(text), names);
    });
  }
  for (const reference of [
    '${env:MISSING}',
    '${env:EMPTY}',
    '${secret:missing}',
    '${env:constructor}',
  ]) {
    it(`${reference} has no value: the error names it and no value`, () => {
      assert.throws(
        () => resolveReferences(`\${env:KEY}${reference}`, sources),
        (error: unknown) =>
          BridgeError.is(error, 'secret_missing') &&
          error.message.includes(reference) &&
          !JSON.stringify([error.message, error.hint, error.details]).includes('env-value'),
      );
    });
  }
  it('knows a text of references only', () => {
    assert.deepEqual(
      ['${env:A}', 'Bearer ${secret:b}', 'sk-${env:A}', 'sk'].map(isOnlyReferences),
      [true, true, false, false],
    );
  });
});

describe('redactor', () => {
  it('replaces values, the longest first, in JSON and URLs too', () => {
    const redact = redactor({ a: 'abcd', longer: 'abcdef', quoted: 'x"y z/', short: 'no' });
    assert.equal(redact('abcd abcdefg no'), '[secret a] [secret longer]g no');
    assert.equal(redact(JSON.stringify({ key: 'x"y z/' })), '{"key":"[secret quoted]"}');
    assert.equal(redact(`?k=${encodeURIComponent('x"y z/')}`), '?k=[secret quoted]');
    assert.equal(redactor({})('abcd'), 'abcd');
  });
  it('lets no value through, whatever it holds', () => {
    const secret = fc.string({ minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        fc.pre(!'[secret KEY]'.includes(value) && !before.includes('[') && !after.includes(']'));
        assert.ok(!redactor({ KEY: value })(`${before}|${value}|${after}`).includes(`|${value}|`));
      }),
    );
  });
});
