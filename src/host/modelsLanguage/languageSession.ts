import type * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import {
  FORM_CHANGED,
  formChanged,
  LANGUAGE_REQUESTS,
  type LanguageOptions,
  type LanguageParams,
  type LanguageRequest,
  type LanguageResult,
  LIVE_CHANGED,
  LIVE_REQUEST,
  liveRequest,
} from '../../protocol/modelsLanguage/requests.ts';
import type { LiveFacts } from '../../protocol/modelsLanguage/liveFacts.ts';

// A bundle of its own: the language client is loaded with the first models.yaml.

export interface LanguageSessionOptions {
  readonly serverModule: string;
  readonly selector: vscode.DocumentSelector;
  readonly languageOptions: LanguageOptions;
  readonly log: vscode.LogOutputChannel;
  /** Never rejects: what cannot be had is said in `trouble`. */
  readonly live: (maxAgeMs: number) => Promise<LiveFacts>;
  readonly onFormChanged: (uri: string) => void;
}

/** One process of the language server. */
export interface LanguageSession {
  request<Name extends LanguageRequest>(
    name: Name,
    params: LanguageParams<Name>,
  ): Promise<LanguageResult<Name>>;
  liveChanged(): void;
  stop(): Promise<void>;
}

export async function startLanguageSession(
  options: LanguageSessionOptions,
): Promise<LanguageSession> {
  const { serverModule, selector, log } = options;
  const client = new LanguageClient(
    'delegationBridge.models',
    'Delegation Bridge models.yaml',
    { module: serverModule, transport: TransportKind.ipc },
    {
      documentSelector: selector as never,
      initializationOptions: options.languageOptions,
      outputChannel: log,
    },
  );
  client.onRequest(LIVE_REQUEST, (params: unknown) =>
    options.live(liveRequest.params.parse(params).max_age_ms),
  );
  client.onNotification(FORM_CHANGED, (params: unknown) =>
    options.onFormChanged(formChanged.parse(params).uri),
  );
  await client.start();
  return {
    async request(name, params) {
      const answer: unknown = await client.sendRequest(name, params);
      return LANGUAGE_REQUESTS[name].result.parse(answer) as LanguageResult<typeof name>;
    },
    liveChanged: () => void client.sendNotification(LIVE_CHANGED),
    stop: () => client.stop(),
  };
}
