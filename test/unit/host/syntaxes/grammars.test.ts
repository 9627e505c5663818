import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';

interface Rule {
  readonly match: string;
  readonly captures: Readonly<Record<string, { readonly name: string }>>;
}
interface Grammar {
  readonly scopeName: string;
  readonly injectionSelector?: string;
  readonly patterns: readonly { readonly include: string }[];
  readonly repository: Readonly<Record<string, Rule>>;
}
interface Contributed {
  readonly scopeName: string;
  readonly path: string;
  readonly language?: string;
  readonly injectTo?: readonly string[];
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  contributes: { grammars: readonly Contributed[]; languages: readonly Record<string, unknown>[] };
};
const read = (path: string): Grammar => JSON.parse(readFileSync(path, 'utf8')) as Grammar;
const models = read('syntaxes/models-yaml.injection.tmLanguage.json');
const transcript = read('syntaxes/transcript.tmLanguage.json');

/** What each capture of the first rule that matches takes, by the first part of its scope. These patterns mean the same in JavaScript. */
function tokens(grammar: Grammar, line: string): string[] {
  for (const { include } of grammar.patterns) {
    const rule = grammar.repository[include.slice(1)];
    const found = rule === undefined ? null : new RegExp(rule.match, 'd').exec(line);
    if (found === null || rule === undefined) continue;
    return Object.entries(rule.captures).map(
      ([index, { name }]) => `${name.split(' ').at(-1)} ${found[Number(index)] ?? ''}`,
    );
  }
  return [];
}

describe('the grammars', () => {
  it('are those that package.json declares, by the scope that it names', () => {
    assert.deepEqual(
      contributes.grammars.map(({ path }) => path.replace('./syntaxes/', '')).sort(),
      readdirSync('syntaxes').sort(),
    );
    for (const { path, scopeName } of contributes.grammars)
      assert.equal(read(path).scopeName, scopeName);
  });

  it('claim no file of anybody: models.yaml stays YAML', () => {
    assert.deepEqual(contributes.grammars[0]?.injectTo, ['source.yaml']);
    assert.match(models.injectionSelector ?? '', /^L:source\.yaml -comment$/);
    assert.deepEqual(contributes.languages.flatMap((each) => Object.keys(each)).sort(), [
      'aliases',
      'id',
    ]);
  });

  it('include nothing that is not there, and only rules that are used', () => {
    for (const grammar of [models, transcript]) {
      assert.deepEqual(
        grammar.patterns.map(({ include }) => include.slice(1)).sort(),
        Object.keys(grammar.repository).sort(),
      );
    }
  });

  for (const [line, expected] of [
    ['api_key: ${env:LLAMA_KEY}', ['env', 'LLAMA_KEY']],
    ['  Authorization: "Bearer ${secret:tower-2}"', ['secret', 'tower-2']],
    ['run: echo ${{ secrets.X }}', null],
    ['run: echo ${HOME}', null],
  ] as const) {
    it(`reads ${line}`, () => {
      const [, word, , name] = tokens(models, line).map((each) => each.split(' ')[1]);
      assert.deepEqual(word === undefined ? null : [word, name], expected);
    });
  }

  for (const [line, isPattern] of [
    ['  glm-*: { format: anthropic }', true],
    ['pinned: ["gpt-*", x]', true],
    ['pinned: [local-*]', true],
    ['  <<: *defaults', false],
    ['include: src/**', false],
    ['math: 2 * 3', false],
  ] as const) {
    it(`${isPattern ? 'finds a' : 'finds no'} model pattern in ${line}`, () => {
      assert.deepEqual(
        tokens(models, line),
        isPattern ? ['keyword.operator.glob.delegation-bridge *'] : [],
      );
    });
  }

  for (const [line, scope] of [
    ['[error] Error: no', 'log.error'],
    ['[result ERROR] exit 1', 'log.error'],
    ['[backend 503] loading', 'log.error'],
    ['[failover] tower m: full', 'log.warning'],
    ['[retry 2] busy in 4 s', 'log.warning'],
    ['[repair 1] the gate tests failed with exit 1', 'log.warning'],
    ['[assistant] I look at it.', 'log.info'],
    ['[init] session=1 model=m', 'punctuation.definition.head.begin.transcript'],
    ['a[0] = [error]', undefined],
  ] as const) {
    it(`${line} begins as ${scope ?? 'plain text'}`, () =>
      assert.equal(tokens(transcript, line)[0]?.split(' ')[0], scope));
  }
});
