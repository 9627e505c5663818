import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { runCommand } from '../../contributions.ts';
import type { FormState } from '../../protocol/modelsLanguage/formState.ts';
import type { FormMessage, FormPageMessage } from '../../protocol/registryForm/formMessages.ts';
import type { HostParts } from '../hostParts.ts';
import type { FormDocument } from './formDocument.ts';
import { FormEndpoints } from './formEndpoints.ts';
import { FormGates } from './formGates.ts';
import type { FormLive } from './formLive.ts';

type FormAction = Exclude<FormPageMessage, { type: 'ready' | 'focus' | 'openYaml' | 'blocked' }>;
type Topic = Extract<FormMessage, { type: 'told' }>['about'];

/** What a failure is about, so that the page can show it there. */
const TOPICS: Readonly<Record<FormAction['type'], Topic>> = {
  edit: 'form',
  fix: 'form',
  probe: 'form',
  scan: 'scan',
  try: 'try',
  register: 'register',
  askSecret: 'secret',
  deleteSecret: 'secret',
  runGate: 'form',
  stopGate: 'form',
  trust: 'form',
  import: 'form',
};
/** Changes of the text alone: it is the person's own, in Restricted Mode as well. */
const FREE: ReadonlySet<FormAction['type']> = new Set([
  ...(['edit', 'fix', 'stopGate'] as const),
  // It shows what it would write, and decides itself what needs trust.
  'import',
]);

interface FormActionsOptions {
  readonly parts: HostParts;
  readonly document: FormDocument;
  readonly live: FormLive;
  readonly tell: (message: FormMessage) => void;
  /** What the page shows. */
  readonly state: () => FormState | null;
  /** The page has to be told the state again. */
  readonly changed: () => void;
}

/** Does what a form's page asks for, and tells the page what came of it. */
export class FormActions implements vscode.Disposable {
  readonly #options: FormActionsOptions;
  readonly #endpoints: FormEndpoints;
  readonly #gates: FormGates;

  constructor(options: FormActionsOptions) {
    this.#options = options;
    this.#endpoints = new FormEndpoints(options);
    this.#gates = new FormGates({ ...options, document: options.document.document });
  }

  /** A page is there that knows nothing of what was done before. */
  startOver(): void {
    this.#gates.tellAll();
  }

  /** Never rejects. */
  async run(action: FormAction): Promise<void> {
    try {
      if (!FREE.has(action.type) && !vscode.workspace.isTrusted) {
        throw new BridgeError('restricted', 'This window is in Restricted Mode.', {
          hint: 'The text can be changed; nothing is asked, kept or run until the workspace is trusted.',
        });
      }
      await this.#run(action);
    } catch (error) {
      const { kind, message, hint } = BridgeError.from(error);
      if (kind === 'cancelled') return;
      this.#told(TOPICS[action.type], true, message, hint);
      if (kind === 'internal') this.#options.parts.log.error(message);
    }
  }

  dispose(): void {
    this.#gates.dispose();
  }

  async #run(action: FormAction): Promise<void> {
    const { document, live } = this.#options;
    switch (action.type) {
      case 'edit':
        return this.#edit(action);
      case 'fix':
        return this.#fix(action);
      case 'probe':
        return live.probe();
      case 'scan':
        return this.#endpoints.scan();
      case 'try':
        return this.#endpoints.try(action.baseUrl, action.secret);
      case 'register':
        return this.#endpoints.register(action);
      case 'askSecret':
        return this.#askSecret(action);
      case 'deleteSecret':
        await runCommand('deleteSecret', action.name);
        return live.secretsChanged();
      case 'trust':
        await runCommand('trustRepositorySettings', { file: document.document.uri.fsPath });
        return this.#options.changed();
      case 'runGate':
        return this.#gates.run(action.name);
      case 'stopGate':
        this.#gates.stop(action.name);
        return;
      case 'import':
        await runCommand('importConfig');
        return;
    }
  }

  async #edit({ id, version, edits }: Extract<FormAction, { type: 'edit' }>): Promise<void> {
    const { document, tell, changed } = this.#options;
    const { outcome, message } = await document.edit(version, edits).catch((error: unknown) => {
      const failure = BridgeError.from(error);
      return { outcome: 'refused' as const, message: `${failure.message} ${failure.hint}`.trim() };
    });
    tell({ type: 'edited', id, outcome, message });
    if (outcome !== 'done') changed();
  }

  async #fix({ version, problem, fix }: Extract<FormAction, { type: 'fix' }>): Promise<void> {
    const { document, state, changed } = this.#options;
    const shown = state();
    const title = shown?.version === version ? shown.problems[problem]?.fixes[fix] : undefined;
    const done =
      title === undefined
        ? ({ outcome: 'stale', message: '' } as const)
        : await document.fix(version, { problem, fix, title });
    if ('kind' in done) {
      if (!vscode.workspace.isTrusted)
        throw new BridgeError('restricted', 'In Restricted Mode no key is kept.');
      const uri = document.document.uri.toString();
      await runCommand('moveSecret', uri, done.path, done.name);
    } else if (done.outcome === 'stale') {
      this.#told('form', true, 'The problems have changed meanwhile; look again.', '');
    } else if (done.outcome === 'refused') this.#told('form', true, done.message, '');
    changed();
  }

  /** VS Code asks for the value, in a box of its own: a page never has one. */
  async #askSecret({ name, path }: Extract<FormAction, { type: 'askSecret' }>): Promise<void> {
    const { document, live } = this.#options;
    const kept = await runCommand('setSecret', name);
    if (typeof kept !== 'string') return;
    await live.secretsChanged();
    if (path === undefined) {
      this.#told('secret', false, `The secret ${kept} is kept.`, '');
      return;
    }
    const value = `\${secret:${kept}}`;
    const { outcome, message } = await document.editNow([{ kind: 'set', path: [...path], value }]);
    if (outcome !== 'done') {
      throw new BridgeError('wrong_state', `The secret ${kept} is kept. ${message}`, {
        hint: `Write ${value} where it is to be used.`,
      });
    }
    this.#told('secret', false, `The secret ${kept} is kept, and the file refers to it.`, '');
  }

  #told(about: Topic, isError: boolean, message: string, hint: string): void {
    this.#options.tell({ type: 'told', about, isError, message, hint });
  }
}
