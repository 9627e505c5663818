// What both sides of a job's panel name; without a library, for the side that VS Code loads at activation.

/** Logs that the panel follows. */
export const PANEL_LOGS = ['events', 'requests', 'gate'] as const;
export type PanelLog = (typeof PANEL_LOGS)[number];

/** How the left side shows what happened: one line each, or everything that was said. */
export const PANEL_MODES = ['timeline', 'transcript'] as const;
export type PanelMode = (typeof PANEL_MODES)[number];

/** Longest message that a job is resumed with; the same in the text field. */
export const MAX_RESUME_MESSAGE = 20_000;
