import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { findLlamaServer } from '../../../tools/llamaServer.mjs';
import { startLlamaServer } from '../../support/llamaServer.ts';

describe('tools/llamaServer.mjs', function () {
  this.timeout(120_000);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'find-llama-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Finds with nothing of this machine but what the test puts there. */
  const find = async (env: NodeJS.ProcessEnv): Promise<string> => {
    const found = await findLlamaServer({
      env: { HOME: folder, PATH: join(folder, 'bin'), ...env },
    });
    return found.ok ? found.path : found.reason;
  };
  const program = async (path: string, text = '#!/bin/sh\n'): Promise<string> => {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text, { mode: 0o755 });
    return path;
  };

  it('takes LLAMA_SERVER_BIN before all else, and says so when it is none', async () => {
    await program(join(folder, 'bin', 'llama-server'));
    const own = await program(join(folder, 'own'));
    assert.equal(await find({ LLAMA_SERVER_BIN: own }), own);
    assert.match(await find({ LLAMA_SERVER_BIN: folder }), /^LLAMA_SERVER_BIN is not a program/);
  });

  it('takes the one on the PATH', async () => {
    const onPath = await program(join(folder, 'bin', 'llama-server'));
    assert.equal(await find({ PATH: `/nowhere:${join(folder, 'bin')}` }), onPath);
  });

  it('says what is missing where Python is', async () => {
    assert.match(
      await find({}),
      /no llama-server on this machine, and (no python3|.*pinned for Linux)/,
    );
  });

  it('passes on what pip said, and leaves no half-filled cache', async () => {
    const python =
      '#!/bin/sh\ncase $2 in pip) echo "no route to the index" >&2; exit 1;; esac\necho /usr/bin/python3\n';
    await program(join(folder, 'bin', 'python3'), python);
    assert.match(await find({}), /pip could not get one: no route to the index|pinned for Linux/);
    const cache = join(folder, '.cache', 'delegation-bridge-tests');
    assert.deepEqual(await readdir(cache).catch(() => []), []);
  });

  it('says so when the cache cannot be written', async () => {
    await program(join(folder, 'bin', 'python3'), '#!/bin/sh\necho /usr/bin/python3\n');
    await symlink('/dev/null', join(folder, '.cache'));
    assert.match(await find({}), /the cache cannot be written|pinned for Linux/);
  });
});

describe('startLlamaServer', () => {
  it('rejects with what a server said that does not start', async () => {
    const binary = join(await mkdtemp(join(tmpdir(), 'bad-llama-')), 'llama-server');
    try {
      await writeFile(binary, '#!/bin/sh\necho out of memory >&2\nexit 3\n', { mode: 0o755 });
      const steps = [{ text: 'x' }];
      await assert.rejects(startLlamaServer({ binary, steps }), /\(exit 3\):\nout of memory/);
      await assert.rejects(startLlamaServer({ binary: `${binary}-none`, steps }), /ENOENT/);
    } finally {
      await rm(join(binary, '..'), { recursive: true, force: true });
    }
  });
});
