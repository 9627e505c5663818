import * as path from 'node:path';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { UiAnswer } from '../../protocol/ui/uiTools.ts';
import type { HostParts } from '../hostParts.ts';
import { workspaceFolder } from '../workspaceFolder.ts';
import { foreignLabel } from './foreignLabel.ts';

const MAX_ROWS = 200;

type Subject = UiAnswer<'trust'>;
type Action = 'open' | 'trust' | 'revoke';

/**
 * Shows what a repository's own settings could do, and lets them count, as they were shown, when the person says so.
 * @returns whether they are trusted now; undefined when nothing was decided
 */
export async function trustSettings(
  parts: HostParts,
  argument: unknown,
): Promise<boolean | undefined> {
  const { link, overview, steps } = parts;
  const target = await targetOf(parts, argument);
  const subject = await link.call('trust', { path: target, dryRun: true });
  const action = await ask(subject);
  if (action === undefined) return undefined;
  if (action === 'open') {
    await openFirst(subject);
    return undefined;
  }
  if (action === 'revoke') await link.call('trust', { path: target, revoke: true });
  else {
    const { fingerprint } = subject;
    await link.call('trust', {
      ...{ path: target },
      ...(fingerprint === null ? {} : { fingerprint }),
    });
  }
  await Promise.all([overview.refresh(), steps.refresh()]);
  const name = path.basename(path.dirname(subject.file));
  void vscode.window.showInformationMessage(
    action === 'trust'
      ? `The settings of ${name} count from now on, until one of these keys changes.`
      : `The settings of ${name} do not count any more.`,
  );
  return action === 'trust';
}

/** The file or folder that was named, else what the configuration waits for, else the folder of the window. */
async function targetOf({ link }: HostParts, argument: unknown): Promise<string> {
  const named =
    typeof argument === 'string' ? argument : (argument as { file?: unknown } | undefined)?.file;
  if (typeof named === 'string' && named !== '') return named;
  const cwd = workspaceFolder();
  if (cwd === undefined) {
    throw new BridgeError('bad_argument', 'No folder is open, so there are no settings to trust.', {
      hint: 'Open the folder of a repository first.',
    });
  }
  const { untrusted } = await link.call('config_facts', { cwd });
  return untrusted[0] ?? cwd;
}

async function ask(subject: Subject): Promise<Action | undefined> {
  const { values, keys, wasTrusted, file } = subject;
  const separator = (label: string) => ({
    ...{ label, kind: vscode.QuickPickItemKind.Separator, action: null },
  });
  const open = {
    label: '$(go-to-file) Open the file and read it',
    description: file,
    action: 'open' as const,
  };
  const trust = {
    label: `$(shield) Trust ${keys.length === 1 ? 'this setting' : `these ${keys.length} settings`}`,
    description: 'as they are now',
    action: 'trust' as const,
  };
  const revoke = {
    label: '$(circle-slash) Take the trust back',
    description: 'they do not count any more',
    action: 'revoke' as const,
  };
  const rows = values.slice(0, MAX_ROWS).map(({ key, value }) => ({
    label: foreignLabel(key),
    description: foreignLabel(value, 300),
    action: null,
  }));
  const left = values.length - rows.length;
  const name = path.basename(path.dirname(file));
  const chosen = await vscode.window.showQuickPick(
    [
      open,
      wasTrusted ? revoke : trust,
      separator('what they can do: run programs, send data elsewhere, widen permissions'),
      ...rows,
      ...(left > 0
        ? [{ label: `and ${left} more`, description: 'open the file to see them', action: null }]
        : []),
    ],
    {
      title: `Settings of ${name}`,
      placeHolder: wasTrusted
        ? `They are trusted as they are. A change of one of them asks again.`
        : `${name} brings settings of its own. Nothing of them counts yet.`,
      matchOnDescription: true,
      ignoreFocusOut: true,
    },
  );
  if (chosen === undefined) return undefined;
  return chosen.action ?? (await ask(subject));
}

async function openFirst({ file, keys }: Subject): Promise<void> {
  const settings = keys.find((key) => key.startsWith('.claude'));
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(file));
  } catch (error) {
    // Only settings of Claude Code are there.
    if (settings === undefined) throw error;
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(path.dirname(file), settings)));
  }
}
