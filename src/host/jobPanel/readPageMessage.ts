import {
  type PageMessage,
  pageMessageSchema,
  type PanelState,
  panelStateSchema,
} from '../../protocol/jobPanel/panelMessages.ts';

// A bundle of its own, loaded with the first panel: zod stays out of what VS Code loads at activation.

/** What a page has said; null when it is none of the messages that are understood. */
export function readPageMessage(message: unknown): PageMessage | null {
  const parsed = pageMessageSchema.safeParse(message);
  return parsed.success ? parsed.data : null;
}

/** What VS Code has kept of a panel; null when no job can be read from it. */
export function readPanelState(state: unknown): PanelState | null {
  const parsed = panelStateSchema.safeParse(state);
  return parsed.success ? parsed.data : null;
}
