import * as z from 'zod';

const blockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('thinking'),
    text: z.string(),
    signature: z.string().nullable(),
    isRedacted: z.boolean(),
  }),
  z.object({
    type: z.literal('tool_call'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()).nullable(),
    rawInput: z.string(),
  }),
]);

const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), text: z.string() }),
  z.object({
    role: z.literal('assistant'),
    endpoint: z.string(),
    model: z.string(),
    blocks: z.array(blockSchema),
  }),
  z.object({
    role: z.literal('results'),
    results: z.array(
      z.object({
        callId: z.string(),
        name: z.string(),
        text: z.string(),
        isError: z.boolean(),
      }),
    ),
  }),
]);

/** One line of a job's history.jsonl. */
export const historyLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), v: z.literal(1), system: z.string() }),
  z.object({ type: z.literal('message'), message: messageSchema }),
  z.object({
    type: z.literal('evicted'),
    places: z.array(
      z.union([
        z.object({ message: z.number().int(), result: z.number().int() }),
        z.object({ message: z.number().int(), block: z.number().int() }),
      ]),
    ),
  }),
]);

type ParsedLine = z.infer<typeof historyLineSchema>;
type Readonlyish<T> = T extends object ? { readonly [K in keyof T]: Readonlyish<T[K]> } : T;
export type HistoryLine = Readonlyish<ParsedLine>;
