import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { codeActions } from '../../../src/languageServer/codeActions.ts';
import type { ModelsDocument } from '../../../src/languageServer/modelsDocuments.ts';
import { problemDiagnostic } from '../../../src/languageServer/problemDiagnostic.ts';
import { modelsWorlds, upFacts } from './support/modelsWorld.ts';

const A = 'http://127.0.0.1:8080';
const LIVE = upFacts({
  a: {
    url: A,
    slots: 2,
    models: { 'small-model': 8192, 'big-model': 200_000, 'claude-copy': null },
  },
});
const WHOLE = { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } };
const entry = (rest: string): string => `endpoints:\n  a:\n    base_url: ${A}\n${rest}`;
const chains = (rest: string): string =>
  `${entry('')}pools:\n  glm-: {}\n  qwen-: {}\n  gpt-: {}\nfailover:\n  chains:\n${rest}`;

/** Each rule with what is said, what is underlined, and the titles of its fixes, the first of which is made. */
const RULES: {
  rule: string;
  text: string;
  code: string;
  says: RegExp;
  on: string;
  titles: string[];
  after?: string;
  isLive?: boolean;
}[] = [
  {
    rule: 'an unknown key',
    text: entry('    formt: auto\n'),
    code: 'unknown_key',
    says: /^unknown key "formt" in "endpoints\.a" - did you mean "format"\?$/,
    on: 'formt',
    titles: ['Change to "format"', 'Remove "formt"'],
    after: entry('    format: auto\n'),
  },
  {
    rule: 'an unknown section',
    text: `${entry('')}fail_over: {}\n`,
    code: 'unknown_key',
    says: /^unknown key "fail_over" - did you mean "failover"\?$/,
    on: 'fail_over',
    titles: ['Change to "failover"', 'Remove "fail_over"'],
    after: `${entry('')}failover: {}\n`,
  },
  {
    rule: 'a word that is none of the choices',
    text: entry('    backend: vlm\n'),
    code: 'wrong_value',
    says: /did you mean "vllm"\?$/,
    on: 'vlm',
    titles: ['Change to "vllm"'],
    after: entry('    backend: vllm\n'),
  },
  {
    rule: 'a text for a number',
    text: entry('defaults:\n  max_turns: "60"\n'),
    code: 'wrong_type',
    says: /must be a number|must be a whole number/,
    on: '"60"',
    titles: ['Change to 60'],
  },
  {
    rule: 'a word of another language for true',
    text: entry('defaults:\n  dump_requests: "yes"\n'),
    code: 'wrong_type',
    says: /true or false/,
    on: '"yes"',
    titles: ['Change to true'],
  },
  {
    rule: 'a text for a list',
    text: entry('gates:\n  t: { run: x, protect: test/** }\n'),
    code: 'wrong_type',
    says: /a list/,
    on: 'test/**',
    titles: ['Change to ["test/**"]'],
  },
  {
    rule: 'a number beyond its limit',
    text: entry('defaults:\n  probe_timeout_s: 500\n'),
    code: 'out_of_range',
    says: /at most 120/,
    on: '500',
    titles: ['Change to 120'],
    after: entry('defaults:\n  probe_timeout_s: 120\n'),
  },
  {
    rule: 'a name with characters that none may have',
    text: 'endpoints:\n  my tower:\n    base_url: http://127.0.0.1:1\n',
    code: 'bad_name',
    says: /cannot be used/,
    on: 'my tower',
    titles: ['Change to "my-tower"', 'Remove "my tower"'],
    after: 'endpoints:\n  my-tower:\n    base_url: http://127.0.0.1:1\n',
  },
  {
    rule: 'an endpoint without an address',
    text: 'endpoints:\n  a:\n    backend: vllm\n',
    code: 'missing_key',
    says: /has no "base_url"/,
    on: 'a',
    titles: ['Add "base_url"', 'Remove "a"'],
  },
  {
    rule: 'a duplicate key',
    text: `${entry('')}pools:\n  glm-: {}\npools:\n  qwen-: {}\n  # kept with it\n`,
    code: 'duplicate_key',
    says: /is on line 4 and again on line 6/,
    on: 'pools',
    titles: ['Remove the second "pools"'],
    after: `${entry('')}pools:\n  glm-: {}\n  # kept with it\n`,
  },
  {
    rule: 'tab indentation',
    text: 'endpoints:\n\ta:\n\t\tbase_url: http://127.0.0.1:1\n',
    code: 'tab',
    says: /use spaces/,
    on: '\t',
    titles: ['Use spaces instead of tabs for indentation'],
    after: 'endpoints:\n  a:\n    base_url: http://127.0.0.1:1\n',
  },
  {
    rule: 'a chain that names something unknown',
    text: chains('    glm-x: [qwen-x, unheard]\n'),
    code: 'unknown_model',
    says: /"unheard" matches no pool and no entry of "models"/,
    on: 'unheard',
    titles: ['Remove "unheard" from the chain'],
    after: chains('    glm-x: [qwen-x]\n'),
  },
  {
    rule: 'a chain of something unknown that is near to something known',
    text: chains('    glm-x: [qwen-x]\n    glm5: [qwen-x]\nmodels:\n  glm-5: {}\n'),
    code: 'unknown_model',
    says: /"glm5" matches no pool/,
    on: 'glm5',
    titles: ['Change to "glm-5"', 'Remove the chain of "glm5"'],
    after: chains('    glm-x: [qwen-x]\n    glm-5: [qwen-x]\nmodels:\n  glm-5: {}\n'),
  },
  {
    rule: 'a chain that repeats a member',
    text: chains('    glm-x: [qwen-x, qwen-x]\n'),
    code: 'chain_repeat',
    says: /is in this chain already/,
    on: 'qwen-x',
    titles: ['Remove "qwen-x" from the chain'],
    after: chains('    glm-x: [qwen-x]\n'),
  },
  {
    rule: 'a chain that contains itself',
    text: chains('    glm-x: [glm-x, qwen-x]\n'),
    code: 'chain_self',
    says: /cannot stand in for itself/,
    on: 'glm-x',
    titles: ['Remove "glm-x" from the chain'],
    after: chains('    glm-x: [qwen-x]\n'),
  },
  {
    rule: 'a chain that leads to something pinned',
    text: chains('    glm-x: [gpt-x, qwen-x]\n'),
    code: 'chain_pinned',
    says: /"gpt-x" is pinned/,
    on: 'gpt-x',
    titles: ['Remove "gpt-x" from the chain', 'Unpin "gpt-x"'],
    after: chains('    glm-x: [qwen-x]\n'),
  },
  {
    rule: 'a chain of something pinned',
    text: chains('    gpt-x:\n      - qwen-x\n    glm-x: [qwen-x]\n'),
    code: 'chain_pinned',
    says: /"gpt-x" is pinned/,
    on: 'qwen-x',
    titles: ['Remove the chain of "gpt-x"', 'Unpin "gpt-x"'],
    after: chains('    glm-x: [qwen-x]\n'),
  },
  {
    rule: 'a member in the pool of its origin',
    text: chains('    glm-x: [glm-y, qwen-x]\n'),
    code: 'chain_pool',
    says: /shares the pool "glm-"/,
    on: 'glm-y',
    titles: ['Remove "glm-y" from the chain'],
    after: chains('    glm-x: [qwen-x]\n'),
  },
  {
    rule: 'a chain from flat to metered billing',
    text: chains(
      '    glm-x: [qwen-x]\nmodels:\n  glm-x: { billing: flat }\n  qwen-x: { billing: metered }\n',
    ),
    code: 'chain_billing',
    says: /this chain can cost money/,
    on: 'qwen-x',
    titles: ['Remove "qwen-x" from the chain'],
  },
  {
    rule: 'two endpoints with one address and key',
    text: `${entry('')}  b: { base_url: "${A}/" }\n`,
    code: 'same_endpoint',
    says: /"b" has the address and key of "a"/,
    on: `"${A}/"`,
    titles: ['Remove "b"', 'Remove "a"'],
    after: entry(''),
  },
  {
    rule: 'a name like one of Anthropic',
    text: entry('defaults:\n  model: Claude-mine\n'),
    code: 'anthropic_name',
    says: /a router would send it to Anthropic/,
    on: 'Claude-mine',
    titles: ['Remove "model"'],
  },
  {
    rule: 'a served name like one of Anthropic',
    text: entry(''),
    code: 'anthropic_name',
    says: /"a" serves "claude-copy"/,
    on: 'a',
    titles: ['Say that "a" is an endpoint of Anthropic'],
    after: entry('    backend: anthropic\n'),
    isLive: true,
  },
  {
    rule: 'a public address that is called local',
    text: 'endpoints:\n  a:\n    base_url: http://8.8.8.8\n    locality: local\n',
    code: 'public_address',
    says: /local-only jobs will not use it/,
    on: 'local',
    titles: ['Let the address decide ("auto")', 'Call it "rented"', 'Call it "cloud"'],
    after: 'endpoints:\n  a:\n    base_url: http://8.8.8.8\n    locality: auto\n',
  },
  {
    rule: 'a base_url that ends in /v1/messages',
    text: 'endpoints:\n  a:\n    base_url: "http://127.0.0.1:9/v1/messages"\n',
    code: 'base_url_path',
    says: /did you mean "http:\/\/127\.0\.0\.1:9"\?$/,
    on: '"http://127.0.0.1:9/v1/messages"',
    titles: ['Change to "http://127.0.0.1:9"'],
    after: 'endpoints:\n  a:\n    base_url: "http://127.0.0.1:9"\n',
  },
  {
    rule: 'more jobs at once than slots',
    text: entry('    max_concurrent: 5\n'),
    code: 'too_many_slots',
    says: /reports 2 slots; 5 jobs/,
    on: '5',
    titles: ['Change to 2', 'Let the server decide ("auto")'],
    after: entry('    max_concurrent: 2\n'),
    isLive: true,
  },
  {
    rule: 'a small window, as the server says',
    text: entry(''),
    code: 'small_window',
    says: /^small-model: a window of 8192 tokens is small/,
    on: 'a',
    titles: ['Use the built-in loop by default'],
    isLive: true,
  },
  {
    rule: 'a small window, as the file says',
    text: entry('models:\n  m: { context_window: 4096 }\n'),
    code: 'small_window',
    says: /wants 128000 or more/,
    on: '4096',
    titles: ['Use the built-in loop by default'],
  },
  {
    rule: 'a reference in an old spelling',
    text: entry('    headers: { Authorization: "Bearer ${KEY}" }\n'),
    code: 'bad_reference',
    says: /cannot be understood/,
    on: '"Bearer ${KEY}"',
    titles: ['Change to "${env:KEY}"'],
    after: entry('    headers: { Authorization: "Bearer ${env:KEY}" }\n'),
  },
  {
    rule: 'an old spelling',
    text: entry('    backend: llamacpp\n'),
    code: 'old_spelling',
    says: /old spelling/,
    on: 'llamacpp',
    titles: ['Change to "llama.cpp"'],
    after: entry('    backend: llama.cpp\n'),
  },
  {
    rule: 'an old list of models',
    text: `${entry('')}models:\n  - a\n  - b\n`,
    code: 'old_spelling',
    says: /found by probing/,
    on: 'models',
    titles: ['Remove the list'],
    after: entry(''),
  },
  {
    rule: 'a key without an effect',
    text: `${entry('')}ledger:\n  redone_window_min: 5\n`,
    code: 'not_active',
    says: /no effect in this version/,
    on: 'ledger',
    titles: ['Remove "ledger"'],
    after: entry(''),
  },
];

describe('problemFixes', () => {
  const worlds = modelsWorlds();

  for (const { rule, text, code, says, on, titles, after, isLive } of RULES) {
    it(`${rule}: its place, its words, what puts it right`, () => {
      const world = worlds();
      if (isLive === true) world.live = LIVE;
      const doc = world.read(text);
      const problem = doc.problems.find((each) => each.code === code);
      assert.ok(problem !== undefined, JSON.stringify(doc.problems));
      const shown = problemDiagnostic(doc, problem);
      assert.match(shown.message, says);
      assert.equal(doc.document.getText(shown.range), on);
      const actions = actionsFor(doc, code);
      assert.deepEqual(
        actions.map(({ title }) => title),
        titles,
      );
      assert.equal(actions[0]?.isPreferred ?? false, titles.length === 1);
      for (const [index, { title, edit }] of actions.entries()) {
        const fixed = TextDocument.applyEdits(
          doc.document,
          edit?.changes?.[doc.document.uri] ?? assert.fail(`${title} changes nothing`),
        );
        if (index === 0 && after !== undefined) assert.equal(fixed, after);
        const left = world.read(fixed).problems.filter((each) => each.code === code);
        assert.ok(
          left.every((each) => each.message !== problem.message),
          `${title} leaves ${JSON.stringify(left)} in\n${fixed}`,
        );
      }
    });
  }

  it('a key that stands in the file: it is moved by the extension, and its text is nowhere in the action', () => {
    const doc = worlds().read(entry('    api_key: sk-very-hidden\n'));
    const [action, ...more] = actionsFor(doc, 'literal_secret');
    assert.deepEqual(more, []);
    assert.deepEqual(action?.command?.arguments, [
      doc.document.uri,
      ['endpoints', 'a', 'api_key'],
      'a',
    ]);
    assert.equal(action.command.command, 'delegationBridge.moveSecret');
    assert.equal(action.isPreferred, true);
    assert.doesNotMatch(JSON.stringify(action), /very-hidden/);
  });

  it('a second key shows the first one beside it', () => {
    const doc = worlds().read(`${entry('')}pools: {}\n"pools": {}\n`);
    const shown = doc.problems.map((problem) => problemDiagnostic(doc, problem));
    assert.deepEqual(shown[0]?.relatedInformation?.[0]?.location.range.start, {
      line: 3,
      character: 0,
    });
  });

  it('the same endpoint shows the other one beside it', () => {
    const doc = worlds().read(`${entry('')}  b: { base_url: "${A}" }\n`);
    const problem = doc.problems.find(({ code }) => code === 'same_endpoint') ?? assert.fail();
    const [related] = problemDiagnostic(doc, problem).relatedInformation ?? [];
    assert.deepEqual(related?.location.range.start, { line: 2, character: 4 });
    assert.equal(related.message, '"a" has the same address');
  });

  function actionsFor(doc: ModelsDocument, code: string) {
    return codeActions(doc, WHOLE).filter(({ diagnostics }) => diagnostics?.[0]?.code === code);
  }
});
