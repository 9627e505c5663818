import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { HostParts } from '../hostParts.ts';
import { jobArgument } from './jobArgument.ts';
import { jobName } from './jobName.ts';
import { recordOf } from './recordOf.ts';
import { resumeObstacle } from './resumeObstacle.ts';

// One draft is kept: the message that was typed last and not sent.
const DRAFT = 'resume.draft.1';

/**
 * Sends a message to the session of a finished job, which goes on in the same folder with the same model. Who has the message already
 * gives it as the second argument.
 */
export async function resumeJobCommand(
  args: readonly unknown[],
  parts: HostParts,
): Promise<string | undefined> {
  const { link, selectedRows, context } = parts;
  const jobId = await jobArgument(args, parts, {
    title: 'Resume which job?',
    fits: (job) => resumeObstacle(job) === null,
    none: 'No job has a session that can go on.',
  });
  if (jobId === undefined) return undefined;
  const job = await recordOf(jobId, parts);
  const obstacle = resumeObstacle(job);
  if (obstacle !== null)
    throw new BridgeError('wrong_state', obstacle.message, { hint: obstacle.hint });
  const given = typeof args[1] === 'string' ? args[1].trim() : '';
  const message = given === '' ? await askMessage(job, context.workspaceState) : given;
  if (message === undefined) return undefined;
  const gate = job.gate === null || job.gate.status === 'none' ? null : job.gate.name;
  const { job: next } = await link.call('run_agent', {
    task: message,
    resumeJob: jobId,
    ...(gate === null ? {} : { gate }),
  });
  if (given === '') await context.workspaceState.update(DRAFT, undefined);
  selectedRows.show(next.id);
  return next.id;
}

function askMessage(
  job: Parameters<typeof jobName>[0],
  memory: vscode.Memento,
): Promise<string | undefined> {
  const draft = memory.get<{ jobId?: unknown; text?: unknown }>(DRAFT);
  const box = vscode.window.createInputBox();
  box.title = `Resume ${jobName(job)}`;
  box.prompt = 'It goes on in the same session, folder and model.';
  box.placeholder = 'What should it do next?';
  box.ignoreFocusOut = true;
  if (draft?.jobId === job.id && typeof draft.text === 'string') box.value = draft.text;
  return new Promise((resolve) => {
    box.onDidChangeValue((text) => {
      box.validationMessage = '';
      void memory.update(DRAFT, { jobId: job.id, text });
    });
    box.onDidAccept(() => {
      if (box.value.trim() === '') {
        box.validationMessage = 'Say what it should do next.';
        return;
      }
      resolve(box.value);
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
