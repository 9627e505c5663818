import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import type { SetupPart } from '../../protocol/ui/setup.ts';
import type { SetupPlan } from '../../protocol/ui/uiTools.ts';
import { escapeIcons } from '../delegate/escapeIcons.ts';
import type { HostParts } from '../hostParts.ts';
import type { SetupDocuments } from './setupDocuments.ts';
import {
  confirmLabel,
  describeSetupDone,
  restOfParts,
  type SetupRow,
  setupRows,
} from './setupRows.ts';

export type SetupVerb = 'install' | 'remove';
type PlannedPart = SetupPlan['parts'][number];

const MAX_MESSAGE = 1_000;
const TITLES: Readonly<Record<SetupVerb, string>> = {
  install: 'Set Up Claude Code',
  remove: 'Remove from Claude Code',
};

/**
 * Which parts, then every file as a diff, then yes or no. Nothing is written before that, and nothing that was not shown.
 * @returns the parts as they are afterwards; undefined when nothing was written
 * @throws BridgeError `restricted` in a window that is not trusted
 */
export async function setUpCommand(
  verb: SetupVerb,
  { link, steps }: Pick<HostParts, 'link' | 'steps'>,
  documents: SetupDocuments,
): Promise<readonly PlannedPart[] | undefined> {
  if (!vscode.workspace.isTrusted) {
    throw new BridgeError('restricted', `${TITLES[verb]} is not available in Restricted Mode.`, {
      hint: 'Trust this window first: until then nothing is written.',
    });
  }
  const plan = await link.call('setup', { action: `plan-${verb}` });
  const rows = setupRows(plan, verb);
  if (rows.length === 0) {
    // Folders that a removal which was interrupted has left.
    if (verb === 'remove') await link.call('setup', { action: 'remove', expect: [] });
    tell(nothingToDo(plan, verb));
    await steps.refresh();
    return undefined;
  }
  const chosen = await chooseParts(rows, restOfParts(plan), verb);
  if (chosen === undefined || chosen.length === 0) return undefined;
  const shown = await planChosen(chosen, plan, verb, link);
  const changes = shown.flatMap((part) => part.changes);
  try {
    await documents.show(TITLES[verb], changes);
    if (!(await confirm(shown, verb))) return undefined;
  } finally {
    await documents.close(TITLES[verb]);
  }
  const done = await write(chosen, shown, verb, link);
  await steps.refresh();
  const problems = done.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  const notes = done.flatMap(({ note }) => (note === null || verb === 'remove' ? [] : [note]));
  tell([describeSetupDone(done, verb), ...notes].join(' ').trim());
  if (problems.length > 0) void vscode.window.showWarningMessage(clean(problems.join(' ')));
  return done;
}

async function chooseParts(
  rows: readonly SetupRow[],
  rest: readonly string[],
  verb: SetupVerb,
): Promise<readonly SetupRow[] | undefined> {
  const items = rows.map((row) => ({
    row,
    label: escapeIcons(row.label),
    description: row.description,
    detail: escapeIcons(row.detail),
    picked: row.isChecked,
  }));
  const placeHolder = verb === 'install' ? 'What to set up' : 'What to remove';
  const picked = await vscode.window.showQuickPick(items, {
    title: TITLES[verb],
    placeHolder: [placeHolder, ...rest].join(' · '),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked?.map(({ row }) => row);
}

/** The plan again where somebody's own text would go: the first one leaves such files alone. */
async function planChosen(
  chosen: readonly SetupRow[],
  plan: SetupPlan,
  verb: SetupVerb,
  link: HostParts['link'],
): Promise<readonly PlannedPart[]> {
  const isChosen = ({ part }: { part: SetupPart }): boolean =>
    chosen.some((row) => row.part === part && !row.needsForce);
  const forced = chosen.filter(({ needsForce }) => needsForce).map(({ part }) => part);
  const plain = plan.parts.filter(isChosen);
  if (forced.length === 0) return plain;
  const again = await link.call('setup', { action: `plan-${verb}`, parts: forced, force: true });
  return [...plain, ...again.parts];
}

async function confirm(shown: readonly PlannedPart[], verb: SetupVerb): Promise<boolean> {
  const files = shown.reduce((count, { changes }) => count + changes.length, 0);
  const write = {
    label: confirmLabel(files, verb),
    detail: shown.map(({ part }) => part).join(', '),
  };
  const keep = { label: 'Leave everything as it is' };
  const answer = await vscode.window.showQuickPick([write, keep], {
    title: `${TITLES[verb]}: the changes are shown below`,
    placeHolder: 'Nothing has been written yet',
    ignoreFocusOut: true,
  });
  return answer === write;
}

async function write(
  chosen: readonly SetupRow[],
  shown: readonly PlannedPart[],
  verb: SetupVerb,
  link: HostParts['link'],
): Promise<PlannedPart[]> {
  const expect = shown.flatMap(({ changes }) =>
    changes.map(({ file, beforeSha256 }) => ({ file, beforeSha256 })),
  );
  const done: PlannedPart[] = [];
  for (const force of [false, true]) {
    const parts = chosen.filter(({ needsForce }) => needsForce === force).map(({ part }) => part);
    if (parts.length === 0) continue;
    done.push(...(await link.call('setup', { action: verb, parts, force, expect })).parts);
  }
  return done;
}

function nothingToDo(plan: SetupPlan, verb: SetupVerb): string {
  const problems = restOfParts(plan);
  if (problems.length > 0) return problems.join(' ');
  return verb === 'install'
    ? 'Claude Code is set up already.'
    : 'Nothing of Delegation Bridge is in Claude Code.';
}

/** Not awaited: a message may stay for as long as the person lets it. */
function tell(text: string): void {
  if (text !== '') void vscode.window.showInformationMessage(clean(text));
}

/** Names of files in it may be anybody's. */
function clean(text: string): string {
  return sanitiseLine(text, MAX_MESSAGE).replaceAll('](', '] (');
}
