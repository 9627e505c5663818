import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { FRESH_MS } from '../../../src/languageServer/live/servedFacts.ts';
import { fileOf } from '../../../src/languageServer/modelsDocuments.ts';
import { codeLenses } from '../../../src/languageServer/codeLenses.ts';
import { modelsWorlds, type ModelsWorld, NOW_MS, upFacts } from './support/modelsWorld.ts';

const BROKEN = 'endpoints:\n  a: { base_url: "http://127.0.0.1:1", formt: auto }\n';
const FOREIGN = 'models:\n  - name: orders\n    columns: []\n';

describe('ModelsDocuments', () => {
  const worlds = modelsWorlds();
  const codes = (world: ModelsWorld, file: string, text: string): string[] => {
    const doc = world.models.read(world.open(file, text));
    return doc?.problems.map(({ code }) => code) ?? assert.fail();
  };

  it('the user’s file, by $DELEGATE_CONFIG, and its sidecar; the workspace’s, and its sidecar; each with its role', () => {
    const world = worlds();
    for (const [file, role] of [
      [world.userFile, 'user'],
      [world.userFile.replace('.yaml', '.local.yaml'), 'user-sidecar'],
      [path.join(world.root, 'models.yaml'), 'workspace'],
      [path.join(world.root, 'models.local.yaml'), 'workspace-sidecar'],
    ] as const) {
      const doc = world.models.read(world.open(file, BROKEN));
      assert.equal(doc?.role, role);
      assert.deepEqual(
        doc.problems.map(({ code }) => code),
        ['unknown_key'],
      );
    }
  });

  it('a file through a link is the same file', () => {
    const world = worlds();
    world.write(path.join(world.root, 'models.yaml'), BROKEN);
    const link = path.join(path.dirname(world.root), 'link');
    symlinkSync(world.root, link);
    const doc = world.models.read(world.open(path.join(link, 'models.yaml'), BROKEN));
    assert.equal(doc?.role, 'workspace');
    assert.deepEqual(
      doc.problems.map(({ code }) => code),
      ['unknown_key'],
    );
  });

  it('another program’s models.yaml is told nothing, wherever it is', () => {
    const world = worlds();
    for (const folder of [world.root, path.join(world.root, 'deep')]) {
      const doc = world.models.read(world.open(path.join(folder, 'models.yaml'), FOREIGN));
      assert.equal(doc?.isOurs, false);
      assert.deepEqual(doc.problems, []);
      assert.deepEqual(codeLenses(doc, NOW_MS), []);
    }
  });

  it('an empty one is ours at the root of a folder and for the user, and nowhere else', () => {
    const world = worlds();
    const isOurs = (file: string): boolean | undefined =>
      world.models.read(world.open(file, '# nothing yet\n'))?.isOurs;
    assert.equal(isOurs(path.join(world.root, 'models.yaml')), true);
    assert.equal(isOurs(world.userFile), true);
    assert.equal(isOurs(path.join(world.root, 'deep', 'models.yaml')), false);
  });

  it('one of ours that is not read is checked as if it were', () => {
    const world = worlds();
    const file = path.join(world.root, 'deep', 'my models.yaml');
    const doc = world.models.read(world.open(file, BROKEN));
    assert.deepEqual([doc?.role, doc?.isUsed, doc?.isOurs], [null, false, true]);
    assert.deepEqual(
      doc?.problems.map(({ code }) => code),
      ['unknown_key'],
    );
  });

  it('unsaved text counts, in the file and beside it, and what is on disk when it is closed', () => {
    const world = worlds();
    const sidecar = world.userFile.replace('.yaml', '.local.yaml');
    world.write(sidecar, 'endpoints:\n  a: { base_url: "http://127.0.0.1:1" }\n');
    const withoutAddress = 'endpoints:\n  a: { backend: vllm }\n';
    assert.deepEqual(codes(world, world.userFile, withoutAddress), []);
    const open = world.open(sidecar, 'endpoints: {}\n');
    assert.deepEqual(codes(world, world.userFile, withoutAddress), ['missing_key']);
    world.close(open);
    assert.deepEqual(codes(world, world.userFile, withoutAddress), []);
    world.write(sidecar, 'endpoints: {}\n# changed on disk\n');
    assert.deepEqual(codes(world, world.userFile, withoutAddress), ['missing_key']);
  });

  it('what was good in an earlier version is forgotten', () => {
    const world = worlds();
    assert.deepEqual(
      codes(world, world.userFile, 'endpoints:\n  a: { base_url: "http://127.0.0.1:1" }\n'),
      [],
    );
    assert.deepEqual(codes(world, world.userFile, 'endpoints:\n  a: { backend: vllm }\n'), [
      'missing_key',
    ]);
  });

  it('is read once while nothing is another', () => {
    const world = worlds();
    const document = world.open(world.userFile, BROKEN);
    const first = world.models.read(document);
    assert.equal(world.models.read(document), first);
    world.live = upFacts({});
    assert.notEqual(world.models.read(document), first);
  });

  it('what the servers say counts only while it is new and of the very address', () => {
    const world = worlds();
    const text = 'endpoints:\n  a: { base_url: "http://127.0.0.1:1", max_concurrent: 5 }\n';
    const facts = (url: string, asked: number) =>
      upFacts({ a: { url, slots: 2 } }, { asked_at: new Date(asked).toISOString() });
    for (const [live, wanted] of [
      [facts('http://127.0.0.1:1/', NOW_MS), ['too_many_slots']],
      [facts('http://127.0.0.1:1', NOW_MS - FRESH_MS - 1), []],
      [facts('http://127.0.0.1:2', NOW_MS), []],
    ] as const) {
      world.live = live;
      assert.deepEqual(codes(world, world.userFile, text), wanted);
    }
  });

  it('a trust file that cannot be read trusts nothing and breaks nothing', () => {
    const world = worlds();
    world.write(path.join(path.dirname(world.root), 'state', 'trust.json'), 'not json');
    const doc = world.models.read(world.open(path.join(world.root, 'models.yaml'), BROKEN));
    assert.equal(doc?.isUsed, false);
    assert.deepEqual(
      doc.problems.map(({ code }) => code),
      ['unknown_key'],
    );
  });

  it('5 000 lines are read', () => {
    const world = worlds();
    const lines = Array.from(
      { length: 1666 },
      (_, index) => `  e${index}:\n    base_url: http://127.0.0.1:${index + 1}\n    backend: vllm`,
    );
    const text = `endpoints:\n${lines.join('\n')}\n  last: { formt: x }\n`;
    const doc = world.models.read(world.open(world.userFile, text));
    assert.deepEqual(
      doc?.problems.map(({ code, line }) => [code, line]),
      [['unknown_key', 5000]],
    );
  });

  it('a URI of no file of this machine is no file', () => {
    for (const uri of ['untitled:Untitled-1', 'file://other-host/a', 'file:///a%2Fb', 'git:/a']) {
      assert.equal(fileOf({ uri }), null, uri);
    }
    const odd = '/tmp/a b#c%d ü/models.yaml';
    assert.equal(fileOf({ uri: pathToFileURL(odd).href }), odd);
    assert.equal(worlds().models.read(TextDocument.create('untitled:a', 'yaml', 1, '')), null);
  });
});
