import * as vscode from 'vscode';
import { registerCommand } from '../../contributions.ts';
import type { PanelMode } from '../../protocol/jobPanel/panelTerms.ts';
import { jobArgument } from '../commands/jobArgument.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';
import { JOB_PANEL_TYPE, JobPanels } from './jobPanels.ts';

/** The page of one job. */
export function registerJobPanel(parts: HostParts): vscode.Disposable[] {
  const panels = new JobPanels(parts);
  const open = (mode: PanelMode, title: string): ((...args: unknown[]) => Promise<unknown>) =>
    reportFailures(parts, async (...args: unknown[]) => {
      const none = 'There is no job yet.';
      const jobId = await jobArgument(args, parts, { title, none, fits: () => true });
      if (jobId !== undefined) await panels.open(jobId, mode);
      return jobId;
    });
  return [
    panels,
    registerCommand('openJob', open('timeline', 'Open which job?')),
    registerCommand('openLog', open('transcript', 'Open the log of which job?')),
    vscode.window.registerWebviewPanelSerializer(JOB_PANEL_TYPE, panels),
  ];
}
