import * as vscode from 'vscode';
import { registerCommand } from '../../contributions.ts';
import { groupOf } from '../../protocol/jobGroup.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import { fileArguments, type FileOfJob } from '../commands/fileArguments.ts';
import { jobArgument, jobArguments } from '../commands/jobArgument.ts';
import { jobReference } from '../commands/jobReference.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';
import { choose } from './choose.ts';
import { changeNotes } from './changeNotes.ts';
import { filesToShow } from './openReview.ts';
import type { ReviewActions } from './reviewActions.ts';
import type { ReviewInFront } from './reviewInFront.ts';
import type { ReviewStates } from './reviewStates.ts';
import { withoutIcons } from './reviewWords.ts';

export interface ReviewCommandsParts {
  readonly host: HostParts;
  readonly actions: ReviewActions;
  readonly front: ReviewInFront;
  readonly states: ReviewStates;
}

const isForReview = (job: FeedJob): boolean => groupOf(job) === 'review';
const NOTHING_TO_REVIEW = 'No job waits for a review.';

/** The commands of a review, from the tree, the editor's title, the keyboard and the palette alike. */
export function registerReviewCommands(parts: ReviewCommandsParts): vscode.Disposable[] {
  const { host, actions, front } = parts;
  const register = (
    name: Parameters<typeof registerCommand>[0],
    handler: (args: readonly unknown[]) => Promise<unknown>,
  ) =>
    registerCommand(
      name,
      reportFailures(host, (...args: unknown[]) => handler(args)),
    );

  const jobs = async (args: readonly unknown[], title: string) =>
    args[0] === undefined && front.target !== null
      ? [front.target.jobId]
      : jobArguments(args, host, { title, fits: isForReview, none: NOTHING_TO_REVIEW });
  const files = (args: readonly unknown[], title: string) => filesMeant(parts, args, title);

  return [
    register('reviewJob', async (args) => {
      const fits = (job: FeedJob) => job.filesChanged.length > 0;
      const question = { title: 'Review which job?', fits, none: NOTHING_TO_REVIEW, isLook: true };
      const jobId =
        args[0] === undefined && front.target !== null
          ? front.target.jobId
          : await jobArgument(args, host, question);
      return jobId === undefined ? false : actions.review(jobId);
    }),
    register('openChange', async (args) => {
      const [file] = await files(args, 'Open which change?');
      return file === undefined ? false : actions.openFile(file);
    }),
    register('openCheckoutFile', async (args) => {
      const [file] = await files(args, 'Open which file?');
      if (file !== undefined) await actions.openInCheckout(file);
    }),
    register('acceptJob', async (args) => {
      let taken = false;
      for (const jobId of await jobs(args, 'Accept all changes of which job?'))
        taken = (await actions.accept(jobId, 'all')) || taken;
      return taken;
    }),
    register('acceptFile', async (args) => {
      let taken = false;
      for (const [jobId, paths] of byJob(await files(args, 'Accept which file?')))
        taken = (await actions.accept(jobId, paths)) || taken;
      return taken;
    }),
    register('rejectJob', async (args) => {
      for (const jobId of await jobs(args, 'Reject which job?'))
        if (!(await actions.reject(jobId))) return false;
      return true;
    }),
    register('rejectFile', async (args) => {
      for (const [jobId, paths] of byJob(await files(args, 'Reject which file?')))
        await actions.drop(jobId, paths, false);
    }),
    register('takeBackRejectFile', async (args) => {
      for (const [jobId, paths] of byJob(await files(args, 'Decide again about which file?')))
        await actions.drop(jobId, paths, true);
    }),
    register('undoAccept', async (args) => {
      const fits = ({ review }: FeedJob) =>
        review.status === 'accepted' || review.status === 'partly';
      const last = args[0] === undefined ? actions.lastAccepted : null;
      const jobId =
        last ??
        (await jobArgument(args, host, {
          title: 'Undo the accept of which job?',
          fits,
          none: 'Nothing that was accepted is left to undo.',
        }));
      return jobId === undefined ? false : actions.undo(jobId);
    }),
    register('restoreJob', async (args) => {
      const jobId = await jobArgument(args, host, {
        title: 'Restore which job?',
        fits: (job) => job.review.status === 'rejected',
        none: 'No rejected job is left to restore.',
      });
      if (jobId !== undefined) await actions.restore(jobId);
    }),
    register('nextJobToReview', async () => {
      const waiting = host.jobs.jobs('review');
      const at = waiting.findIndex((job) => job.id === front.target?.jobId);
      const next = waiting[at + 1] ?? waiting[0];
      if (next !== undefined) return actions.review(next.id);
      void vscode.window.showInformationMessage(NOTHING_TO_REVIEW);
      return false;
    }),
    register('nextFile', async (args) => stepFrom(parts, args, 1)),
    register('previousFile', async (args) => stepFrom(parts, args, -1)),
    register('mergeFile', async (args) => {
      const { jobId, path } = jobReference(args[0]) ?? { jobId: null, path: null };
      if (jobId !== null && path === null && (await actions.showConflicts(jobId))) return;
      const [file] = await files(args, 'Merge which file?');
      if (file !== undefined) await actions.conflicts.mergeOne(file.jobId, file.path);
    }),
    register('finishMerge', async () => {
      const { target } = front;
      if (target?.kind !== 'merge') return false;
      return actions.finishMerge(target.jobId, target.path);
    }),
  ];
}

async function stepFrom(
  { actions, front }: ReviewCommandsParts,
  args: readonly unknown[],
  by: 1 | -1,
): Promise<boolean> {
  const file = front.file;
  return file === null || args.length > 2 ? false : actions.step(file, by);
}

/** The files a command is meant for: rows of the tree, the one in front, the one with the cursor, or one that is chosen. */
async function filesMeant(
  { host, front, states }: ReviewCommandsParts,
  args: readonly unknown[],
  title: string,
): Promise<readonly FileOfJob[]> {
  const named = fileArguments(args, host);
  if (named.length > 0) return named;
  if (front.file !== null && !isRow(args[0])) return [front.file];
  const jobId =
    !isRow(args[0]) && front.target !== null
      ? front.target.jobId
      : await jobArgument(args, host, { title, fits: isForReview, none: NOTHING_TO_REVIEW });
  if (jobId === undefined) return [];
  const choices = filesToShow(await states.get(jobId)).map((file) => ({
    label: withoutIcons(file.path),
    description: withoutIcons([file.change, ...changeNotes(file)].join(', ')),
    value: { jobId, path: file.path },
  }));
  const chosen = await choose(title, 'The changes of the job', choices);
  return chosen === undefined ? [] : [chosen];
}

/** A row of the tree is meant as it is, whatever editor is in front. */
function isRow(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && 'kind' in argument;
}

function byJob(files: readonly FileOfJob[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { jobId, path } of files) groups.set(jobId, [...(groups.get(jobId) ?? []), path]);
  return groups;
}
