import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { INACTIVE_PATHS } from '../../../src/config/checkInactive.ts';
import { modelsJsonSchema } from '../../../src/config/jsonSchema.ts';
import { isPrivilegedPath, privilegedKeys } from '../../../src/config/trust.ts';
import { modelsYamlPage } from '../../../tools/modelsYamlPage.ts';
import { readmeWithSections } from '../../../tools/readmeSections.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** Every key without keys of its own, by another walk than that of the page; `*` stands for a free name. */
function leaves(schema: Schema, path: readonly string[] = []): string[] {
  const free = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null;
  if (free?.properties !== undefined) return leaves(free, [...path, '*']);
  if (schema.properties === undefined) return [path.join('.')];
  return Object.entries(schema.properties).flatMap(([key, each]) => leaves(each, [...path, key]));
}

/** By path: the marks of its row. */
function rowsOf(page: string): Map<string, string> {
  const rows = new Map<string, string>();
  let section = '';
  for (const line of page.split('\n')) {
    section = /^## (.*)$/.exec(line)?.[1] ?? section;
    const key = /^\| `([^`]+)` \|/.exec(line)?.[1];
    if (key !== undefined) rows.set(key === section ? key : `${section}.${key}`, line);
  }
  return rows;
}

describe('docs/models-yaml.md', () => {
  const rows = rowsOf(modelsYamlPage());

  it('has a row for every key of the JSON Schema, and no other', () => {
    assert.deepEqual([...rows.keys()].sort(), leaves(modelsJsonSchema()).sort());
  });

  it('marks the keys that ask for trust, as the hash of trust counts them', () => {
    for (const [path, line] of rows) {
      const keys = path.split('.');
      const value = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), 'x') as object;
      assert.equal(line.includes('**trust**'), privilegedKeys(value).length > 0, path);
    }
    assert.equal(isPrivilegedPath(['endpoints', 'env']), false, 'a name, not the key');
  });

  it('marks what has no effect yet', () => {
    for (const path of INACTIVE_PATHS.map((keys) => keys.join('.'))) {
      const below = [...rows].filter(([key]) => key === path || key.startsWith(`${path}.`));
      assert.ok(below.length > 0, path);
    }
    assert.match(rows.get('router.listen') ?? '', /\*\*not yet\*\*/);
    assert.match(rows.get('models.*.priced_on') ?? '', /\*\*not yet\*\*/);
    assert.doesNotMatch(rows.get('secrets') ?? '', /\*\*not yet\*\*/);
  });

  it('is a table that no value breaks', () => {
    for (const [path, line] of rows)
      assert.equal(line.split(/(?<!\\)\|/).length, 6, `${path}: ${line}`);
  });
});

describe("the README's sections of models.yaml", () => {
  const readme = readFileSync('README.md', 'utf8');

  it('are written where the marks are, and a change there does not stay', () => {
    assert.equal(readmeWithSections(readme), readme);
    assert.equal(readmeWithSections(readme.replace(/^\| \[`pools`\].*\n/m, '')), readme);
  });

  it('need their marks', () => {
    assert.throws(() => readmeWithSections('# Nothing'), /has no line/);
  });
});
