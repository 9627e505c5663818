import * as vscode from 'vscode';
import { sanitiseLine } from '../../base/sanitise.ts';
import { briefLine } from '../../protocol/briefLine.ts';
import { JOB_GROUPS } from '../../protocol/jobGroup.ts';
import { statusLine } from '../../protocol/statusLine.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import type { HostParts } from '../hostParts.ts';
import { jobInFront } from './jobInFront.ts';
import { namedRows } from './namedRows.ts';

export interface JobQuestion {
  /** Above the list, when one has to be chosen: "Cancel which job?" */
  readonly title: string;
  /** Jobs that are offered. One that was named is taken as it is: the engine says why it cannot be. */
  readonly fits: (job: FeedJob) => boolean;
  /** Said when no job fits: what the command is for. */
  readonly none?: string;
  /** The command only shows something: the only job that fits is taken without a question. */
  readonly isLook?: boolean;
}

type Parts = Pick<HostParts, 'jobs' | 'selectedRows'>;

/**
 * The job a command is meant for: the one it was given, else the one of the editor in front, else one that the person chooses among
 * those that fit. Undefined when none was chosen.
 */
export async function jobArgument(
  args: readonly unknown[],
  parts: Parts,
  question: JobQuestion,
): Promise<string | undefined> {
  return (await jobArguments(args.slice(0, 1), parts, question))[0];
}

/** As `jobArgument`, for commands that take several rows of the tree at once: VS Code hands those as the second argument. */
export async function jobArguments(
  args: readonly unknown[],
  parts: Parts,
  question: JobQuestion,
): Promise<string[]> {
  const named = namedRows(args, parts.selectedRows);
  if (named.length > 0) return [...new Set(named.map(({ jobId }) => jobId))];
  const inFront = jobInFront();
  const known = inFront === null ? null : parts.jobs.job(inFront.jobId);
  if (known !== null && question.fits(known)) return [known.id];
  const chosen = await chooseJob(parts.jobs, question);
  return chosen === undefined ? [] : [chosen];
}

async function chooseJob(
  jobs: HostParts['jobs'],
  { title, fits, none, isLook }: JobQuestion,
): Promise<string | undefined> {
  await jobs.update();
  const now = new Date();
  const items = JOB_GROUPS.flatMap((group) => jobs.jobs(group))
    .filter(fits)
    .map((job) => ({
      jobId: job.id,
      label: briefLine(job.task) || job.id,
      description: sanitiseLine(statusLine(job, now, job.queuePosition), 160),
    }));
  if (items.length === 0) {
    const { state } = jobs;
    void vscode.window.showInformationMessage(
      state.kind === 'error' ? `${state.message} ${state.hint}` : (none ?? 'No job fits that now.'),
    );
    return undefined;
  }
  const [only] = items;
  if (isLook === true && items.length === 1) return only?.jobId;
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    matchOnDescription: true,
    // The walkthrough takes the focus back a moment after one of its links was followed.
    ignoreFocusOut: true,
  });
  return chosen?.jobId;
}
