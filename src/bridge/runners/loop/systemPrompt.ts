import type { AgentDefinition } from '../../agents/agentDefinition.ts';
import type { ToolSpec } from './wire/turnTypes.ts';

export interface SystemPromptInput {
  readonly agent: Pick<AgentDefinition, 'name' | 'body'> | null;
  readonly tools: readonly ToolSpec[];
  readonly cwd: string;
  readonly maxTurns: number;
  readonly isReadOnly: boolean;
  /** Text that the configuration and the call add. */
  readonly append: readonly string[];
  /** A file with instructions in the work folder (CLAUDE.md, AGENTS.md); null: there is none. */
  readonly instructionsFile: string | null;
}

const RULES = `You work on a task in a folder of a computer, with tools. Nobody can answer questions while you work: decide what is reasonable, and say in your report what you assumed.

How to work:
- Use the tools to look, to change and to check. Do not announce a step: take it.
- Look before you change: read the part of a file that you are about to edit.
- Read large files in ranges and search before you read; read each part once.
- Make the smallest change that does the task. Keep the style of the file.
- After a change, run the check that shows whether it works, and mend what fails. Run it again after each change.
- Paths are relative to the work folder or absolute inside it.
- Keep texts between tool calls short. Write long material to files, unless the task asks for it as the answer.

How to end: when the task is done and checked, call the tool finish with your report, or answer with the report as text without a tool call. The report says what you changed, what you ran and what it showed, and what is unfinished. Claim nothing that you have not seen.`;

/**
 * What the model is told before the task. What is the same for all jobs comes first, then the agent's own text, then what belongs to
 * one job: servers keep what requests have in common at their beginning.
 */
export function systemPrompt(input: SystemPromptInput): string {
  const { agent, tools } = input;
  const named = tools.map(({ name }) => name).join(', ');
  const parts = [
    RULES,
    `Your tools: ${named}.`,
    ...(agent === null
      ? []
      : [`You are the agent "${agent.name}". Its definition:\n\n${agent.body.trim()}`]),
    ...input.append.map((text) => text.trim()).filter((text) => text !== ''),
    jobLines(input),
  ];
  return parts.join('\n\n');
}

/** Whether two prompts differ at most in the number of turns: then what was said under the one may go on under it. */
export function isSamePrompt(one: string, other: string): boolean {
  const withoutTurns = (text: string): string => text.replace(/^Turns: \d+;/m, 'Turns:');
  return withoutTurns(one) === withoutTurns(other);
}

function jobLines({ cwd, maxTurns, isReadOnly, instructionsFile }: SystemPromptInput): string {
  return [
    `Work folder: ${cwd}`,
    `Turns: ${maxTurns}; each of your answers is one. Then the job ends, done or not.`,
    ...(isReadOnly ? ['This job is read-only: change nothing, and report what you found.'] : []),
    ...(instructionsFile === null
      ? []
      : [
          `${instructionsFile} in the work folder has the instructions of this project: read it first.`,
        ]),
  ].join('\n');
}
