import * as vscode from 'vscode';
import { runCommand } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { askEndpointName } from './askEndpointName.ts';
import { backendOf, type Found, foundItem, hostOf } from './endpointItems.ts';
import { withProgress } from './withProgress.ts';

/**
 * Asks the ports of this machine on which model servers usually listen, and registers those that the person chooses.
 * @returns the names of the endpoints that were registered
 */
export async function findServers(parts: HostParts): Promise<readonly string[]> {
  const { link } = parts;
  const { found, asked } = await withProgress(
    'Asking the usual ports of this machine for model servers',
    (signal) => link.call('scan_endpoints', {}, signal),
  );
  const fresh = found.filter(({ registeredAs }) => registeredAs === null);
  if (fresh.length === 0) {
    await offerOtherWays(parts, found, asked);
    return [];
  }
  const chosen = await chooseServers(fresh, found, asked);
  const facts = await link.call('config_facts', {});
  const taken = facts.endpoints
    .filter(({ source }) => source !== 'default')
    .map(({ name }) => name);
  const registered: string[] = [];
  for (const [index, each] of chosen.entries()) {
    const { baseUrl, suggestedName } = each;
    const count = chosen.length === 1 ? '' : ` (${index + 1} of ${chosen.length})`;
    const name = await askEndpointName({
      ...{ title: `Register ${hostOf(baseUrl)}${count}`, wish: suggestedName },
      taken: [...taken, ...registered],
    });
    if (name === undefined) break;
    await link.call('add_endpoint', { name, baseUrl, ...backendOf(each) });
    registered.push(name);
  }
  if (registered.length === 0) return [];
  await Promise.all([parts.overview.refresh(), parts.steps.refresh()]);
  void tellWritten(registered, facts.sidecarFile);
  return registered;
}

async function chooseServers(
  fresh: readonly Found[],
  found: readonly Found[],
  asked: readonly string[],
): Promise<readonly Found[]> {
  const title = 'Find Model Servers';
  const known = found.length - fresh.length;
  const placeHolder = `${found.length} of ${asked.length} usual ports answer${
    known === 0 ? '' : `, ${known} registered already`
  }. Which should be endpoints?`;
  const items = fresh.map((each) => ({ ...foundItem(each), picked: each.probe.state === 'up' }));
  const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
  if (items.length === 1) {
    const one = await vscode.window.showQuickPick(items, options);
    return one === undefined ? [] : [one.found];
  }
  const many = await vscode.window.showQuickPick(items, { ...options, canPickMany: true });
  return (many ?? []).map((item) => item.found);
}

/** Nothing new answers: what was asked is said, and what else there is. */
async function offerOtherWays(
  { log }: HostParts,
  found: readonly Found[],
  asked: readonly string[],
): Promise<void> {
  log.info(`No new model server. Asked: ${asked.join(', ')}`);
  const register = {
    label: '$(plug) Register an endpoint by its address…',
    description: 'another port, another machine',
    command: 'registerEndpoint' as const,
  };
  const rehearsal = {
    label: '$(play) Start the rehearsal server',
    description: 'plays a script, needs no model',
    command: 'startRehearsal' as const,
  };
  const row = (label: string, description: string) => ({ label, description, command: null });
  const separator = (label: string) => ({
    ...{ label, kind: vscode.QuickPickItemKind.Separator, command: null },
  });
  const chosen = await vscode.window.showQuickPick(
    [
      register,
      rehearsal,
      ...(found.length === 0 ? [] : [separator('registered already')]),
      ...found.map((each) => ({ ...foundItem(each), command: null })),
      separator('asked, and nothing answered'),
      ...asked
        .filter((url) => !found.some(({ baseUrl }) => baseUrl === url))
        .map((url) => row(`$(circle-slash) ${hostOf(url)}`, '')),
    ],
    {
      title: 'Find Model Servers',
      placeHolder:
        found.length === 0
          ? 'No model server answered on this machine. Start one and try again, or:'
          : 'All model servers that answer on this machine are registered already.',
    },
  );
  if (chosen?.command) await runCommand(chosen.command);
}

async function tellWritten(names: readonly string[], file: string): Promise<void> {
  const open = 'Open File';
  const choice = await vscode.window.showInformationMessage(
    `Registered ${names.join(', ')}. It is written in ${file}.`,
    open,
  );
  if (choice === open) await vscode.window.showTextDocument(vscode.Uri.file(file));
}
