import type { COMMANDS } from '../../contributions.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import { describeServerState, type ServerState } from '../bridge/serverState.ts';
import { jobLabel } from '../views/rows/jobFacts.ts';
import { jobRow } from '../views/rows/jobRow.ts';

export interface MenuEntry {
  readonly label: string;
  readonly description: string;
  /** Null: a line with a title between groups of entries. */
  readonly command: keyof typeof COMMANDS | null;
  readonly args: readonly unknown[];
}

export interface MenuFacts {
  readonly running: readonly FeedJob[];
  readonly waiting: readonly FeedJob[];
  readonly review: readonly FeedJob[];
  readonly server: ServerState;
  readonly isTrusted: boolean;
  readonly now: Date;
}

/** What the status bar's menu offers: what one most likely came for is first. */
export function menuEntries(facts: MenuFacts): MenuEntry[] {
  const { running, waiting, review, server, isTrusted, now } = facts;
  const jobEntry = (job: FeedJob, command: keyof typeof COMMANDS): MenuEntry => {
    const { icon, description } = jobRow(job, { now, isAllShown: false });
    return {
      label: `$(${icon?.id ?? 'circle-outline'}) ${withoutIcons(jobLabel(job))}`,
      description,
      command,
      args: [job.id],
    };
  };
  const onlyTrusted = (entries: MenuEntry[]): MenuEntry[] => (isTrusted ? entries : []);
  return [
    ...group(
      'For review',
      review.map((job) => jobEntry(job, 'reviewJob')),
    ),
    ...group(
      'Running and waiting',
      [...running, ...waiting].map((job) => jobEntry(job, 'openJob')),
    ),
    ...group('Do', [
      ...onlyTrusted([entry('$(add) Delegate a Task…', 'delegate')]),
      ...(review.length > 1 ? [entry('$(arrow-down) Review Next Job', 'nextJobToReview')] : []),
      ...onlyTrusted([
        entry('$(search) Find Model Servers…', 'findServers'),
        entry('$(tools) Set Up Claude Code…', 'setUpClaudeCode'),
      ]),
      entry('$(go-to-file) Open models.yaml', 'openConfig'),
      entry('$(book) Get Started', 'openWalkthrough'),
    ]),
    ...group('Server', [
      entry('$(debug-restart) Restart Server', 'restartServer', describeServerState(server)),
      entry('$(output) Show Server Log', 'showServerLog'),
      entry('$(archive) Collect Diagnostics', 'collectDiagnostics'),
    ]),
  ];
}

function group(title: string, entries: readonly MenuEntry[]): MenuEntry[] {
  if (entries.length === 0) return [];
  return [{ label: title, description: '', command: null, args: [] }, ...entries];
}

function entry(label: string, command: keyof typeof COMMANDS, description = ''): MenuEntry {
  return { label, description, command, args: [] };
}

/** Labels of a quick pick draw `$(name)` as an icon, also where a model wrote it. */
function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u2009(');
}
