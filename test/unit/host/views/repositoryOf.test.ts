import { after, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { hasGit, repositoryOf } from '../../../../src/host/views/repositoryOf.ts';

describe('what the window has open', () => {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'repository-of-')));
  after(() => rmSync(scratch, { recursive: true }));
  const folder = (...parts: string[]): string => {
    const path = join(scratch, ...parts);
    mkdirSync(path, { recursive: true });
    return path;
  };

  it('is the repository around a folder, by its real path, also for a worktree and through a link', () => {
    const repo = folder('repo');
    const inner = folder('repo', 'packages', 'one');
    folder('repo', '.git');
    const linked = folder('linked');
    writeFileSync(join(linked, '.git'), 'gitdir: elsewhere\n');
    symlinkSync(inner, join(scratch, 'link'));
    assert.equal(repositoryOf(inner), repo);
    assert.equal(repositoryOf(linked), linked);
    assert.equal(repositoryOf(join(scratch, 'link')), repo);
  });

  it('is none outside git, and none where the folder is gone', () => {
    assert.equal(repositoryOf(folder('plain')), null);
    assert.equal(repositoryOf(join(scratch, 'gone')), null);
  });

  it('has git when a program of that name is on the PATH, not any file', () => {
    const [file, program] = [folder('file'), folder('program')];
    writeFileSync(join(file, 'git'), '');
    writeFileSync(join(program, 'git'), '#!/bin/sh\n');
    chmodSync(join(program, 'git'), 0o755);
    assert.equal(hasGit({ PATH: file }, 'linux'), false);
    assert.equal(hasGit({ PATH: [file, program].join(delimiter) }, 'linux'), true);
    assert.equal(hasGit({}, 'linux'), false);
  });
});
