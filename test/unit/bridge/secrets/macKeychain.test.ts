import { afterEach, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MacKeychain } from '../../../../src/bridge/secrets/macKeychain.ts';

/** Stands in for `security`: keeps what its manual says, notes its arguments, and fails on what it does not know. */
const SECURITY = `#!${process.execPath}
const fs = require('node:fs');
const folder = __dirname;
const items = folder + '/items.json';
const load = () => (fs.existsSync(items) ? JSON.parse(fs.readFileSync(items, 'utf8')) : {});
const argv = process.argv.slice(2);
fs.appendFileSync(folder + '/argv', JSON.stringify(argv) + '\\n');
if (fs.existsSync(folder + '/locked')) {
  console.error('security: SecKeychainItemCopyContent: User interaction is not allowed.');
  process.exit(36);
}
const unknown = (what) => {
  console.error('stand-in: unexpected ' + what);
  process.exit(99);
};
const options = (words) => {
  const found = {};
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === '-U') found.U = true;
    else if (word === '-a' || word === '-s') found[word[1]] = words[(at += 1)];
    else if (word === '-w') found.w = at + 1 < words.length ? words[(at += 1)] : true;
    else unknown('option ' + word);
  }
  if (found.s !== 'delegation-bridge') unknown('service ' + found.s);
  return found;
};
if (argv.length === 1 && argv[0] === '-i') {
  const text = fs.readFileSync(0, 'utf8');
  const lines = text.split('\\n');
  if (lines.length !== 2 || lines[1] !== '' || lines[0].length > 4096) unknown('input');
  // It splits as a shell does: what needs quotes would be broken here.
  if (/["'\\\\]/.test(lines[0])) unknown('quotes');
  const [verb, ...rest] = lines[0].split(' ');
  const { a, w, U } = options(rest);
  if (verb !== 'add-generic-password' || !U || typeof w !== 'string') unknown(verb);
  fs.writeFileSync(items, JSON.stringify({ ...load(), [a]: w }));
} else if (argv[0] === 'find-generic-password') {
  const { a, w } = options(argv.slice(1));
  if (w !== true) unknown('find without -w');
  const all = load();
  if (!(a in all)) {
    console.error('security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.');
    process.exit(44);
  }
  // What is not printable it prints as hexadecimal digits.
  console.log(/^[ -~]*$/.test(all[a]) ? all[a] : Buffer.from(all[a]).toString('hex'));
} else if (argv[0] === 'delete-generic-password') {
  const { a } = options(argv.slice(1));
  const all = load();
  if (!(a in all)) process.exit(44);
  delete all[a];
  fs.writeFileSync(items, JSON.stringify(all));
} else unknown(argv[0]);
`;

describe('the keychain of macOS', () => {
  let folder: string;
  let keychain: MacKeychain;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'delegate-security-'));
    // As a package of its own, so that the program is read as CommonJS.
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'security'), SECURITY, { mode: 0o755 });
    keychain = new MacKeychain(process.env, join(folder, 'security'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const argv = (): string =>
    existsSync(join(folder, 'argv')) ? readFileSync(join(folder, 'argv'), 'utf8') : '';

  for (const value of [
    'sk-plain-0001',
    'with space',
    '"quotes" \'and\' \\ $(x)',
    'two\nlines\n',
    'ü€😀',
    'base64:looks-encoded',
    '-w',
  ]) {
    it(`keeps ${JSON.stringify(value)}, and never as an argument`, async () => {
      assert.equal(await keychain.get('tower'), null);
      await keychain.set('tower', 'an older one');
      await keychain.set('tower', value);
      assert.equal(await keychain.get('tower'), value);
      if (value !== '-w') assert.ok(!argv().includes(value.trim()));
      assert.match(argv(), /^\["-i"\]$/m);
      await keychain.delete('tower');
      await keychain.delete('tower');
      assert.equal(await keychain.get('tower'), null);
    });
  }

  it('refuses what a line of it cannot hold', async () => {
    await assert.rejects(keychain.set('tower', 'x'.repeat(5000)), { kind: 'bad_argument' });
    assert.equal(argv(), '');
  });

  it('says that it is locked, and what it said', async () => {
    writeFileSync(join(folder, 'locked'), '');
    for (const act of [
      () => keychain.get('tower'),
      () => keychain.set('tower', 'sk-plain-0001'),
      () => keychain.delete('tower'),
    ])
      await assert.rejects(act, (error: Error) => {
        assert.match(error.message, /^The keychain is locked\..*interaction is not allowed/);
        return !error.message.includes('sk-plain-0001');
      });
  });
});
