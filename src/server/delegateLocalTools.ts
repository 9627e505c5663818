import * as z from 'zod';
import { BridgeError } from '../base/bridgeError.ts';
import { jobProvenance, noModelProvenance } from '../protocol/mcpProvenance.ts';
import { formatPlural } from '../protocol/statusLineParts.ts';
import { assertBatchSize, batchTasksSchema, readBatchTasks } from './batchTasks.ts';
import { delegateLocalAgents } from './delegateLocalAgents.ts';
import { delegateLocalBackend } from './delegateLocalBackend.ts';
import {
  type DelegateLocalCall,
  type Dispatch,
  finishDispatches,
  startDispatch,
} from './delegateLocalDispatch.ts';
import { defineTool, type Tool, type ToolAnswer, type ToolContext } from './tool.ts';

/** How long a job may wait for a slot; no part of its time to run. */
const DEFAULT_QUEUE_GRACE_S = 900;

const output = z.looseObject({ provenance: z.string() });

const fields = {
  agent_name: z.string().describe('Agent definition, see list_local_agents'),
  task: z.string().describe('The whole brief: the agent knows nothing of this conversation'),
  workdir: z.string().optional().describe('Folder that it works in; default the workspace'),
  max_turns: z.number().int().optional().describe('0 or nothing: the default; at most 40'),
  model: z.string().optional().describe('Served id or alias; default the configured model'),
  max_tokens: z.number().nullable().optional().describe('Output tokens of a turn; null: by model'),
};

const provider = z.strictObject({
  ...fields,
  provider_url: z.string().describe('The whole address, such as https://host/v1/messages'),
  api_key: z
    .string()
    .describe('${secret:name} or ${env:NAME}; a key itself is taken, and stays in this transcript'),
  model: z.string().min(1),
  mode_tag: z.string().optional().describe('A line for the instructions of the agent'),
});

/** A task of a batch: unknown keys are ignored there, and both texts must say something. */
const batchTask = z.object({
  ...fields,
  agent_name: z.string().trim().min(1),
  task: z.string().trim().min(1),
});

/**
 * The tools of delegate-local over the same engine, so that prompts, agents and skills written for it keep working. Each call waits
 * for the end of its jobs; a client that leaves does not end them.
 */
export function delegateLocalTools(env: NodeJS.ProcessEnv): readonly Tool[] {
  const graceMs = queueGraceMs(env['DELEGATE_BATCH_QUEUE_GRACE']);
  return [
    defineTool({
      name: 'delegate_to_local_agent',
      title: 'Delegate to local agent',
      description:
        'Runs an agent definition on the configured model server, in the given folder itself, and answers with its result. Read success first; error says why when it is false.',
      effect: 'write',
      isIdempotent: false,
      input: z.strictObject(fields),
      output,
      run: (args, context) => dispatchOne(args, context, graceMs),
    }),
    defineTool({
      name: 'delegate_batch',
      title: 'Delegate batch',
      description:
        'Runs several agents at once, each task with the fields of delegate_to_local_agent. Results come in the order of the tasks; one that fails does not stop the others.',
      effect: 'write',
      isIdempotent: false,
      input: z.strictObject({ tasks: batchTasksSchema(batchTask) }),
      output,
      run: (args, context) => dispatchBatch(args.tasks, context, graceMs),
    }),
    defineTool({
      name: 'delegate_to_provider',
      title: 'Delegate to provider',
      description:
        'As delegate_to_local_agent, at an address of your choice for this one job. Its format is that of the address: …/v1/messages or …/v1/chat/completions.',
      effect: 'write',
      isIdempotent: false,
      input: provider,
      output,
      run: (
        { provider_url: url, api_key: key, mode_tag: modeTag = 'MODE:LOCAL', ...call },
        context,
      ) => dispatchOne({ ...call, provider: { url, key, modeTag } }, context, graceMs),
    }),
    defineTool({
      name: 'list_local_agents',
      title: 'List local agents',
      description: 'The agent definitions of the user’s own folder.',
      effect: 'read',
      isIdempotent: true,
      input: z.strictObject({}),
      output,
      run: async (_args, { bridge, defaultCwd }) => {
        const found = await delegateLocalAgents(bridge, defaultCwd);
        return { provenance: noModelProvenance('agent definitions'), fields: found };
      },
    }),
    defineTool({
      name: 'local_backend_status',
      title: 'Local backend status',
      description: 'Whether the configured model server answers, and which models it serves.',
      effect: 'read',
      isIdempotent: true,
      input: z.strictObject({}),
      output,
      run: async (_args, context) => ({
        provenance: noModelProvenance('asked the model server how it is'),
        fields: await delegateLocalBackend(context),
      }),
    }),
  ];
}

async function dispatchOne(
  call: DelegateLocalCall,
  context: ToolContext,
  graceMs: number,
): Promise<ToolAnswer> {
  const settings = await context.bridge.effectiveConfig(context.defaultCwd);
  const dispatch = await startDispatch(call, settings, context);
  const [result = {}] = await finishDispatches([dispatch], settings, context, graceMs);
  const { job } = dispatch;
  return {
    provenance:
      job === null
        ? noModelProvenance('no job was made')
        : jobProvenance(context.bridge.job(job.id)),
    fields: { ok: result['success'], ...result, ...keyWarning(call) },
    ...(job === null ? {} : { resourceUri: `delegate://jobs/${job.id}` }),
  };
}

async function dispatchBatch(
  tasks: readonly unknown[],
  context: ToolContext,
  graceMs: number,
): Promise<ToolAnswer> {
  const startedMs = context.now().getTime();
  const settings = await context.bridge.effectiveConfig(context.defaultCwd);
  try {
    assertBatchSize(tasks.length, settings.runners.loop.max_batch);
  } catch (error) {
    if (!BridgeError.is(error, 'bad_argument')) throw error;
    return {
      provenance: noModelProvenance('no job was made'),
      fields: {
        ok: false,
        success: false,
        error: [error.message, error.hint].join(' '),
        batch_size: tasks.length,
        results: [],
      },
    };
  }
  const dispatches = await Promise.all(
    readBatchTasks(tasks, batchTask).map(async (task, index): Promise<Dispatch> => {
      if (task.ok) return startDispatch(task.value, settings, context);
      const { kind, message, hint } = task.error;
      return { asked: unread(tasks[index]), job: null, trouble: { kind, message, hint } };
    }),
  );
  const finished = await finishDispatches(dispatches, settings, context, graceMs);
  const results = finished.map((result, index): Record<string, unknown> => ({
    task_index: index,
    ...result,
  }));
  const successes = results.filter((result) => result['success'] === true).length;
  return {
    provenance: noModelProvenance(
      `${formatPlural(results.length, 'task')}, ${successes} done, each a job with its own receipt`,
    ),
    fields: {
      ok: successes === results.length,
      success: successes === results.length,
      batch_size: results.length,
      successes,
      failures: results.length - successes,
      elapsed_s: Math.round((context.now().getTime() - startedMs) / 100) / 10,
      results,
    },
    resourceUri: 'delegate://jobs',
  };
}

/** What a task that could not be read says of itself, for a result of the same shape. */
function unread(task: unknown): Dispatch['asked'] {
  const parsed = z.object({ agent_name: z.string() }).safeParse(task);
  return {
    agentName: parsed.success ? parsed.data.agent_name : '',
    workdir: '',
    model: null,
    maxTurns: 0,
  };
}

function keyWarning({ provider: asked }: DelegateLocalCall): Record<string, unknown> {
  if (asked === undefined || asked.key === '' || /^\$\{(env|secret):/.test(asked.key)) return {};
  return {
    warning:
      'api_key was given as a value, so it stands in the transcript of this session. Keep it with "delegate secret set NAME" and give ${secret:NAME}.',
  };
}

/** A value that is no time is as good as none: a typing error must not keep a server from starting. */
function queueGraceMs(text: string | undefined): number {
  const seconds = Number(text?.trim() === '' ? undefined : text);
  const isUsable = Number.isFinite(seconds) && seconds > 0 && seconds <= 2_000_000;
  return (isUsable ? seconds : DEFAULT_QUEUE_GRACE_S) * 1000;
}
