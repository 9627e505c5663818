import * as z from 'zod';
import { configEditSchema, configPathSchema } from '../modelsLanguage/configEdit.ts';
import { formFieldSchema, formStateSchema } from '../modelsLanguage/formState.ts';
import { localitySchema } from '../job.ts';
import { liveFactsSchema } from '../modelsLanguage/liveFacts.ts';
import { probeSchema } from '../ui/probe.ts';

const name = z.string().min(1).max(200);
const address = z.string().min(1).max(2000);

/** What VS Code keeps of the form, so that hiding or reloading it brings it back as it was. */
export const formViewStateSchema = z.object({
  /** The section that is shown. */
  section: z.string().max(100).catch('endpoints'),
  /** Entries that are unfolded, as formatPath() writes them. */
  open: z.array(z.string().max(1000)).max(1000).catch([]),
  scrollTop: z.number().nonnegative().catch(0),
});
export type FormViewState = z.infer<typeof formViewStateSchema>;

/** What the page of the form says to the extension. Whatever else arrives is not understood. */
export const formPageMessageSchema = z.discriminatedUnion('type', [
  /** The page listens now, and knows nothing: it is told everything. */
  z.strictObject({ type: z.literal('ready') }),
  /** A change that a person made; `id` comes back in `edited`. Several edits are one step of Undo. */
  z.strictObject({
    type: z.literal('edit'),
    id: z.number().int(),
    version: z.number().int(),
    edits: z.array(configEditSchema).min(1).max(200),
  }),
  /** A quick fix of a problem in the state of this version. */
  z.strictObject({
    type: z.literal('fix'),
    version: z.number().int(),
    problem: z.number().int().nonnegative(),
    fix: z.number().int().nonnegative(),
  }),
  /** The field that has the focus, so that "Open as YAML" puts the cursor there. */
  z.strictObject({ type: z.literal('focus'), path: configPathSchema }),
  z.strictObject({ type: z.literal('openYaml'), path: configPathSchema }),
  /** Ask the endpoints again. */
  z.strictObject({ type: z.literal('probe') }),
  /** Ask the usual ports of this machine. */
  z.strictObject({ type: z.literal('scan') }),
  /** Ask one address, with one request that calls a tool; `secret` is the name of a kept key. */
  z.strictObject({ type: z.literal('try'), baseUrl: address, secret: name.optional() }),
  /** Write a tried endpoint; `keepOutOfGit`: to the sidecar beside the file. */
  z.strictObject({
    type: z.literal('register'),
    baseUrl: address,
    name,
    secret: name.optional(),
    keepOutOfGit: z.boolean(),
  }),
  /** Asks the person for a key (in a box of VS Code, never in the page) and keeps it; with a path a reference to it is written there. */
  z.strictObject({
    type: z.literal('askSecret'),
    name: name.optional(),
    path: configPathSchema.optional(),
  }),
  z.strictObject({ type: z.literal('deleteSecret'), name }),
  /** Run a gate of the saved file on what is committed. */
  z.strictObject({ type: z.literal('runGate'), name }),
  z.strictObject({ type: z.literal('stopGate'), name }),
  /** Trust a workspace file after showing what it may do. */
  z.strictObject({ type: z.literal('trust') }),
  z.strictObject({ type: z.literal('import') }),
  /** A rule of the page's Content Security Policy has stopped something; for the log. */
  z.strictObject({
    type: z.literal('blocked'),
    directive: z.string().max(200),
    uri: z.string().max(1000),
  }),
]);
export type FormPageMessage = z.infer<typeof formPageMessageSchema>;

/** What answered at an address that is not registered, and what would be written for it. */
const triedSchema = z.object({
  baseUrl: z.string(),
  suggestedName: z.string(),
  registeredAs: z.string().nullable(),
  locality: localitySchema,
  placeWarning: z.string().nullable(),
  probe: probeSchema,
  /** Wire formats that it speaks; empty: not known. */
  formats: z.array(z.string()),
  /** Whether a model called a tool when it was asked to; null: not tried. */
  tools: z
    .object({ model: z.string(), answer: z.enum(['yes', 'no', 'unknown']), why: z.string() })
    .nullable(),
  /** The smallest entry that is right, as it would be written. */
  entry: z.record(z.string(), z.unknown()),
});
export type Tried = z.infer<typeof triedSchema>;

/** What the extension says to the page of the form. */
export const formMessageSchema = z.discriminatedUnion('type', [
  /** Once, before the first state. */
  z.object({ type: z.literal('fields'), root: formFieldSchema }),
  z.object({ type: z.literal('state'), state: formStateSchema, isReadonly: z.boolean() }),
  z.object({ type: z.literal('live'), live: liveFactsSchema, isAsking: z.boolean() }),
  /** How an `edit` ended. `state` of the version it made comes as well. */
  z.object({
    type: z.literal('edited'),
    id: z.number().int(),
    outcome: z.enum(['done', 'stale', 'refused']),
    message: z.string(),
  }),
  z.object({
    type: z.literal('scanned'),
    asked: z.array(z.string()),
    found: z.array(triedSchema),
  }),
  z.object({ type: z.literal('tried'), baseUrl: z.string(), tried: triedSchema }),
  /** `scan`, `try` or `register` went wrong, or `register` is done (`isError` false). */
  z.object({
    type: z.literal('told'),
    about: z.enum(['scan', 'try', 'register', 'secret', 'form']),
    isError: z.boolean(),
    message: z.string(),
    hint: z.string(),
  }),
  z.object({
    type: z.literal('gate'),
    name: z.string(),
    state: z.enum(['running', 'passed', 'failed', 'refused']),
    /** The end of what it printed, or why it was not run. */
    text: z.string(),
    durationS: z.number().nullable(),
  }),
  /** Bring this key into view and focus it. */
  z.object({ type: z.literal('show'), path: configPathSchema }),
  z.object({ type: z.literal('trust'), isTrusted: z.boolean() }),
]);
export type FormMessage = z.input<typeof formMessageSchema>;
