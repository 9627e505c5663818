import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { jailMounts, type JailMount } from '../../../../src/bridge/processes/jailMounts.ts';
import { seatbelt } from '../../../../src/bridge/processes/seatbelt.ts';

describe('what a jail lays over the file system', () => {
  let root: string;
  before(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-mounts-')));
    for (const one of ['a', 'b']) {
      for (const two of ['a', 'b']) mkdirSync(join(root, one, two, 'a'), { recursive: true });
    }
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const short = (mounts: readonly JailMount[]): string[] =>
    mounts.map(({ path, kind }) => `${kind} ${path.slice(root.length)}`);
  const at = (...paths: string[]): string[] => paths.map((path) => root + path);

  it('outer folders first', () => {
    assert.deepEqual(
      short(
        jailMounts({ hidden: at('/a', '/b/a/a'), writable: at('/a/b', '/b'), cwd: root + '/b' }),
      ),
      ['hidden /a', 'writable /b', 'writable /a/b', 'hidden /b/a/a'],
    );
  });
  it('what is hidden with its folder is left out, unless something between shows it', () => {
    assert.deepEqual(
      short(
        jailMounts({
          hidden: at('/a', '/a/a', '/a/b/a'),
          writable: at('/a/b'),
          cwd: root + '/a/b',
        }),
      ),
      ['hidden /a', 'writable /a/b', 'hidden /a/b/a'],
    );
  });
  it('the current folder is there in any case', () => {
    assert.deepEqual(short(jailMounts({ hidden: at('/a'), writable: [], cwd: root + '/a/a' })), [
      'hidden /a',
      'readable /a/a',
    ]);
  });
  it('what does not exist cannot be made writable', () => {
    assert.deepEqual(
      short(jailMounts({ hidden: [], writable: at('/a', '/no'), cwd: root + '/a' })),
      ['writable /a'],
    );
  });

  it('laid in this order, the innermost word on a path holds, for any sets of folders', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3 })
      .map((names) => `/${names.join('/')}`);
    const isIn = (inner: string, outer: string): boolean => `${inner}/`.startsWith(`${outer}/`);
    fc.assert(
      fc.property(fc.array(path), fc.array(path), path, path, (hidden, writable, cwd, probe) => {
        const there = writable.filter((each) => /^\/[ab](\/[ab](\/a)?)?$/.test(each));
        const laid = jailMounts({
          hidden: at(...hidden),
          writable: at(...writable),
          cwd: root + cwd,
        });
        const last = laid.findLast((mount) => isIn(root + probe, mount.path));
        const words = [
          ...hidden.map((each) => ({ path: each, kind: 'hidden' })),
          ...(there.some((each) => isIn(cwd, each)) ? [] : [{ path: cwd, kind: 'readable' }]),
          ...there.map((each) => ({ path: each, kind: 'writable' })),
        ].filter((each) => isIn(probe, each.path));
        const longest = Math.max(0, ...words.map((each) => each.path.length));
        const wanted = words.findLast((each) => each.path.length === longest);
        assert.equal(last?.kind, wanted?.kind);
      }),
      { numRuns: 500 },
    );
  });

  it('is written as a profile for macOS, quotes and backslashes escaped', () => {
    const jail = seatbelt('/usr/bin/sandbox-exec', [`${root}/b/.ssh`, `${root}/b/a"b\\c`]);
    const { command, args } = jail.wrap('/bin/sh', ['-c', 'ls'], {
      cwd: root,
      writable: [root],
      tmpDir: join(root, 'a'),
    });
    assert.equal(command, '/usr/bin/sandbox-exec');
    assert.deepEqual(args, [
      '-p',
      [
        '(version 1)',
        '(allow default)',
        '(deny network*)',
        '(deny file-write*)',
        '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper"))',
        `(allow file-read* file-write* (subpath "${root}"))`,
        `(allow file-read* file-write* (subpath "${root}/a"))`,
        `(deny file-read* file-write* (subpath "${root}/b/.ssh"))`,
        `(deny file-read* file-write* (subpath "${root}/b/a\\"b\\\\c"))`,
        '(allow file-read-metadata)',
      ].join('\n'),
      '/usr/bin/env',
      `TMPDIR=${root}/a`,
      '/bin/sh',
      '-c',
      'ls',
    ]);
  });
});
