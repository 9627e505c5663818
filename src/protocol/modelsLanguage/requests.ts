import * as z from 'zod';
import { configEditSchema, configPathSchema, textChangeSchema } from './configEdit.ts';
import { formFieldSchema, formStateSchema } from './formState.ts';
import { liveFactsSchema } from './liveFacts.ts';

// What the extension and the language server of models.yaml say to each other besides LSP. Each side parses what arrives.

const uri = z.string();
const position = z.object({ line: z.number().int(), character: z.number().int() });

/** Requests of the extension, by method name. */
export const LANGUAGE_REQUESTS = {
  /** The document as the form shows it; null: it is not open here. */
  'delegationBridge/formState': {
    params: z.object({ uri }),
    result: formStateSchema.nullable(),
  },
  /** The fields of the form; the same for every document. */
  'delegationBridge/formFields': {
    params: z.object({}),
    result: formFieldSchema,
  },
  /** Changes of the text that make these edits and keep every other byte. `stale`: the document has another version by now. */
  'delegationBridge/edit': {
    params: z.object({ uri, version: z.number().int(), edits: z.array(configEditSchema) }),
    result: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('changes'), changes: z.array(textChangeSchema) }),
      z.object({ kind: z.literal('stale') }),
      z.object({ kind: z.literal('refused'), message: z.string() }),
    ]),
  },
  /** As `edit`, for one of the quick fixes of a problem of the form's state. */
  'delegationBridge/fix': {
    params: z.object({
      uri,
      version: z.number().int(),
      problem: z.number().int(),
      fix: z.number().int(),
      /** Of the fix, as it was shown: problems change with what the endpoints say, too. */
      title: z.string(),
    }),
    result: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('changes'), changes: z.array(textChangeSchema) }),
      /** Not a change of the text alone: a key has to be kept first. See `moveSecret`. */
      z.object({ kind: z.literal('moveSecret'), path: configPathSchema, name: z.string() }),
      z.object({ kind: z.literal('stale') }),
      z.object({ kind: z.literal('refused'), message: z.string() }),
    ]),
  },
  /** The literal key at a path, for the extension that moves it to the secret store; null: there is none. */
  'delegationBridge/literalSecret': {
    params: z.object({ uri, path: configPathSchema }),
    result: z.object({ value: z.string() }).nullable(),
  },
  /** The key that a place in the text belongs to; empty: none. */
  'delegationBridge/pathAt': {
    params: z.object({ uri, position }),
    result: configPathSchema,
  },
  /** Where the nearest key of a path stands; null: nothing of it is there. */
  'delegationBridge/rangeOf': {
    params: z.object({ uri, path: configPathSchema }),
    result: z.object({ start: position, end: position }).nullable(),
  },
} as const;

export type LanguageRequest = keyof typeof LANGUAGE_REQUESTS;
export type LanguageParams<Name extends LanguageRequest> = z.input<
  (typeof LANGUAGE_REQUESTS)[Name]['params']
>;
export type LanguageResult<Name extends LanguageRequest> = z.output<
  (typeof LANGUAGE_REQUESTS)[Name]['result']
>;

/** The language server asks the extension; endpoints are asked again when the last answer is older than `max_age_ms`. */
export const LIVE_REQUEST = 'delegationBridge/live';
export const liveRequest = {
  params: z.object({ max_age_ms: z.number().nonnegative() }),
  result: liveFactsSchema,
} as const;

/** The extension tells that `live` would be answered otherwise now; no parameters. */
export const LIVE_CHANGED = 'delegationBridge/liveChanged';

/** The language server tells that the state of a document's form is another one (its text, other files, live facts). */
export const FORM_CHANGED = 'delegationBridge/formChanged';
export const formChanged = z.object({ uri });

/** What the extension tells the language server at its start. */
export const languageOptionsSchema = z.object({
  /** Folders of the workspace: a models.yaml at the root of one is the workspace layer. */
  folders: z.array(z.string()),
});
export type LanguageOptions = z.infer<typeof languageOptionsSchema>;
