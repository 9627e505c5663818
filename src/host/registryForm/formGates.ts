import * as path from 'node:path';
import type * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { FormState } from '../../protocol/modelsLanguage/formState.ts';
import type { FormMessage } from '../../protocol/registryForm/formMessages.ts';
import type { HostParts } from '../hostParts.ts';
import { workspaceFolder } from '../workspaceFolder.ts';

type GateMessage = Extract<FormMessage, { type: 'gate' }>;

interface FormGatesOptions {
  readonly parts: Pick<HostParts, 'link'>;
  readonly document: vscode.TextDocument;
  readonly tell: (message: FormMessage) => void;
  readonly state: () => FormState | null;
}

/** Runs gates for a form: as the saved file has them, on what is committed. */
export class FormGates implements vscode.Disposable {
  readonly #options: FormGatesOptions;
  readonly #running = new Map<string, AbortController>();
  /** How each gate ended, or that it runs: for a page that comes back. */
  readonly #last = new Map<string, GateMessage>();

  constructor(options: FormGatesOptions) {
    this.#options = options;
  }

  /** Resolves when it has ended. Never rejects. */
  async run(name: string): Promise<void> {
    if (this.#running.has(name)) return;
    const controller = new AbortController();
    this.#running.set(name, controller);
    try {
      const cwd = this.#folderFor(name);
      this.#tell({ name, state: 'running', text: '', durationS: null });
      const { link } = this.#options.parts;
      const { status, tail, warnings, durationS } = await link.call(
        'try_gate',
        { cwd, gate: name },
        controller.signal,
      );
      const text = [...warnings, tail].filter((part) => part !== '').join('\n');
      this.#tell({ name, state: status, text, durationS });
    } catch (error) {
      const { kind, message, hint } = BridgeError.from(error);
      const text = kind === 'cancelled' ? 'It was stopped.' : `${message} ${hint}`.trim();
      this.#tell({ name, state: 'refused', text, durationS: null });
    } finally {
      this.#running.delete(name);
    }
  }

  stop(name: string): void {
    this.#running.get(name)?.abort();
  }

  /** For a page that knows nothing. */
  tellAll(): void {
    for (const message of this.#last.values()) this.#options.tell(message);
  }

  /** Nobody is there any more to whom the end could be told. */
  dispose(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  /** @throws BridgeError when what the form shows is not what would be run */
  #folderFor(name: string): string {
    const { document, state } = this.#options;
    const shown = state();
    if (document.isDirty) {
      throw new BridgeError('wrong_state', 'The file has changes that are not saved.', {
        hint: 'Save it first: a gate runs as the saved file has it.',
      });
    }
    if (shown === null || !isGate(shown.values, name)) {
      throw new BridgeError('unknown_gate', 'This file has no such gate.');
    }
    const isOfFolder = shown.role.startsWith('workspace');
    if (isOfFolder && !shown.isUsed) {
      throw new BridgeError('untrusted', 'This file is not trusted, so nothing of it is run.', {
        hint: 'Trust it first: what it may do is shown.',
      });
    }
    const cwd = isOfFolder ? path.dirname(document.uri.fsPath) : workspaceFolder();
    if (cwd === undefined) {
      throw new BridgeError('not_a_repository', 'A gate runs in a repository, and none is open.', {
        hint: 'Open the folder of one.',
      });
    }
    return cwd;
  }

  #tell(gate: Omit<GateMessage, 'type'>): void {
    const message: GateMessage = { type: 'gate', ...gate };
    this.#last.set(gate.name, message);
    this.#options.tell(message);
  }
}

function isGate(values: FormState['values'], name: string): boolean {
  const gates = values?.['gates'];
  return gates !== null && typeof gates === 'object' && Object.hasOwn(gates, name);
}
