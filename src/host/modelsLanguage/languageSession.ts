import { LogLevel } from 'vscode';
import type * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, State } from 'vscode-languageclient/node';
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
import type { ServerCommandLine } from '../bridge/serverCommandLine.ts';
import { ServerProcess } from '../bridge/serverProcess.ts';
import type { ProtocolSelector } from './configDocuments.ts';

// A bundle of its own: the language client is loaded with the first models.yaml.

/** More than this many broken messages in a row, and the process is given up. */
const MAX_ERRORS = 3;
const SHUTDOWN_LIMIT_MS = 1000;

export interface LanguageSessionOptions {
  readonly commandLine: ServerCommandLine;
  readonly selector: ProtocolSelector;
  /** Tells of changes of files on disk that the configuration is made of. */
  readonly fileEvents: readonly vscode.FileSystemWatcher[];
  readonly languageOptions: LanguageOptions;
  readonly log: vscode.LogOutputChannel;
  /** Never rejects: what cannot be had is said in `trouble`. */
  readonly live: (maxAgeMs: number) => Promise<LiveFacts>;
  readonly onFormChanged: (uri: string) => void;
}

/** One process of the language server. */
export interface LanguageSession {
  readonly pid: number | undefined;
  /** Resolves when the process is gone, with how it ended. */
  readonly ended: Promise<string>;
  request<Name extends LanguageRequest>(
    name: Name,
    params: LanguageParams<Name>,
  ): Promise<LanguageResult<Name>>;
  liveChanged(): void;
  stop(): Promise<void>;
}

/** Trouble goes to the log and to the status of the language, never as a message over somebody's work. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** What is said between client and server is logged at no level: the documents may hold keys. */
function noTrace(log: vscode.LogOutputChannel): vscode.LogOutputChannel {
  const nothing = (): void => undefined;
  return {
    name: log.name,
    logLevel: LogLevel.Off,
    onDidChangeLogLevel: () => ({ dispose: nothing }),
    ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing },
    ...{ append: nothing, appendLine: nothing, replace: nothing, clear: nothing },
    ...{ show: nothing, hide: nothing, dispose: nothing },
  };
}

export async function startLanguageSession(
  options: LanguageSessionOptions,
): Promise<LanguageSession> {
  const { commandLine, selector, log, languageOptions, fileEvents } = options;
  const child = new ServerProcess(commandLine, ({ level, text }) =>
    log[level](`models.yaml: ${text}`),
  );
  const client = new QuietClient(
    'delegationBridge.models',
    'Language server of models.yaml',
    () => Promise.resolve({ reader: child.stdout, writer: child.stdin }),
    {
      documentSelector: selector,
      initializationOptions: languageOptions,
      synchronize: { fileEvents: [...fileEvents] },
      outputChannel: log,
      traceOutputChannel: noTrace(log),
      initializationFailedHandler: () => false,
      errorHandler: {
        error: (_error, _message, count) => ({
          action:
            count !== undefined && count <= MAX_ERRORS
              ? ErrorAction.Continue
              : ErrorAction.Shutdown,
          handled: true,
        }),
        // Who has started this session decides whether there is another one.
        closed: () => ({
          action: CloseAction.DoNotRestart,
          handled: true,
          message: 'The language server of models.yaml has ended.',
        }),
      },
    },
  );
  client.onRequest(LIVE_REQUEST, (params: unknown) =>
    options.live(liveRequest.params.parse(params).max_age_ms),
  );
  client.onNotification(FORM_CHANGED, (params: unknown) =>
    options.onFormChanged(formChanged.parse(params).uri),
  );
  client.onDidChangeState(({ newState }) => {
    // A process that nobody speaks to any more is no use.
    if (newState === State.Stopped) void child.stop();
  });
  try {
    await Promise.race([client.start(), child.ended.then(notStarted)]);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return {
    pid: child.pid,
    ended: child.ended.then((end) => {
      const how =
        end.kind === 'not_started'
          ? end.error.message
          : end.signal === null
            ? `with code ${end.code ?? 'unknown'}`
            : `by ${end.signal}`;
      return `The language server of models.yaml ended ${how}.${child.lastWords === '' ? '' : ` It said: ${child.lastWords}`}`;
    }),
    async request(name, params) {
      const answer: unknown = await client.sendRequest(name, params);
      return LANGUAGE_REQUESTS[name].result.parse(answer) as LanguageResult<typeof name>;
    },
    liveChanged() {
      // One that ends meanwhile tells that by itself.
      client.sendNotification(LIVE_CHANGED).catch((error: unknown) => log.debug(String(error)));
    },
    async stop() {
      try {
        if (client.state === State.Running) await client.stop(SHUTDOWN_LIMIT_MS);
      } catch (error) {
        log.debug(`models.yaml: ${String(error)}`);
      } finally {
        await child.stop();
      }
    },
  };
}

function notStarted(end: { readonly kind: string; readonly error?: Error }): never {
  throw end.error ?? new Error('it ended before it had greeted');
}
