import * as z from 'zod';
import { jobRecordSchema } from '../job.ts';
import { PANEL_ACTIONS } from './panelActions.ts';
import { MAX_RESUME_MESSAGE, PANEL_LOGS, PANEL_MODES } from './panelTerms.ts';

/** What VS Code keeps for a panel, so that a reload brings it back. */
export const panelStateSchema = z.object({
  jobId: z.string().regex(/^[a-z0-9-]{1,100}$/),
  mode: z.enum(PANEL_MODES).catch('timeline'),
  /** What has been typed and not been sent. */
  draft: z.string().max(MAX_RESUME_MESSAGE).catch(''),
  /** Number of the event at the top of what was looked at; null: the newest were followed. */
  place: z.number().int().nullable().catch(null),
});
export type PanelState = z.infer<typeof panelStateSchema>;

/** What the page says to the extension. Whatever else arrives is not understood. */
export const pageMessageSchema = z.discriminatedUnion('type', [
  /** The page listens now, and knows nothing: it is told everything. */
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({
    type: z.literal('act'),
    action: z.enum(PANEL_ACTIONS),
    /** For `resumeJob`. */
    message: z.string().min(1).max(MAX_RESUME_MESSAGE).optional(),
  }),
  z.strictObject({ type: z.literal('openChange'), path: z.string().min(1).max(4096) }),
  /** The job that this one goes on from. */
  z.strictObject({ type: z.literal('openJob'), jobId: panelStateSchema.shape.jobId }),
  /** What happened before this offset of the events. */
  z.strictObject({ type: z.literal('loadEarlier'), before: z.number().int().positive() }),
  /** The whole log as a document. */
  z.strictObject({ type: z.literal('openLogFile'), what: z.enum(['transcript', 'gate']) }),
  /** A rule of the page's Content Security Policy has stopped something; for the log. */
  z.strictObject({
    type: z.literal('blocked'),
    directive: z.string().max(200),
    uri: z.string().max(1000),
  }),
]);
export type PageMessage = z.infer<typeof pageMessageSchema>;

/** What the extension says to the page. */
export const panelMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('show'), mode: z.enum(PANEL_MODES) }),
  z.object({ type: z.literal('trust'), isTrusted: z.boolean() }),
  /** Fields of the record, in wire spelling, that are others than the page was told: all of them at first. */
  z.object({
    type: z.literal('record'),
    fields: jobRecordSchema.partial(),
    queuePosition: z.number().int().nullable(),
  }),
  /** What a log has gained: behind what the page has, or before it. `isNew`: what the page had of it counts no more. */
  z.object({
    type: z.literal('log'),
    what: z.enum(PANEL_LOGS),
    text: z.string(),
    offset: z.number().int(),
    place: z.enum(['new', 'end', 'start']),
  }),
  /** All there is of a log up to now has been told. */
  z.object({ type: z.literal('caughtUp'), what: z.enum(PANEL_LOGS) }),
  /** Why the page may be out of date; null: it is not. */
  z.object({
    type: z.literal('trouble'),
    trouble: z.object({ isGone: z.boolean(), message: z.string(), hint: z.string() }).nullable(),
  }),
]);
export type PanelMessage = z.input<typeof panelMessageSchema>;
