import * as z from 'zod';

/** Where a key stands in models.yaml, outermost first; a number is a place in a list. */
export const configPathSchema = z
  .array(z.union([z.string().max(1000), z.number().int().nonnegative()]))
  .max(20);

/** One change of a models.yaml, said by paths; config/edit turns it into changes of the text that keep every other byte. */
export const configEditSchema = z.discriminatedUnion('kind', [
  /** Sets a value; groups that are missing on the way are made. Setting one past the end of a list appends to it. */
  z.strictObject({ kind: z.literal('set'), path: configPathSchema, value: z.json() }),
  /** Takes a key or list item away with its own comments; a group that is empty then goes as well. */
  z.strictObject({ kind: z.literal('remove'), path: configPathSchema }),
  /** Gives a key another name; its value and place stay. */
  z.strictObject({ kind: z.literal('rename'), path: configPathSchema, to: z.string().max(1000) }),
  /** Moves an entry of a group or an item of a list, comments and all; `to` is its place among the others after the move. */
  z.strictObject({
    kind: z.literal('move'),
    path: configPathSchema,
    to: z.number().int().nonnegative(),
  }),
]);
export type ConfigEdit = z.infer<typeof configEditSchema>;

/** A stretch of a document that is replaced. Lines and characters count from 0, in UTF-16 units, as in LSP. */
export const textChangeSchema = z.object({
  range: z.object({
    start: z.object({ line: z.number().int(), character: z.number().int() }),
    end: z.object({ line: z.number().int(), character: z.number().int() }),
  }),
  newText: z.string(),
});
export type TextChange = z.infer<typeof textChangeSchema>;
