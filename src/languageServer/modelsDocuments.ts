import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { sidecarPath } from '../config/sidecarPath.ts';
import { type ConfigRole, ConfigLoader, type LoadedConfig } from '../config/load.ts';
import { type ParsedModels, parseModelsText } from '../config/parse.ts';
import { realPathOfDeepest, stateDir } from '../config/paths.ts';
import type { ConfigProblem } from '../config/problem.ts';
import { servedProblems } from '../config/servedProblems.ts';
import { TrustFile } from '../config/trust.ts';
import { MAX_CONFIG_CHARS } from '../config/yamlText.ts';
import type { LiveFacts } from '../protocol/modelsLanguage/liveFacts.ts';
import { servedFacts } from './live/servedFacts.ts';
import { readOutline } from './text/readOutline.ts';
import type { TextOutline } from './text/textOutline.ts';

/** One models.yaml as it is in the editor, with what the whole configuration makes of it. */
export interface ModelsDocument {
  readonly document: TextDocument;
  readonly file: string;
  /** Null: it is not among the files that are read; it is checked alone. */
  readonly role: ConfigRole | null;
  readonly isUsed: boolean;
  /** False: a models.yaml of another program, of which nothing is said. */
  readonly isOurs: boolean;
  readonly parsed: ParsedModels;
  readonly outline: TextOutline;
  /** All layers, with the text of every open document instead of what is on disk. */
  readonly loaded: LoadedConfig;
  /** Those of this file, as the server and the command line report them. */
  readonly problems: readonly ConfigProblem[];
  /** What is known of the endpoints at this moment. */
  readonly live: LiveFacts;
}

/** The text of a file of the configuration, open or not. */
export interface ConfigText {
  readonly uri: string;
  /** Null: it is not open. */
  readonly version: number | null;
  readonly text: string;
}

export interface ModelsDocumentsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly openDocuments: () => readonly TextDocument[];
  readonly folders: () => readonly string[];
  readonly live: () => LiveFacts;
  readonly now?: () => number;
}

/**
 * Reads open documents as configuration. What was read is kept until one of the things that it was read from is another; what
 * was good in an earlier version never changes what a file is told now.
 */
export class ModelsDocuments {
  readonly #options: ModelsDocumentsOptions;
  readonly #read = new Map<string, { readonly key: string; readonly result: ModelsDocument }>();

  constructor(options: ModelsDocumentsOptions) {
    this.#options = options;
  }

  /** Null: the document is no file of this machine. */
  read(document: TextDocument): ModelsDocument | null {
    const file = fileOf(document);
    if (file === null) return null;
    const loader = this.#loader();
    const root = this.#rootOf(file, loader.userFile);
    const live = this.#options.live();
    const key = this.#keyOf(document, loader.userFile, root, live);
    const known = this.#read.get(document.uri);
    if (known?.key === key) return known.result;
    const result = this.#analyse(document, file, root, loader, live);
    this.#forgetClosed();
    this.#read.set(document.uri, { key, result });
    return result;
  }

  /** As `read`, but what was read of an earlier version will do: for names, where an answer at once matters more. */
  recent(document: TextDocument): ModelsDocument | null {
    return this.#read.get(document.uri)?.result ?? this.read(document);
  }

  /** A models.yaml with its sidecar, one or the other first: names go through both. What is not open is read from disk. */
  filesWith({ file, document }: ModelsDocument): ConfigText[] {
    const own = { uri: document.uri, version: document.version, text: document.getText() };
    const partner = partnerOf(file);
    const real = realPathOfDeepest(partner);
    const open = this.#options.openDocuments().find((each) => {
      const other = fileOf(each);
      return other !== null && realPathOfDeepest(other) === real;
    });
    if (open !== undefined) {
      return [own, { uri: open.uri, version: open.version, text: open.getText() }];
    }
    const stat = statSync(partner, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.size > MAX_CONFIG_CHARS * 4) return [own];
    const text = readFileSync(partner, 'utf8');
    return [own, { uri: pathToFileURL(partner).href, version: null, text }];
  }

  /** All layers with this file as an empty one: what counts where it says nothing. */
  loadWithout({ file, role, isUsed }: ModelsDocument): LoadedConfig {
    const empty = { file: realPathOfDeepest(file), isUsed };
    const loader = this.#loader(role === null ? file : undefined, empty);
    return loader.load(role === null ? null : this.#rootOf(file, loader.userFile));
  }

  #analyse(
    document: TextDocument,
    file: string,
    root: string | null,
    loader: ConfigLoader,
    live: LiveFacts,
  ): ModelsDocument {
    const text = document.getText();
    const real = realPathOfDeepest(file);
    let loaded = loader.load(root);
    let info = loaded.files.find((each) => realPathOfDeepest(each.path) === real);
    const role = info?.role ?? null;
    const outline = readOutline(text);
    const isOurs = role !== null || isPlainlyOurs(outline, root !== null);
    if (role === null && isOurs) {
      // No file that is read. It is told what it would be told if it were.
      loaded = this.#loader(file).load(null);
      info = loaded.files.find((each) => each.path === file);
    }
    const now = (this.#options.now ?? Date.now)();
    const all = [...loaded.problems, ...servedProblems(loaded, servedFacts(loaded, live, now))];
    const parsed = lazy(() => parseModelsText(text, file));
    return {
      document,
      file,
      role,
      isUsed: role !== null && (info?.used ?? false),
      isOurs,
      outline,
      loaded,
      problems: isOurs ? all.filter((problem) => problem.file === info?.path) : [],
      live,
      get parsed() {
        return parsed();
      },
    };
  }

  #loader(
    configFile?: string,
    empty?: { readonly file: string; readonly isUsed: boolean },
  ): ConfigLoader {
    const { env } = this.#options;
    const texts = new Map(
      this.#options.openDocuments().flatMap((each) => {
        const file = fileOf(each);
        return file === null ? [] : [[realPathOfDeepest(file), each.getText()] as const];
      }),
    );
    // With a section of ours it is still one of our files.
    if (empty !== undefined) texts.set(empty.file, 'defaults: {}\n');
    const trust = new TrustFile(stateDir(env, homedir(), process.platform));
    return new ConfigLoader({
      env: configFile === undefined ? env : {},
      homeDir: homedir(),
      ...(configFile === undefined ? {} : { configFile }),
      trust: (file, hash) => (file === empty?.file ? empty.isUsed : trust.isTrusted(file, hash)),
      openText: (file) => texts.get(realPathOfDeepest(file)) ?? null,
    });
  }

  /** The workspace folder whose models.yaml or sidecar this is; null for the user's own files. */
  #rootOf(file: string, userFile: string): string | null {
    const real = realPathOfDeepest(file);
    if ([userFile, sidecarPath(userFile)].some((own) => realPathOfDeepest(own) === real))
      return null;
    if (!['models.yaml', 'models.local.yaml'].includes(path.basename(file))) return null;
    const folder = realPathOfDeepest(path.dirname(file));
    return this.#options.folders().find((each) => realPathOfDeepest(each) === folder) ?? null;
  }

  /** What a reading rests on: the open texts, the files that are not open, what is trusted, and what is known of the endpoints. */
  #keyOf(document: TextDocument, userFile: string, root: string | null, live: LiveFacts): string {
    const { env, openDocuments } = this.#options;
    const main = root === null ? [] : [path.join(root, 'models.yaml')];
    const files = [userFile, ...main].flatMap((file) => [file, sidecarPath(file)]);
    const own = fileOf(document) ?? '';
    const trust = new TrustFile(stateDir(env, homedir(), process.platform)).file;
    return JSON.stringify([
      openDocuments().map(({ uri, version }) => [uri, version]),
      [...files, own, sidecarPath(own), trust].map(stampOf),
      root,
      live,
    ]);
  }

  #forgetClosed(): void {
    const open = new Set(this.#options.openDocuments().map(({ uri }) => uri));
    for (const uri of this.#read.keys()) if (!open.has(uri)) this.#read.delete(uri);
  }
}

/** Other programs have a models.yaml, too. An empty one at the root of a folder may become ours. */
function isPlainlyOurs({ entries }: TextOutline, isAtRoot: boolean): boolean {
  const sections = entries.filter(({ path: at }) => at.length === 1).map(({ path: [key] }) => key);
  if (sections.length === 0) return isAtRoot;
  return sections.includes('endpoints') || sections.includes('defaults');
}

/** The sidecar of a models.yaml, or the file that it is the sidecar of. */
function partnerOf(file: string): string {
  const { dir, name, ext } = path.parse(file);
  const isSidecar = name.endsWith('.local');
  return isSidecar ? path.join(dir, `${name.slice(0, -'.local'.length)}${ext}`) : sidecarPath(file);
}

/** Null: the URI names no file of this machine. */
export function fileOf({ uri }: Pick<TextDocument, 'uri'>): string | null {
  if (!uri.startsWith('file:')) return null;
  try {
    return fileURLToPath(uri);
  } catch (error) {
    // A host that is not this one, or an escape that is none.
    if (error instanceof TypeError || error instanceof URIError) return null;
    throw error;
  }
}

function stampOf(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.ino}:${stat.mtimeMs}:${stat.size}`;
}

function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
