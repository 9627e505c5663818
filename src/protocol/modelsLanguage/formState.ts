import * as z from 'zod';
import { configPathSchema } from './configEdit.ts';

/** How a key of models.yaml is entered. The tree of fields is made from the schema of models.yaml; nothing is listed twice. */
export interface FormField {
  readonly key: string;
  /**
   * group: keys of its own; entries: free names with an `entry` each (endpoints, pools, models, gates, fleet); chains: free names
   * with a list each; map: free names with a text each; textOrMap: one text, or a map (api_key); numberOrAuto, listOrWord, switchOrWord:
   * a value or one of `choices`.
   */
  readonly kind:
    | 'group'
    | 'entries'
    | 'chains'
    | 'map'
    | 'textOrMap'
    | 'text'
    | 'longText'
    | 'number'
    | 'integer'
    | 'numberOrAuto'
    | 'switch'
    | 'switchOrWord'
    | 'choice'
    | 'list'
    | 'choiceList'
    | 'listOrWord';
  readonly description: string;
  /** Undefined: none. */
  readonly default?: unknown;
  readonly example?: unknown;
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Understood, but without an effect in this version. */
  readonly isInactive?: boolean;
  /** Of a group. */
  readonly fields?: readonly FormField[];
  /** Of entries: a group. */
  readonly entry?: FormField;
}

export const formFieldSchema: z.ZodType<FormField> = z.lazy(() =>
  z.object({
    key: z.string(),
    kind: z.enum([
      'group',
      'entries',
      'chains',
      'map',
      'textOrMap',
      'text',
      'longText',
      'number',
      'integer',
      'numberOrAuto',
      'switch',
      'switchOrWord',
      'choice',
      'list',
      'choiceList',
      'listOrWord',
    ]),
    description: z.string(),
    default: z.unknown().optional(),
    example: z.unknown().optional(),
    choices: z.array(z.string()).readonly().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    isInactive: z.boolean().optional(),
    fields: z.array(formFieldSchema).readonly().optional(),
    entry: formFieldSchema.optional(),
  }),
) as z.ZodType<FormField>;

/** A problem of this document as the server and the command line word it. */
const formProblemSchema = z.object({
  path: configPathSchema,
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  suggestion: z.string().nullable(),
  /** From 1; 0: no place in the text. */
  line: z.number().int(),
  column: z.number().int(),
  /** Titles of the quick fixes, in the order in which `fix` of the page numbers them. */
  fixes: z.array(z.string()),
});
export type FormProblem = z.infer<typeof formProblemSchema>;

/** One models.yaml as the form shows it. */
export const formStateSchema = z.object({
  /** Version of the document that this was read from. */
  version: z.number().int(),
  /** What the file is; `other`: it is not among the files that are read, and only checked. */
  role: z.enum(['user', 'user-sidecar', 'workspace', 'workspace-sidecar', 'other']),
  /** False: not trusted, so that nothing of it counts yet. */
  isUsed: z.boolean(),
  /** False: the text is no YAML that can be edited by keys; `values` is null then, and the problems say why. */
  isEditable: z.boolean(),
  /**
   * What the file says, by key, broken values as they stand. A key that is written out in the file (a literal secret) is never
   * in here: its text is replaced by `MASKED`.
   */
  values: z.record(z.string(), z.unknown()).nullable(),
  /** What counts where this file says nothing: the other layers and the defaults, merged. */
  inherited: z.record(z.string(), z.unknown()),
  problems: z.array(formProblemSchema),
});
export type FormState = z.infer<typeof formStateSchema>;

/** Stands for a literal secret in `values`. */
export const MASKED = '••••••••';
