import { readdir } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { BridgeError, type ErrorKind } from '../../base/bridgeError.ts';
import { runCommand } from '../../contributions.ts';
import type { ModelsOverview } from '../../protocol/ui/uiTools.ts';
import { showFailure } from '../commands/showFailure.ts';
import type { HostParts } from '../hostParts.ts';
import { workspaceFolder } from '../workspaceFolder.ts';
import { type FirstJob, firstJob } from './firstJob.ts';
import { foreignLabel } from './foreignLabel.ts';
import { makePracticeRepository } from './practiceRepository.ts';
import { placeWords, probeWords } from './probeWords.ts';
import { withProgress } from './withProgress.ts';

type Endpoint = ModelsOverview['endpoints'][number];
type Runner = 'claude-code' | 'loop';

/**
 * A first job that surely works, in the repository of this window or in one made for it, shown before it starts.
 * @returns the id of the job
 */
export async function tryFirstJob(parts: HostParts): Promise<string | undefined> {
  const cwd = await repositoryHere(parts);
  if (cwd === undefined) return undefined;
  const endpoint = await chooseEndpoint(parts);
  if (endpoint === undefined) return undefined;
  const job = firstJob({
    files: await readdir(cwd),
    name: path.basename(cwd),
    isRehearsed: endpoint.probe.models.some(({ id }) => id === 'rehearsal'),
  });
  const { defaults } = await parts.link.call('delegate_facts', { cwd });
  const { runner } = defaults;
  if (!(await confirm(job, endpoint, runner))) return undefined;
  return start(parts, { job, endpoint, cwd, runner });
}

async function start(
  parts: HostParts,
  options: { job: FirstJob; endpoint: Endpoint; cwd: string; runner: Runner },
): Promise<string | undefined> {
  const { job, endpoint, cwd, runner } = options;
  const { job: record } = await parts.link.call('run_agent', {
    ...{ task: job.task, endpoint: endpoint.name, cwd, runner, isolation: 'worktree' },
  });
  await parts.jobs.update();
  if (record.failure !== null) {
    const { kind, message, hint } = record.failure;
    throw new BridgeError(kind as ErrorKind, message, { hint });
  }
  await vscode.commands.executeCommand('delegationBridge.jobs.focus');
  tellMissingProgram(parts, record.id);
  return record.id;
}

/** Whether Claude Code is there shows only when the job starts; then the person is told at once what to install. */
function tellMissingProgram({ steps, log }: HostParts, jobId: string): void {
  const subscription = steps.jobs.onDidChange(() => {
    const job = steps.jobs.job(jobId);
    if (job === null || job.finishedAt === null) return;
    subscription.dispose();
    if (job.failure?.kind !== 'runner_missing') return;
    const { message, hint } = job.failure;
    void showFailure(new BridgeError('runner_missing', message, { hint }), log);
  });
}

/** The folder of this window's repository; without one it is said what is missing, with the ways out of it. */
async function repositoryHere(parts: HostParts): Promise<string | undefined> {
  const cwd = workspaceFolder();
  const facts = cwd === undefined ? null : await parts.link.call('delegate_facts', { cwd });
  if (cwd !== undefined && facts?.hasCommits === true) return facts.repoRoot ?? cwd;
  const isUnborn = facts !== null && facts.repoRoot !== null;
  const practice = {
    label: '$(repo) Make a practice repository…',
    detail:
      'A folder of its own with a bug and the test that shows it. Opens in this or a new window.',
    run: () => makePracticeRepository(parts),
  };
  const folder = {
    label: '$(folder-opened) Open another folder…',
    detail: 'One that is a git repository with at least one commit.',
    run: () => vscode.commands.executeCommand('workbench.action.files.openFolder'),
  };
  const commit = {
    label: '$(source-control) Make a first commit',
    detail: 'In the Source Control view; then run the first job again.',
    run: () => vscode.commands.executeCommand('workbench.view.scm'),
  };
  const chosen = await vscode.window.showQuickPick(
    isUnborn ? [commit, practice, folder] : [practice, folder],
    {
      title: 'Run a First Job',
      placeHolder: isUnborn
        ? 'This repository has no commit yet, and a worktree begins at one.'
        : cwd === undefined
          ? 'A job works in a git repository, and no folder is open.'
          : 'A job works in a git repository, and this folder is none.',
    },
  );
  await chosen?.run();
  return undefined;
}

/** The one endpoint that can be used, or a choice; the rehearsal server last, since a model is the better proof. */
async function chooseEndpoint(parts: HostParts): Promise<Endpoint | undefined> {
  const { endpoints } = await withProgress('Asking the endpoints', (signal) =>
    parts.link.call('list_models', { cwd: workspaceFolder() ?? '.' }, signal),
  );
  const usable = endpoints.filter(
    ({ probe }) =>
      probe.state === 'up' && probe.models.some(({ claimsTools }) => claimsTools !== false),
  );
  const isRehearsal = ({ probe }: Endpoint): boolean =>
    probe.models.some(({ id }) => id === 'rehearsal');
  usable.sort((a, b) => Number(isRehearsal(a)) - Number(isRehearsal(b)));
  const [only] = usable;
  if (only === undefined) {
    await offerServers(endpoints);
    return undefined;
  }
  if (usable.length === 1) return only;
  const chosen = await vscode.window.showQuickPick(
    usable.map((endpoint) => ({
      label: `$(${isRehearsal(endpoint) ? 'play' : 'vm-active'}) ${foreignLabel(endpoint.name)}`,
      description: isRehearsal(endpoint) ? 'plays a script, no model is asked' : endpoint.locality,
      detail: foreignLabel(probeWords(endpoint.probe), 300),
      endpoint,
    })),
    { title: 'Run a First Job', placeHolder: 'Which endpoint should do it?' },
  );
  return chosen?.endpoint;
}

async function offerServers(endpoints: readonly Endpoint[]): Promise<void> {
  const down = endpoints.map(({ name, probe }) => ({
    label: `$(circle-slash) ${foreignLabel(name)}`,
    detail: foreignLabel(probeWords(probe), 300),
    command: null,
  }));
  const chosen = await vscode.window.showQuickPick(
    [
      {
        label: '$(play) Start the rehearsal server',
        detail: 'It plays a script and needs no model. Then run the first job again.',
        command: 'startRehearsal' as const,
      },
      {
        label: '$(search) Find model servers',
        detail: 'Asks the usual ports of this machine.',
        command: 'findServers' as const,
      },
      ...down,
    ],
    { title: 'Run a First Job', placeHolder: 'No endpoint can be used now.' },
  );
  if (chosen?.command) await runCommand(chosen.command);
}

async function confirm(
  job: FirstJob,
  { name, locality, baseUrl }: Endpoint,
  runner: Runner,
): Promise<boolean> {
  const brief = job.task.split('\n').filter((line) => line.trim() !== '');
  const rows = [
    {
      label: `$(rocket) Start: ${job.title}`,
      description: `${foreignLabel(name)} · in a worktree${runner === 'loop' ? ' · built-in loop, without Claude Code' : ''}`,
      detail: `It ${job.outcome}. ${foreignLabel(placeWords(locality, baseUrl), 200)}`,
      isStart: true,
    },
    {
      ...{ label: 'the brief, as it is sent', isStart: false },
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...brief.map((line) => ({ label: foreignLabel(line, 300), isStart: false })),
  ];
  for (;;) {
    const chosen = await vscode.window.showQuickPick(rows, {
      ...{ title: 'Run a First Job', placeHolder: 'Enter starts it, Escape leaves' },
      ignoreFocusOut: true,
    });
    // A line of the brief only tells something: the question stands.
    if (chosen === undefined || chosen.isStart) return chosen !== undefined;
  }
}
