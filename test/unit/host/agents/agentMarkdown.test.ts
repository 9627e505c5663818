import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { CheckedAgent } from '../../../../src/host/agents/agentChecks.ts';
import { agentMarkdown } from '../../../../src/host/agents/agentMarkdown.ts';

const AGENT: CheckedAgent = {
  ...{ name: 'coder', source: 'project-agent', path: '/p/.claude/agents/coder.md' },
  ...{ description: '', isUsable: true, shadowedBy: null, declaredModel: null, runner: 'loop' },
  ...{ model: 'qwen', modelRule: 'default-model', tools: ['read_file'], findings: [] },
};
const plain = (agent: Partial<CheckedAgent>): string =>
  agentMarkdown({ ...AGENT, ...agent }).replaceAll('\\', '');

describe('agentMarkdown', () => {
  it('says model with its rule, and tools', () =>
    assert.equal(
      plain({}),
      '**coder** · agent of this project\n\nModel: qwen (defaults.model)\n\nTools of a job that may write: read_file',
    ));

  it('says what of the file has no effect, and which file is used instead', () => {
    const text = plain({
      declaredModel: 'opus',
      shadowedBy: '/other/coder.md',
      model: null,
      modelRule: 'first-served',
    });
    assert.match(text, /Model: the first served model/);
    assert.match(text, /"model:" of this file has no effect in a job: opus/);
    assert.match(text, /Not this file is used, but: \/other\/coder\.md/);
  });

  it('says of one that cannot be used only that', () =>
    assert.match(plain({ isUsable: false }), /A job that names it fails/));

  it('makes no link, image, icon or tag of what stands in a file', () => {
    const hostile = '[x](command:evil) ![i](http://h) $(zap) <b>';
    const text = agentMarkdown({
      ...AGENT,
      declaredModel: hostile,
      tools: [hostile],
      model: hostile,
    });
    assert.doesNotMatch(text, /(?<!\\)[[\]()<>$!]/);
  });
});
