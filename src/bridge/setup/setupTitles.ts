import type { SetupPart } from '../../protocol/ui/setup.ts';

/** Each part in one line for a person. */
export const SETUP_TITLES: Readonly<Record<SetupPart, string>> = {
  registration: 'MCP server "delegate" for every project of yours',
  skill: 'Skill "delegate": when to hand work on, and how',
  hook: 'Prompt hook: a reminder when a prompt speaks of handing work on',
  relay: 'Agent "delegate-relay": a job as a background agent of Claude Code',
};
