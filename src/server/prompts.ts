import { type GetPromptResult, type Prompt, protocolError } from './mcpSdk.ts';

const PROMPTS: readonly Prompt[] = [
  {
    name: 'delegate',
    title: 'Delegate a task',
    description: 'Hand one bounded task to a model that runs elsewhere.',
    arguments: [
      { name: 'task', description: 'What is to be done', required: true },
      { name: 'model', description: 'Served model' },
      { name: 'endpoint', description: 'Endpoint that serves it' },
      { name: 'gate', description: 'Check that decides about the result' },
    ],
  },
  {
    name: 'review-job',
    title: 'Review a job',
    description: 'Look at what a job changed and say whether to take it.',
    arguments: [{ name: 'job_id', description: 'The job', required: true }],
  },
];

export function listPrompts(): Prompt[] {
  return [...PROMPTS];
}

/** Throws a protocol error for an unknown prompt or a missing argument. */
export function getPrompt(name: string, args: Readonly<Record<string, string>>): GetPromptResult {
  const prompt = PROMPTS.find((known) => known.name === name);
  if (prompt === undefined) throw protocolError(`There is no prompt "${name}".`);
  const missing = prompt.arguments?.find(
    (known) => known.required === true && !args[known.name]?.trim(),
  );
  if (missing !== undefined) throw protocolError(`The prompt ${name} needs "${missing.name}".`);
  const text = name === 'delegate' ? delegateText(args) : reviewText(args);
  return {
    description: prompt.description ?? name,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

function delegateText(args: Readonly<Record<string, string>>): string {
  const wishes = ['model', 'endpoint', 'gate'].flatMap((name) => {
    const value = args[name]?.trim();
    return value === undefined || value === '' ? [] : [`${name}: ${value}`];
  });
  return `Delegate this task with run_agent.

1. Call list_models; say which served model you will use. If the choice is not obvious, ask me.
2. Write the brief for a capable but junior engineer who knows nothing of this conversation: what to do, in which files, how to verify it, what to report.
3. Call run_agent${wishes.length === 0 ? '' : ` with ${wishes.join(', ')}`}. Run the command in "watch" in the background and go on with other work.
4. When it has ended, read job_diff. "Done" is not "verified": look at the gate. Then say what you found and ask whether to accept it.

The task:
${args['task'] ?? ''}`;
}

function reviewText(args: Readonly<Record<string, string>>): string {
  const id = args['job_id'] ?? '';
  return `Review the job ${id}.

Call job_status and job_diff for it. Say first who answered, where, and whether the gate passed on exactly this content. Then read the patch as you would a stranger's: does it do what the brief asked, does it change anything else, is anything untested? Quote the lines you doubt. End with one recommendation: accept, accept some files (which), or reject; do not call accept_job before I agree.`;
}
