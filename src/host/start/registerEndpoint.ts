import * as vscode from 'vscode';
import { BridgeError, type ErrorKind } from '../../base/bridgeError.ts';
import type { UiAnswer } from '../../protocol/ui/uiTools.ts';
import type { HostParts } from '../hostParts.ts';
import { askEndpointName } from './askEndpointName.ts';
import { backendOf, hostOf } from './endpointItems.ts';
import { foreignLabel } from './foreignLabel.ts';
import { abilityWords, kindWords, placeWords, probeWords } from './probeWords.ts';
import { readAddress } from '../../config/readAddress.ts';
import { withProgress } from './withProgress.ts';

type Tried = UiAnswer<'try_endpoint'>;
type Next = 'register' | 'key' | 'address';

/**
 * Registers one model server by its address: shows what answers there before anything is written, and says where it was written.
 * @returns the name of the endpoint
 */
export async function registerEndpoint(parts: HostParts): Promise<string | undefined> {
  const { link } = parts;
  let address: string | undefined = '';
  for (;;) {
    address = await askAddress(address);
    if (address === undefined) return undefined;
    const baseUrl = address;
    const tried = await withProgress(`Asking ${hostOf(baseUrl)}`, (signal) =>
      link.call('try_endpoint', { baseUrl }, signal),
    );
    const next = await askNext(tried);
    if (next === undefined) return undefined;
    if (next === 'address') continue;
    return await write(parts, tried, next === 'key');
  }
}

async function write(parts: HostParts, tried: Tried, hasKey: boolean): Promise<string | undefined> {
  const { link, overview, steps } = parts;
  const { endpoints } = await link.call('config_facts', {});
  const title = `Register ${hostOf(tried.baseUrl)}`;
  const name = await askEndpointName({
    title,
    wish: tried.suggestedName,
    taken: endpoints.filter(({ source }) => source !== 'default').map((each) => each.name),
  });
  if (name === undefined) return undefined;
  const key = hasKey ? await askKey(title, name) : null;
  if (key === undefined) return undefined;
  const secret = key === null ? null : await keepSecret(link, name, key.trim());
  // What a server is shows only when it is asked with its key.
  const { baseUrl } = tried;
  const known =
    secret === null
      ? tried
      : await withProgress(`Asking ${hostOf(baseUrl)}`, (signal) =>
          link.call('try_endpoint', { baseUrl, secret, checkTools: false }, signal),
        );
  const { file, probe } = await link.call('add_endpoint', {
    ...{ name, baseUrl, ...backendOf(known) },
    ...(secret === null ? {} : { secret }),
  });
  await Promise.all([overview.refresh(), steps.refresh()]);
  void tellWritten(
    `Wrote ${name} to ${file}. ${probe.state === 'up' ? 'It answers: ' : ''}${probeWords(probe)}`,
    file,
  );
  return name;
}

/** Keeps the key under the endpoint's name, or one like it: a secret that is there already is somebody else's. */
async function keepSecret(link: HostParts['link'], name: string, value: string): Promise<string> {
  for (let n = 1; ; n++) {
    const secret = n === 1 ? name : `${name}-${n}`;
    const kept = await link.tryCall('set_secret', { name: secret, value, isNew: true });
    if (kept.isOk) return secret;
    const { kind, message, hint } = kept.failure;
    if (kind !== 'wrong_state') throw new BridgeError(kind as ErrorKind, message, { hint });
  }
}

async function askAddress(value: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: 'Register Endpoint',
    prompt: 'Address of the model server, without /v1',
    placeHolder: 'http://127.0.0.1:8080',
    value,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const { note } = readAddress(text);
      if (text.trim() === '')
        return {
          message: 'An address is needed.',
          severity: vscode.InputBoxValidationSeverity.Error,
        };
      if (note === null) return null;
      const severity =
        note.severity === 'error'
          ? vscode.InputBoxValidationSeverity.Error
          : vscode.InputBoxValidationSeverity.Info;
      return { message: note.message, severity };
    },
  });
  return typed === undefined ? undefined : (readAddress(typed).address ?? undefined);
}

/** What answered and where it is, with what can be done about it. */
async function askNext(tried: Tried): Promise<Next | undefined> {
  const { probe, registeredAs, baseUrl, locality, placeWarning } = tried;
  const host = hostOf(baseUrl);
  const wantsKey = probe.why === 'wants_key';
  const isUp = probe.state === 'up';
  const option = (label: string, next: Next, detail: string) => ({ label, next, detail });
  const keep = option(
    '$(key) Give its key and register it…',
    'key',
    "The key goes into the bridge's secret store; the file gets a reference to it.",
  );
  const register = option(
    isUp ? '$(check) Register it' : '$(plug) Register it all the same',
    'register',
    foreignLabel(placeWords(locality, baseUrl), 300),
  );
  const other = option('$(edit) Another address…', 'address', '');
  const options =
    registeredAs !== null
      ? [
          option(
            '$(edit) Another address…',
            'address',
            `It is the endpoint ${registeredAs} already.`,
          ),
        ]
      : wantsKey
        ? [keep, register, other]
        : isUp
          ? [register, other]
          : [other, register];
  const abilities = abilityWords(tried);
  const warnings = [
    ...(placeWarning === null ? [] : [placeWarning]),
    ...(URL.parse(baseUrl)?.protocol === 'http:' && (locality === 'cloud' || locality === 'rented')
      ? ['The connection is not encrypted: use https:// if the server has it.']
      : []),
    ...probe.warnings,
  ];
  const chosen = await vscode.window.showQuickPick(
    [
      ...options,
      { label: 'what answered', kind: vscode.QuickPickItemKind.Separator, next: null },
      {
        label: isUp ? `$(pass) ${kindWords(probe)}` : '$(circle-slash) It cannot be used now',
        detail: foreignLabel(probeWords(probe), 300),
        next: null,
      },
      ...(abilities === ''
        ? []
        : [{ label: '$(tools) What it can do', detail: foreignLabel(abilities, 300), next: null }]),
      ...warnings.map((text) => ({
        ...{ label: '$(warning) Note', detail: foreignLabel(text, 300), next: null },
      })),
    ],
    {
      title: `Register ${host}`,
      placeHolder: foreignLabel(
        isUp ? `${kindWords(probe)} answers at ${host}.` : (probe.message ?? `${host} is down.`),
        200,
      ),
      ignoreFocusOut: true,
    },
  );
  if (chosen === undefined) return undefined;
  // A row that only tells something: the question stands.
  return chosen.next ?? (await askNext(tried));
}

function askKey(title: string, name: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt: `Key of ${name}. It is kept in the bridge's secret store, never in models.yaml or in VS Code's settings.`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? 'A key is needed.' : null),
  });
}

async function tellWritten(text: string, file: string): Promise<void> {
  const open = 'Open File';
  const choice = await vscode.window.showInformationMessage(text, open);
  if (choice === open) await vscode.window.showTextDocument(vscode.Uri.file(file));
}
