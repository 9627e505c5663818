import * as z from 'zod';
import { BridgeError } from '../base/bridgeError.ts';
import { ITEMS_OF } from './toolSchemas.ts';

/** One task of a batch as it was read: what it asks for, or what is wrong with it. */
export type BatchTask<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: BridgeError };

/**
 * The argument `tasks`: any list at all is taken, so that one bad task is a value beside the others and no error of the protocol for
 * all of them. What a task may hold is told to the client all the same.
 */
export function batchTasksSchema(task: z.ZodObject): z.ZodType<unknown[]> {
  return z
    .array(z.unknown())
    .meta({ [ITEMS_OF]: task, description: 'The tasks; results come in this order' });
}

/** Reads each task by itself; an error names the fields. */
export function readBatchTasks<T extends z.ZodObject>(
  tasks: readonly unknown[],
  schema: T,
): BatchTask<z.infer<T>>[] {
  return tasks.map((task, index) => {
    const parsed = schema.safeParse(task);
    if (parsed.success) return { ok: true, value: parsed.data };
    const wrong = parsed.error.issues
      .slice(0, 5)
      .map(({ path, message }) =>
        path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
      );
    return {
      ok: false,
      error: new BridgeError('bad_argument', `tasks[${index}] is not right. ${wrong.join('; ')}`, {
        hint: 'Mend this task and send it again; the others need not be repeated.',
      }),
    };
  });
}

/** @throws BridgeError bad_argument for a batch that is empty or has more than `max` tasks */
export function assertBatchSize(size: number, max: number): void {
  if (size === 0) {
    throw new BridgeError('bad_argument', 'The batch has no tasks.', {
      hint: 'Give at least one.',
    });
  }
  if (size <= max) return;
  throw new BridgeError('bad_argument', `The batch has ${size} tasks; ${max} is the limit.`, {
    hint: 'Send several batches, or raise runners.loop.max_batch.',
  });
}
