import { looksLikeAnthropic } from '../../config/checkModels.ts';
import { NO_RANGE } from '../../config/documentRanges.ts';
import type { AgentFacts, AgentFinding } from './lintAgent.ts';
import type { ParsedAgent } from './parseAgent.ts';

/** Words of Claude Code for a family of models; which one is meant is decided there. */
const FAMILY = /^(sonnet|opus|haiku|opusplan|default|best)(\[1m\])?$/i;

/** What `model:` does: nothing in a job of the loop runner, and in Claude Code more than its author may think. */
export function lintModel(parsed: ParsedAgent, facts: AgentFacts): AgentFinding[] {
  const model = parsed.model ?? '';
  if (model === '') return [];
  const range = parsed.keys.get('model') ?? NO_RANGE;
  const finding = (
    severity: AgentFinding['severity'],
    code: string,
    message: string,
    hint: string,
  ): AgentFinding => ({ severity, code, range, message, hint });
  const hint = 'Leave "model:" out; the call or models.yaml says which model is used.';
  if (/^inherit$/i.test(model)) {
    return [
      finding(
        'info',
        'model_inherit',
        '"model: inherit" has no effect here; Claude Code takes the model of its session',
        'It does no harm.',
      ),
    ];
  }
  if (FAMILY.test(model)) {
    return [
      finding(
        'warning',
        'model_family',
        `"model: ${model}" has no effect here; in Claude Code it leaves a local session for Anthropic's model of that family, and next to a [1m] session it takes over the [1m] and fails with "Usage credits required for 1M context"`,
        'Leave "model:" out, or give the full id where Anthropic is meant.',
      ),
    ];
  }
  if (looksLikeAnthropic(model)) {
    const isServed = facts.servedNames?.includes(model) === true;
    return [
      finding(
        'warning',
        'model_anthropic',
        isServed
          ? `"model: ${model}" has no effect here; an endpoint of yours serves that name, but a router that goes by names sends it to Anthropic`
          : `"model: ${model}" has no effect here; in Claude Code it is sent to Anthropic, also from a local session`,
        isServed ? 'Serve it under another alias.' : hint,
      ),
    ];
  }
  return [
    finding(
      'warning',
      'model_ignored',
      `"model: ${model}" has no effect here; in Claude Code it wins over the model of the session, so the agent asks whatever server the session uses for that name`,
      hint,
    ),
  ];
}
