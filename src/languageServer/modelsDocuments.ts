import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { sidecarPath } from '../config/sidecarPath.ts';
import { type ConfigRole, ConfigLoader, type LoadedConfig } from '../config/load.ts';
import { type ParsedModels, parseModelsText } from '../config/parse.ts';
import { stateDir } from '../config/paths.ts';
import type { ConfigProblem } from '../config/problem.ts';
import { TrustFile } from '../config/trust.ts';

/** One models.yaml as it is in the editor, with what the whole configuration makes of it. */
export interface ModelsDocument {
  readonly document: TextDocument;
  readonly file: string;
  /** Null: it is not among the files that are read; it is checked alone. */
  readonly role: ConfigRole | null;
  readonly isUsed: boolean;
  readonly parsed: ParsedModels;
  /** All layers, with the text of every open document instead of what is on disk. */
  readonly loaded: LoadedConfig;
  /** Those of this file, as the server and the command line report them. */
  readonly problems: readonly ConfigProblem[];
}

export interface ModelsDocumentsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly openDocuments: () => readonly TextDocument[];
  readonly folders: () => readonly string[];
}

/** Reads open documents as configuration. Nothing is kept: what was good earlier must not change what a file is told now. */
export class ModelsDocuments {
  readonly #options: ModelsDocumentsOptions;

  constructor(options: ModelsDocumentsOptions) {
    this.#options = options;
  }

  /** Null: the document is no file of this machine. */
  read(document: TextDocument): ModelsDocument | null {
    const file = fileOf(document);
    if (file === null) return null;
    const loader = this.#loader();
    const root = this.#rootOf(file, loader.userFile);
    const loaded = loader.load(root);
    const info = loaded.files.find((each) => each.path === file);
    const parsed = parseModelsText(document.getText(), file);
    return {
      document,
      file,
      role: info?.role ?? null,
      isUsed: info?.used ?? false,
      parsed,
      loaded,
      problems:
        info === undefined ? [] : loaded.problems.filter((problem) => problem.file === file),
    };
  }

  #loader(): ConfigLoader {
    const { env } = this.#options;
    const texts = new Map(
      this.#options.openDocuments().map((each) => [fileOf(each), each.getText()] as const),
    );
    const trust = new TrustFile(stateDir(env, homedir(), process.platform));
    return new ConfigLoader({
      env,
      homeDir: homedir(),
      trust: (file, hash) => trust.isTrusted(file, hash),
      openText: (file) => texts.get(file) ?? null,
    });
  }

  /** The workspace folder whose models.yaml or sidecar this is; null for the user's own files. */
  #rootOf(file: string, userFile: string): string | null {
    if (file === userFile || file === sidecarPath(userFile)) return null;
    const main = ['models.yaml', 'models.local.yaml'].includes(path.basename(file));
    const folder = path.dirname(file);
    return main && this.#options.folders().includes(folder) ? folder : null;
  }
}

function fileOf({ uri }: TextDocument): string | null {
  return uri.startsWith('file:') ? fileURLToPath(uri) : null;
}
