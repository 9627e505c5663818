import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';
import { namePlaces } from '../../../src/languageServer/names/namePlaces.ts';
import { nameAt, type NameUse, nameUses } from '../../../src/languageServer/names/nameUses.ts';
import { renameName } from '../../../src/languageServer/names/renameName.ts';
import { readOutline } from '../../../src/languageServer/text/readOutline.ts';
import { modelsWorlds } from './support/modelsWorld.ts';

const FILE = `defaults:
  model: glm-x # the model
endpoints:
  tower: { base_url: "http://127.0.0.1:1", api_key: { "glm-x": "\${env:K}" } }
  other: { base_url: "http://127.0.0.1:2", notes: tower }
pools:
  glm-: {}
models:
  glm-x: { billing: flat }
failover:
  pinned: [glm-x]
  chains:
    glm-x: [qwen, "glm-y"]
    qwen: ['glm-x']
gates:
  tests: { run: npm test }
fleet:
  planner: { endpoint: tower, model: glm-x }
`;
const SIDECAR = 'endpoints:\n  "tower":\n    max_concurrent: 2\n';

function useOf(text: string, at: string): NameUse {
  const offset = text.indexOf(at) + at.length;
  return nameAt(nameUses(text, readOutline(text)), offset) ?? assert.fail(`no name at ${at}`);
}

describe('names in models.yaml', () => {
  const worlds = modelsWorlds();
  /** Both files after the rename, the sidecar as it is on disk. */
  function renamed(at: string, to: string): string[] | string {
    const world = worlds();
    world.write(world.userFile.replace('.yaml', '.local.yaml'), SIDECAR);
    const files = world.models.filesWith(world.read(FILE));
    const answer = renameName(files, useOf(FILE, at), to);
    if (!answer.isOk) return answer.message;
    return files.map(({ uri, text }) => {
      const edits = answer.edits.filter(({ textDocument }) => textDocument.uri === uri);
      const document = TextDocument.create(uri, 'yaml', 1, text);
      const changed = TextDocument.applyEdits(
        document,
        edits.flatMap((edit) => edit.edits as { range: never; newText: string }[]),
      );
      parse(changed);
      return changed;
    });
  }

  it('an endpoint is renamed in its entry, in roles and in the sidecar, quotes kept, and nowhere else', () => {
    assert.deepEqual(renamed('  tower', 'big-box'), [
      FILE.replace('  tower:', '  big-box:').replace('endpoint: tower', 'endpoint: big-box'),
      SIDECAR.replace('"tower"', '"big-box"'),
    ]);
  });

  it('a model is renamed in defaults, keys, facts, pins, chains and roles', () => {
    assert.deepEqual(renamed('model: gl', 'glm-5.2'), [
      FILE.replaceAll('glm-x', 'glm-5.2'),
      SIDECAR,
    ]);
  });

  it('a name that would be something else on its own gets quotes', () => {
    const [text] = renamed('tests', 'on-2') as string[];
    assert.ok(text?.includes('  on-2: {'));
    const [quoted] = renamed('model: gl', '1.5') as string[];
    assert.equal((parse(quoted ?? '') as { defaults: { model: unknown } }).defaults.model, '1.5');
  });

  for (const [title, at, to, message] of [
    ['a taken name', '  tower', 'other', /^"other" is there already/],
    ['a name that none may have', '  tower', 'a b', /^"a b" cannot be a name: use letters/],
    ['an empty name', '  tower', '  ', /cannot be a name/],
    ['two chains of one name', 'model: gl', 'qwen', /is there already/],
    ['several lines', 'model: gl', 'a\nb', /stands on one line/],
    ['the beginning of names', '  glm-', 'x', /^"glm-" is the beginning of names/],
  ] as const) {
    it(`refuses ${title}, with words`, () => {
      const answer = renamed(at, to);
      assert.match(typeof answer === 'string' ? answer : assert.fail('it was renamed'), message);
    });
  }

  it('every place that says a name, of this kind alone; the definition is the entry', () => {
    const files = [{ uri: 'file:///a', version: 1, text: FILE }];
    const places = namePlaces(files, useOf(FILE, 'endpoint: tow'));
    assert.deepEqual(
      places.map(({ range, isDefinition }) => [range.start.line, isDefinition]),
      [
        [3, true],
        [17, false],
      ],
    );
    assert.equal(namePlaces(files, useOf(FILE, 'model: gl')).length, 7);
  });

  it('names are found in a text that is broken elsewhere', () => {
    const text = `${FILE}review: [\n`;
    assert.equal(useOf(text, 'endpoint: tow').name, 'tower');
  });
});
