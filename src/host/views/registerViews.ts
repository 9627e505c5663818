import * as vscode from 'vscode';
import { registerCommand } from '../../contributions.ts';
import { jobArgument } from '../commands/jobArgument.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';
import { receiptMarkdown } from '../receipt/receiptMarkdown.ts';
import { registerStatus } from '../status/registerStatus.ts';
import { JobsFilter } from './jobsFilter.ts';
import { JobsView } from './jobsView.ts';
import { OverviewViews } from './overviewViews.ts';

/** The sidebar and the status bar. */
export function registerViews(parts: HostParts): vscode.Disposable[] {
  const { link, supervisor } = parts;
  const filter = new JobsFilter(parts);
  // Before anybody listens: the first question is the right one.
  void filter.apply();
  const jobsView = new JobsView(parts, filter);
  const overviewViews = new OverviewViews(parts);

  const refresh = async (): Promise<void> => {
    // Asking again is what one does about a failure, so it is tried in every state.
    if (link.state.kind === 'failed') await supervisor.start();
    overviewViews.ask();
    await jobsView.refresh();
  };
  const copyReceipt = async (...args: unknown[]): Promise<string | undefined> => {
    const id = await jobArgument(args, parts, {
      title: 'Copy the receipt of which job?',
      fits: () => true,
      none: 'There is no job yet.',
    });
    if (id === undefined) return undefined;
    const { job } = await link.call('job_status', { jobId: id });
    const text = receiptMarkdown(job, new Date());
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage('$(check) Receipt copied', 3000);
    return text;
  };
  const told = (handler: (...args: unknown[]) => unknown): ((...args: unknown[]) => unknown) =>
    reportFailures(parts, handler);
  return [
    jobsView,
    overviewViews,
    ...registerStatus(parts, filter),
    registerCommand('refresh', told(refresh)),
    registerCommand('showAllJobs', told(filter.chooser('all'))),
    registerCommand('showRepositoryJobs', told(filter.chooser('repository'))),
    registerCommand('loadMoreJobs', told(jobsView.loadMore)),
    registerCommand('copyReceipt', told(copyReceipt)),
  ];
}
