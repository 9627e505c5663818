import { BridgeError } from '../../base/bridgeError.ts';
import { toWire } from '../../protocol/keys.ts';
import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';
import type { FormState } from '../../protocol/modelsLanguage/formState.ts';
import type {
  FormMessage,
  FormPageMessage,
  Tried,
} from '../../protocol/registryForm/formMessages.ts';
import type { UiAnswer } from '../../protocol/ui/uiTools.ts';
import type { HostParts } from '../hostParts.ts';
import { endpointNameProblem } from '../start/endpointName.ts';
import { addToSidecar } from './addToSidecar.ts';
import type { FormDocument } from './formDocument.ts';

type Register = Extract<FormPageMessage, { type: 'register' }>;

interface FormEndpointsOptions {
  readonly parts: Pick<HostParts, 'link' | 'overview' | 'steps' | 'language'>;
  readonly document: FormDocument;
  readonly tell: (message: FormMessage) => void;
}

/** Finds model servers for a form, and writes those that a person chooses. */
export class FormEndpoints {
  readonly #options: FormEndpointsOptions;
  /** By address: only what was shown can be written. */
  readonly #tried = new Map<string, Tried>();

  constructor(options: FormEndpointsOptions) {
    this.#options = options;
  }

  async scan(): Promise<void> {
    const { parts, tell } = this.#options;
    const { asked, found } = await parts.link.call('scan_endpoints', {});
    tell({ type: 'scanned', asked, found: found.map((each) => this.#keep(each)) });
  }

  /** Asks one address, and a model there to call a tool. */
  async try(baseUrl: string, secret?: string): Promise<void> {
    const { parts, tell } = this.#options;
    const answer = await parts.link.call('try_endpoint', {
      ...{ baseUrl, checkTools: true },
      ...(secret === undefined ? {} : { secret }),
    });
    tell({ type: 'tried', baseUrl, tried: this.#keep(answer) });
  }

  /** @throws BridgeError bad_argument when it was not tried here, or the name cannot be taken */
  async register({ baseUrl, name, secret, keepOutOfGit }: Register): Promise<void> {
    const { document, tell, parts } = this.#options;
    const tried = this.#tried.get(baseUrl);
    if (tried === undefined) {
      throw new BridgeError('bad_argument', 'Nobody has asked this address yet.', {
        hint: 'Try it first: what answers is shown before anything is written.',
      });
    }
    const state = await document.state();
    const problem = endpointNameProblem(name, endpointNames(state));
    if (problem !== null) throw new BridgeError('bad_argument', problem);
    const value = {
      ...(tried.entry as Record<string, string>),
      ...(secret === undefined ? {} : { api_key: `\${secret:${secret}}` }),
    };
    const edits: ConfigEdit[] = [{ kind: 'set', path: ['endpoints', name], value }];
    const isElsewhere = keepOutOfGit && state?.role.endsWith('sidecar') !== true;
    const message = isElsewhere
      ? await addToSidecar(document.document.uri.fsPath, edits, parts.language)
      : await this.#addHere(edits);
    tell({ type: 'told', about: 'register', isError: false, message, hint: '' });
    if (isElsewhere) await Promise.all([parts.overview.refresh(), parts.steps.refresh()]);
  }

  async #addHere(edits: readonly ConfigEdit[]): Promise<string> {
    const { outcome, message } = await this.#options.document.editNow(edits);
    if (outcome !== 'done') throw new BridgeError('wrong_state', message);
    return 'It is in the file; it counts once you save.';
  }

  #keep({ probe, entry, ...rest }: UiAnswer<'try_endpoint'>): Tried {
    const tried: Tried = {
      ...rest,
      probe: toWire(probe) as Tried['probe'],
      entry: Object.fromEntries(entry.map(({ key, value }) => [key, value])),
    };
    this.#tried.set(tried.baseUrl, tried);
    return tried;
  }
}

/** Of this file and of all others: one name is one endpoint. */
function endpointNames(state: FormState | null): string[] {
  const of = (values: unknown): string[] => {
    const endpoints = (values as { endpoints?: unknown } | null)?.endpoints;
    return endpoints !== null && typeof endpoints === 'object' ? Object.keys(endpoints) : [];
  };
  return state === null ? [] : [...of(state.values), ...of(state.inherited)];
}
