import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type AgentFacts, lintAgent } from '../../../../src/bridge/agents/lintAgent.ts';
import type { AgentFile } from '../../../../src/bridge/agents/listAgentFiles.ts';
import { modelsFileSchema } from '../../../../src/config/schema.ts';
import { parseAgent } from '../../../../src/bridge/agents/parseAgent.ts';

const SETTINGS = modelsFileSchema.parse({});
const FACTS: AgentFacts = { servedNames: null, settings: SETTINGS, shadowedBy: null };
const NO_BASH = { settings: modelsFileSchema.parse({ runners: { loop: { bash: false } } }) };
const ONLY_READ = { settings: modelsFileSchema.parse({ defaults: { allowed_tools: ['Read'] } }) };
const FILE: AgentFile = {
  name: 'coder',
  source: 'project-agent',
  path: '/p/.claude/agents/coder.md',
};

/** `severity code:line` of every finding. */
function found(
  front: string,
  facts: Partial<AgentFacts> = {},
  body = 'Body',
  file = FILE,
): string[] {
  const name = /^(name:|tools: \[$)/m.test(front) ? '' : '\nname: coder';
  const parsed = parseAgent(`---\ndescription: D\n${front}${name}\n---\n${body}`);
  return lintAgent(file, parsed, { ...FACTS, ...facts }).map(
    ({ severity, code, range }) => `${severity} ${code}:${range.line}`,
  );
}

const FRONT: readonly [front: string, findings: readonly string[], facts?: Partial<AgentFacts>][] =
  [
    ['', []],
    ['name: coder', []],
    ['color: red\nmemory: user\neffort: high', []],
    ['name: other', ['warning name_differs:3']],
    ['model: qwen3', ['warning model_ignored:3']],
    ['model: sonnet', ['warning model_family:3']],
    ['model: Opus[1m]', ['warning model_family:3']],
    ['model: haiku', ['warning model_family:3']],
    ['model: inherit', ['info model_inherit:3']],
    ['model: claude-opus-4-8', ['warning model_anthropic:3']],
    ['model: anthropic/x', ['warning model_anthropic:3'], { servedNames: ['anthropic/x'] }],
    ['model:', []],
    ['tools: Read, Grep, Glob, LS, Edit, MultiEdit, Write, Bash', []],
    ['tools: read_file, finish', []],
    ['tools: Bash(git log), Read', []],
    ['tools: "*"', []],
    ['tools: Raed, Grep', ['warning unknown_tool:3']],
    ['tools:\n  - Grep\n  - Raed', ['warning unknown_tool:5']],
    ['tools: Read, WebFetch', ['warning tool_not_offered:3']],
    ['tools: Read, mcp__db__query', ['warning mcp_tool:3']],
    ['tools: WebFetch, mcp__db', ['warning tool_not_offered:3', 'warning mcp_tool:3']],
    ['tools: finish', []],
    ['tools: Read, Bash', ['info not_allowed:3'], ONLY_READ],
    ['tools: Read, Grep', [], ONLY_READ],
    ['tools:', ['warning tools_empty:3']],
    ['tools: []', ['warning tools_empty:3']],
    ['tools: Read, Bash', ['info bash_off:3'], NO_BASH],
    ['tools: Bash\ndisallowedTools: Bash', [], NO_BASH],
    ['disallowedTools: Bash, WebFetch, mcp__db', []],
    ['disallowedTools: Bahs', ['warning unknown_tool:3']],
    ['disallowedTools: "*"', ['warning no_tools:3']],
    ['tools: Read\ndisallowedTools: Read', []],
    ['tool: Read', ['warning unknown_key:3']],
    ['disallowed-tools: Bash', ['warning unknown_key:3']],
    ['allowed-tools: Read', ['warning allowed_tools:3']],
    [
      'permissionMode: plan\nhooks: {}\nmcpServers: {}',
      ['info key_without_effect:3', 'info key_without_effect:4', 'info key_without_effect:5'],
    ],
    ['skills: [a]', ['info key_without_effect:3']],
    ['tools: {}', ['error wrong_type:3']],
    ['tools: [', ['error front_matter_yaml:3']],
    ['argument-hint: a: b', ['warning front_matter_quotes:3']],
  ];

describe('lintAgent', () => {
  for (const [front, findings, facts] of FRONT)
    it(`${JSON.stringify(front)}${facts === undefined ? '' : ', in other circumstances'}`, () =>
      assert.deepEqual(found(front, facts), findings));

  const whole: [text: string, findings: string[]][] = [
    ['', ['warning no_description', 'warning no_body']],
    ['Body', ['warning no_description']],
    ['---\nname: coder\ndescription: D\n---\n', ['warning no_body']],
    ['---\nname: coder\ndescription: [D]\n---\nBody', ['warning wrong_type']],
    [
      '---\nname: coder\ndescription: D\nBody',
      ['warning no_description', 'warning front_matter_open'],
    ],
  ];
  for (const [text, findings] of whole) {
    it(`the file ${JSON.stringify(text)}`, () =>
      assert.deepEqual(
        lintAgent(FILE, parseAgent(text), FACTS).map(({ severity, code }) => `${severity} ${code}`),
        findings,
      ));
  }

  it('says that Claude Code wants a name, in agents alone', () => {
    const codes = (source: AgentFile['source']): string[] =>
      lintAgent({ ...FILE, source }, parseAgent('---\ndescription: D\n---\nB'), FACTS).map(
        ({ severity, code }) => `${severity} ${code}`,
      );
    assert.deepEqual(codes('project-agent'), ['info no_name']);
    assert.deepEqual(codes('global'), ['info no_name']);
    assert.deepEqual(codes('project-skill'), []);
  });

  it('names the file that wins', () => {
    const [finding] = lintAgent(FILE, parseAgent('---\nname: coder\ndescription: D\n---\nBody'), {
      ...FACTS,
      shadowedBy: '/p/first.md',
    });
    assert.equal(finding?.code, 'shadowed');
    assert.match(finding.message, /^\/p\/first\.md /);
  });

  it('explains the trap of the family names, and of a local alias with the name of Anthropic', () => {
    const message = (model: string, servedNames: string[] | null = null): string | undefined =>
      lintAgent(FILE, parseAgent(`---\nname: coder\ndescription: D\nmodel: ${model}\n---\nB`), {
        ...FACTS,
        servedNames,
      })[0]?.message;
    assert.match(message('sonnet') ?? '', /Usage credits required for 1M context/);
    assert.match(message('claude-x', ['claude-x']) ?? '', /an endpoint of yours serves that name/);
    assert.match(message('claude-x', ['other']) ?? '', /is sent to Anthropic/);
    assert.match(message('claude-x') ?? '', /is sent to Anthropic/);
  });

  it('says which tool was probably meant, and what a misspelt ban does', () => {
    const finding = (front: string) =>
      lintAgent(FILE, parseAgent(`---\nname: coder\ndescription: D\n${front}\n---\nB`), FACTS)[0];
    assert.equal(finding('tools: Raed, Grep')?.hint, 'Did you mean Read?');
    assert.match(finding('disallowedTools: Bahs')?.message ?? '', /nothing is forbidden by it/);
  });

  it('has a place within the file for whatever it finds there, whatever the file says', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '---',
        'model: sonnet',
        'tools: [X, Y]',
        'tools: Read, X',
        'a: b: c',
        '- x',
        '',
      ),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), (lines) => {
        const text = ['---', ...lines].join('\n');
        const count = text.split(/\r\n|\r|\n/).length;
        for (const { range, message } of lintAgent(FILE, parseAgent(text), FACTS)) {
          assert.ok(range.line >= 0 && range.line <= count, message);
          assert.ok(range.endLine >= range.line && range.endLine <= count, message);
        }
      }),
    );
  });
});
