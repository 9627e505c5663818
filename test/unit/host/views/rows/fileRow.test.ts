import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { type FileChange, fileRow } from '../../../../../src/host/views/rows/fileRow.ts';
import { type FileNode, fileTree } from '../../../../../src/host/views/rows/fileTree.ts';
import { changedFile } from '../../../../support/feedJob.ts';

const file = (path: string, fields: Partial<FileChange> = {}): FileChange => ({
  ...changedFile(path),
  decision: 'open',
  ...fields,
});

describe('the row of a changed file', () => {
  const TABLE: readonly (readonly [FileChange, string, string])[] = [
    [
      file('src/range.ts'),
      '+12 −2 · src',
      'src/range.ts, modified, 12 lines added, 2 removed, not decided',
    ],
    [
      file('README.md', { decision: 'taken' }),
      'accepted · +12 −2',
      'README.md, modified, 12 lines added, 2 removed, accepted',
    ],
    [
      file('a', { decision: 'dropped', change: 'deleted' }),
      'rejected · +12 −2',
      'a, deleted, 12 lines added, 2 removed, rejected',
    ],
    [
      file('img/a.png', { binary: true, additions: null, deletions: null, change: 'added' }),
      'binary · img',
      'img/a.png, added, binary, not decided',
    ],
    [
      file('b.ts', { change: 'renamed', oldPath: 'src/a.ts', additions: 0, deletions: 0 }),
      '+0 −0 · from src/a.ts',
      'b.ts, renamed, from src/a.ts, 0 lines added, 0 removed, not decided',
    ],
    [
      file('run.sh', {
        change: 'mode',
        additions: null,
        deletions: null,
        oldMode: '100644',
        newMode: '100755',
      }),
      'mode changed · 100644 → 100755',
      'run.sh, mode changed, mode 100644 → 100755, not decided',
    ],
  ];
  for (const [change, description, words] of TABLE) {
    it(`${change.path}: ${description}`, () => {
      const row = fileRow('job-1', change, { isInFolder: false, isOpen: true });
      assert.equal(row.description, description);
      assert.equal(row.accessibleLabel, words);
      assert.equal(row.contextValue, `;file;${change.decision};${change.change};`);
      assert.equal(row.command?.name, 'openChange');
    });
  }

  it('offers no decision where none is left', () => {
    const row = fileRow('job-1', file('a', { decision: 'dropped' }), {
      isInFolder: false,
      isOpen: false,
    });
    assert.equal(row.contextValue, ';file;closed;modified;');
  });
});

describe('the files of a job', () => {
  it('stand side by side up to 12, in folders from 13 on', () => {
    const paths = Array.from({ length: 13 }, (_, n) => `src/host/views/${n}.ts`);
    assert.equal(fileTree(paths.slice(1)).length, 12);
    const [folder, ...others] = fileTree(paths);
    assert.ok(folder?.kind === 'folder');
    assert.deepEqual(
      [folder.name, folder.path, others.length],
      ['src/host/views', 'src/host/views', 0],
    );
    assert.equal(folder.children.length, 13);
  });

  it('are each there once, under the folders of their path', () => {
    const name = fc.stringMatching(/^[a-c_]{1,3}$/);
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 60 }), (paths) => {
        // A file and a folder of the same name cannot both be.
        const possible = paths.filter(
          (each) => !paths.some((other) => other.startsWith(`${each}/`)),
        );
        const found: string[] = [];
        const walk = (nodes: readonly FileNode[], above: string): void => {
          for (const node of nodes) {
            if (node.kind === 'folder') {
              assert.equal(node.path, above === '' ? node.name : `${above}/${node.name}`);
              assert.ok(node.children.length > 1 || node.children[0]?.kind === 'file');
              walk(node.children, node.path);
            } else {
              assert.ok(above === '' || node.path.startsWith(`${above}/`));
              found.push(node.path);
            }
          }
        };
        walk(fileTree(possible), '');
        assert.deepEqual(found.sort(), possible.sort());
      }),
    );
  });
});
