import * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { describeServerState } from '../bridge/serverState.ts';
import { showFailure } from '../commands/showFailure.ts';
import { askStep, type OpenStep } from './askStep.ts';
import { type Attachment, withAttachment } from './attachment.ts';
import type { Delegation } from './delegation.ts';
import type { KeptDelegations } from './keptDelegations.ts';
import { openBriefEditor } from './briefEditor.ts';
import type { StepEnd } from './runSteps.ts';
import { surroundingsOf } from './surroundings.ts';
import { takeAttachments } from './takeAttachments.ts';
import { briefLine } from '../../protocol/briefLine.ts';
import { composeBrief } from './composeBrief.ts';
import { saysSomething, whatRows, type WhatAct, type WhatBlocker } from './whatRows.ts';

/** The first step: what is to be done, and what goes along with it. */
export async function whatStep(
  parts: HostParts,
  kept: KeptDelegations,
  first: Delegation,
): Promise<StepEnd> {
  const { link, log } = parts;
  const { cwd } = first;
  let delegation = first;
  const around = surroundingsOf(cwd, lastBriefOf(kept));
  const change = (part: Partial<Delegation>): void => {
    delegation = { ...delegation, ...part };
    kept.keepDraft(delegation);
  };
  const act = async (
    chosen: WhatAct,
    open: OpenStep,
    index: number,
  ): Promise<StepEnd['kind'] | undefined> => {
    const add = (attachments: readonly Attachment[]): void =>
      change({ attachments: attachments.reduce(withAttachment, [...delegation.attachments]) });
    switch (chosen.kind) {
      case 'next':
        return saysSomething(delegation.text, delegation.attachments) ? 'next' : undefined;
      case 'add':
        add(await open.elsewhere(() => takeAttachments(chosen.what, cwd, parts)));
        open.refresh();
        return undefined;
      case 'remove':
        change({
          attachments: delegation.attachments.filter((each) => each !== chosen.attachment),
        });
        open.refresh(index);
        return undefined;
      case 'editor':
        await openBriefEditor(composeBrief(delegation.text, delegation.attachments));
        change({ text: '', attachments: [] });
        return 'leave';
      case 'again':
        change({ ...(kept.last ?? delegation), cwd });
        open.setValue(delegation.text);
        open.refresh();
        return undefined;
      case 'clear':
        change({ text: '', attachments: [] });
        open.setValue('');
        open.refresh();
        return undefined;
      case 'command':
        await vscode.commands.executeCommand(chosen.command);
        return 'leave';
    }
  };
  const kind = await askStep<WhatAct>({
    step: 1,
    placeholder: 'What is to be done? Where, and how is it checked?',
    value: delegation.text,
    rows: () =>
      whatRows(delegation.text, delegation.attachments, around, blockerOf(cwd, link.state)),
    onOpen: (open) => [link.onDidChangeState(() => open.refresh())],
    onType: (text, open) => {
      change({ text });
      open.refresh();
    },
    onAct: act,
    onFailure: (error) => void showFailure(error, log),
  });
  return { kind, delegation };
}

function lastBriefOf({ last }: KeptDelegations): string | null {
  return last === null ? null : briefLine(composeBrief(last.text, last.attachments));
}

function blockerOf(cwd: string | null, state: HostParts['link']['state']): WhatBlocker | null {
  if (cwd === null)
    return {
      text: 'A job works in a folder, and none is open',
      label: 'Open Folder…',
      command: 'workbench.action.files.openFolder',
    };
  if (state.kind !== 'failed') return null;
  return {
    text: describeServerState(state),
    label: 'Restart Server',
    command: 'delegationBridge.restartServer',
  };
}
