import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import { withReplacements } from '../../config/edit/textReplacement.ts';
import type { UiAnswer } from '../../protocol/ui/uiTools.ts';
import type { HostParts } from '../hostParts.ts';
import { foreignLabel } from '../start/foreignLabel.ts';
import { withProgress } from '../start/withProgress.ts';
import { workspaceFolder } from '../workspaceFolder.ts';
import { chooseSource, IMPORT_TITLE } from './chooseSource.ts';
import type { ImportDocuments } from './importDocuments.ts';
import type { ImportReview } from './importReview.ts';
import { type ImportChoice, planRows, SOURCE_NAMES } from './importRows.ts';
import { changeTarget, targetDocument } from './targetDocument.ts';

type Plan = UiAnswer<'import_config'>;
type Parts = Pick<HostParts, 'link' | 'overview' | 'steps'>;

/**
 * Takes over what another tool has: chooses the source, shows the changes of models.yaml as a diff, and makes them when that is wanted.
 * @param given what to import, so that nobody is asked
 * @returns whether the file was changed
 */
export async function importCommand(
  parts: Parts,
  { documents, review }: { documents: ImportDocuments; review: ImportReview },
  given?: ImportChoice,
): Promise<boolean> {
  const { link, overview, steps } = parts;
  const choice = given ?? (await chooseSource(parts));
  if (choice === undefined) return false;
  const cwd = workspaceFolder();
  const place = cwd === undefined ? {} : { cwd };
  const { configFile } = await link.call('config_facts', place);
  const document = await targetDocument(configFile);
  const before = document?.getText() ?? null;
  const plan = await withProgress(`Reading ${SOURCE_NAMES[choice.kind]}`, (signal) =>
    link.call(
      'import_config',
      { ...place, from: choice, ...(before === null ? {} : { text: before }) },
      signal,
    ),
  );
  const after = afterOf(before ?? '', plan);
  if (after === (before ?? '')) {
    tell(
      [
        `models.yaml has all of ${SOURCE_NAMES[choice.kind]} already; there is nothing to add.`,
        ...plan.notes,
      ].join(' '),
    );
    return false;
  }
  try {
    await showDiff(plan, { before, after }, documents, choice);
    const rows = planRows(plan, vscode.workspace.isTrusted);
    const decision = await review.ask(`${IMPORT_TITLE}: the changes are shown below`, rows);
    if (decision === 'cancel') return false;
    const names = await chooseKeys(plan);
    if (names === undefined) return false;
    // First, so that the file never refers to a key that is not there.
    if (names.length > 0)
      await link.call('keep_import_keys', {
        ...{ ...place, from: choice, names: [...names], sourceSha256: plan.sourceSha256 },
      });
    await changeTarget(configFile, before, plan.replacements);
  } finally {
    await documents.close();
  }
  await openChanged(configFile);
  await Promise.all([overview.refresh(), steps.refresh()]);
  tell(`Imported from ${SOURCE_NAMES[choice.kind]} into ${configFile}.`);
  return true;
}

/** @throws BridgeError `not_supported` for an answer that was cut on its way */
function afterOf(before: string, { replacements, afterSha256 }: Plan): string {
  const after = withReplacements(before, replacements);
  if (createHash('sha256').update(after, 'utf8').digest('hex') === afterSha256) return after;
  throw new BridgeError('not_supported', 'The import is too large to be shown here.', {
    hint: 'Use "delegate import" in a terminal.',
  });
}

async function showDiff(
  { targetFile, isNew }: Plan,
  { before, after }: { before: string | null; after: string },
  documents: ImportDocuments,
  { kind }: ImportChoice,
): Promise<void> {
  const left =
    before === null ? documents.keep(targetFile, 'before', '') : vscode.Uri.file(targetFile);
  const right = documents.keep(targetFile, 'after', after);
  const title = `models.yaml${isNew ? ' (new)' : ''}: import from ${SOURCE_NAMES[kind]}`;
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
}

/** Which keys of the source go to the secret store; undefined: nothing is to be done at all. */
async function chooseKeys({ secrets }: Plan): Promise<readonly string[] | undefined> {
  const open = secrets.filter(({ isKept }) => !isKept);
  if (open.length === 0) return [];
  const picked = await vscode.window.showQuickPick(
    open.map(({ name, source }) => ({
      ...{ label: `$(key) ${foreignLabel(name)}`, description: foreignLabel(source, 200) },
      ...{ picked: true, name },
    })),
    {
      title: `${IMPORT_TITLE}: keys that stand in the source`,
      placeHolder:
        "Which ones go into the bridge's secret store? models.yaml refers to them by name in any case.",
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  return picked?.map(({ name }) => name);
}

/** Where it is open already (as text or as the form) it comes to the front; else as text. */
async function openChanged(file: string): Promise<void> {
  const uri = vscode.Uri.file(file);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const form = tabs.find(
    ({ input }) =>
      input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString(),
  );
  if (form?.input instanceof vscode.TabInputCustom)
    await vscode.commands.executeCommand('vscode.openWith', uri, form.input.viewType);
  else await vscode.window.showTextDocument(uri, { preview: false });
}

/** Not awaited: a message may stay for as long as the person lets it. Names in it may be anybody's. */
function tell(text: string): void {
  void vscode.window.showInformationMessage(sanitiseLine(text, 600).replaceAll('](', '] ('));
}
