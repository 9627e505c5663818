import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type Diagnostic,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import type { LiveFacts } from '../../src/protocol/modelsLanguage/liveFacts.ts';
import { NO_LIVE_FACTS } from '../../src/protocol/modelsLanguage/noLiveFacts.ts';
import {
  FORM_CHANGED,
  LANGUAGE_REQUESTS,
  type LanguageParams,
  type LanguageRequest,
  type LanguageResult,
  LIVE_CHANGED,
  LIVE_REQUEST,
} from '../../src/protocol/modelsLanguage/requests.ts';
import { DIST } from './bridgeWorld.ts';

export interface LanguageClientOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly folders: readonly string[];
}

/** A client on the built language server over stdio; what the extension would answer is `live`. */
export class LanguageTestClient {
  readonly child: ChildProcess;
  readonly connection: ProtocolConnection;
  readonly exited: Promise<number | null>;
  readonly formChanges: string[] = [];
  live: () => Promise<LiveFacts> | LiveFacts = () => NO_LIVE_FACTS;
  readonly #published = new Map<string, { version: number; diagnostics: Diagnostic[] }>();
  readonly #waiting = new Set<() => void>();
  #stderr = '';

  private constructor(child: ChildProcess) {
    if (child.stdout === null || child.stdin === null) throw new Error('it has no pipes');
    this.child = child;
    this.exited = once(child, 'exit').then(([code]) => code as number | null);
    child.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (params: unknown) => {
      const { uri, version, diagnostics } = params as {
        uri: string;
        version: number;
        diagnostics: Diagnostic[];
      };
      this.#published.set(uri, { version, diagnostics });
      for (const look of this.#waiting) look();
    });
    this.connection.onNotification(FORM_CHANGED, ({ uri }: { uri: string }) => {
      this.formChanges.push(uri);
    });
    this.connection.onRequest(LIVE_REQUEST, () => this.live());
    this.connection.onUnhandledNotification(() => undefined);
    this.connection.listen();
  }

  static async start({ env, cwd, folders }: LanguageClientOptions): Promise<LanguageTestClient> {
    const child = spawn(process.execPath, [join(DIST, 'languageServer.cjs'), '--stdio'], {
      ...{ cwd, env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const client = new LanguageTestClient(child);
    await client.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
      initializationOptions: { folders },
    });
    await client.connection.sendNotification('initialized', {});
    return client;
  }

  get stderr(): string {
    return this.#stderr;
  }

  async open(file: string, text: string): Promise<string> {
    const uri = pathToFileURL(file).href;
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
    return uri;
  }

  /** The whole text anew. */
  async change(uri: string, version: number, text: string): Promise<void> {
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
  }

  liveChanged(): Promise<void> {
    return this.connection.sendNotification(LIVE_CHANGED);
  }

  async ask<Name extends LanguageRequest>(
    name: Name,
    params: LanguageParams<Name>,
  ): Promise<LanguageResult<Name>> {
    const answer: unknown = await this.connection.sendRequest(name, params);
    return LANGUAGE_REQUESTS[name].result.parse(answer) as LanguageResult<Name>;
  }

  /** What is told of a document, as soon as it is what is waited for. */
  async diagnostics(
    uri: string,
    isWanted: (found: readonly Diagnostic[], version: number) => boolean,
  ): Promise<Diagnostic[]> {
    const limit = AbortSignal.timeout(20_000);
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const now = this.#published.get(uri);
        if (now === undefined || !isWanted(now.diagnostics, now.version)) return;
        this.#waiting.delete(look);
        resolve(now.diagnostics);
      };
      this.#waiting.add(look);
      limit.addEventListener('abort', () => {
        const last = JSON.stringify(this.#published.get(uri));
        reject(new Error(`Not told in time; last: ${last}. ${this.#stderr}`));
      });
      look();
    });
  }

  /** Asks it to end, as an editor does, and gives the exit code. */
  async stop(): Promise<number | null> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const code = await this.exited;
    this.connection.dispose();
    return code;
  }
}
