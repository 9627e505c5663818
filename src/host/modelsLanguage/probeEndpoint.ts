import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { HostParts } from '../hostParts.ts';
import { foreignLabel } from '../start/foreignLabel.ts';
import { kindWords, probeWords } from '../start/probeWords.ts';
import { workspaceFolder } from '../workspaceFolder.ts';

const SHOWN_MS = 8000;

type Parts = Pick<HostParts, 'overview' | 'link' | 'language'>;

/**
 * Asks an endpoint now: the one that was named, a row of the view, or one that the person chooses. What it answers is in the view,
 * in the file and in a line at the bottom; why it does not answer is a message.
 * @returns whether it is up; undefined when none was chosen
 */
export async function probeEndpoint(parts: Parts, argument: unknown): Promise<boolean | undefined> {
  const name = namedBy(argument) ?? (await choose(parts));
  if (name === undefined) return undefined;
  const { overview } = parts;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: `Asking ${foreignLabel(name)}` },
    () => overview.refresh(),
  );
  if (overview.state.kind === 'error') {
    const { errorKind, message, hint } = overview.state;
    throw new BridgeError(errorKind, message, { hint });
  }
  const endpoint = overview.overview?.endpoints.find((each) => each.name === name);
  if (endpoint === undefined) {
    throw new BridgeError('bad_argument', `There is no endpoint ${name} in what is in use.`, {
      hint: 'Save models.yaml first; settings of a repository count once they are trusted.',
    });
  }
  const { probe } = endpoint;
  const words = foreignLabel(probeWords(probe), 300);
  if (probe.state === 'up') {
    const text = `${foreignLabel(name)}: ${kindWords(probe)}. ${words}`;
    vscode.window.setStatusBarMessage(`$(pass) ${text}`, SHOWN_MS);
  } else {
    // Not awaited: it stays for as long as the person lets it.
    void vscode.window.showWarningMessage(`${name}: ${probeWords(probe)}`);
  }
  return probe.state === 'up';
}

function namedBy(argument: unknown): string | undefined {
  const name =
    typeof argument === 'string' ? argument : (argument as { name?: unknown } | undefined)?.name;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

async function choose({ link }: Parts): Promise<string | undefined> {
  const cwd = workspaceFolder();
  const { endpoints } = await link.call('config_facts', cwd === undefined ? {} : { cwd });
  const items = endpoints.map(({ name, baseUrl }) => ({
    ...{ name, label: foreignLabel(name), description: foreignLabel(baseUrl, 200) },
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Probe Endpoint',
    placeHolder: 'Ask which endpoint what it serves now?',
  });
  return chosen?.name;
}
