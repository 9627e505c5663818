import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach } from 'mocha';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { LiveFacts } from '../../../../src/protocol/modelsLanguage/liveFacts.ts';
import { NO_LIVE_FACTS } from '../../../../src/protocol/modelsLanguage/noLiveFacts.ts';
import {
  type ModelsDocument,
  ModelsDocuments,
} from '../../../../src/languageServer/modelsDocuments.ts';

export const NOW_MS = Date.parse('2026-11-30T12:00:12Z');
const ASKED_AT = '2026-11-30T12:00:00Z';

/** A text with `|` where the cursor is. */
export function marked(text: string): { text: string; offset: number } {
  const offset = text.indexOf('|');
  if (offset < 0 || text.includes('|', offset + 1)) throw new Error('One "|" marks the cursor.');
  return { text: text.slice(0, offset) + text.slice(offset + 1), offset };
}

/** Facts of endpoints that are up, asked 12 s before `NOW_MS`. */
export function upFacts(
  endpoints: Readonly<
    Record<string, { url: string; models?: Record<string, number | null>; slots?: number }>
  >,
  rest: Partial<LiveFacts> = {},
): LiveFacts {
  return {
    ...NO_LIVE_FACTS,
    asked_at: ASKED_AT,
    endpoints: Object.entries(endpoints).map(([name, { url, models = {}, slots }]) => ({
      name,
      base_url: url,
      locality: 'local',
      in_use: 0,
      max_concurrent: null,
      probe: {
        state: 'up',
        why: null,
        message: null,
        hint: '',
        backend: 'llama.cpp',
        models: Object.entries(models).map(([id, context]) => ({
          id,
          context,
          context_source: null,
          warning: null,
          loaded: null,
          claims_tools: null,
          remote_host: null,
        })),
        lists_models: true,
        slots: slots === undefined ? null : { total: slots, busy: null },
        load: null,
        latency_ms: 1,
        warnings: [],
      },
    })),
    ...rest,
  };
}

export interface ModelsWorld {
  readonly root: string;
  readonly userFile: string;
  live: LiveFacts;
  readonly models: ModelsDocuments;
  /** Opens a file with a text that need not be on disk; again: another version of it. */
  open(file: string, text: string): TextDocument;
  close(document: TextDocument): void;
  /** Opens the text as the user's own models.yaml and reads it. */
  read(text: string): ModelsDocument;
  write(file: string, text: string): string;
}

/** Call inside describe(): each call of the answer gives a world of its own, removed after the test. */
export function modelsWorlds(): (env?: Record<string, string>) => ModelsWorld {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return (env = {}) => {
    const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'delegate-language-')));
    folders.push(base);
    const root = path.join(base, 'work space #1 ü%');
    const userFile = path.join(base, 'config', 'models.yaml');
    for (const folder of [root, path.dirname(userFile)]) mkdirSync(folder);
    const documents = new Map<string, TextDocument>();
    const world: ModelsWorld = {
      root,
      userFile,
      live: NO_LIVE_FACTS,
      models: new ModelsDocuments({
        env: { DELEGATE_CONFIG: userFile, DELEGATE_STATE: path.join(base, 'state'), ...env },
        openDocuments: () => [...documents.values()],
        folders: () => [root],
        live: () => world.live,
        now: () => NOW_MS,
      }),
      open(file, text) {
        const uri = pathToFileURL(file).href;
        const version = (documents.get(uri)?.version ?? 0) + 1;
        const document = TextDocument.create(uri, 'yaml', version, text);
        documents.set(uri, document);
        return document;
      },
      close: ({ uri }) => void documents.delete(uri),
      read(text) {
        const doc = world.models.read(world.open(userFile, text));
        if (doc === null) throw new Error('not read');
        return doc;
      },
      write(file, text) {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, text);
        return file;
      },
    };
    return world;
  };
}
