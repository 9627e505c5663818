import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreRules, isIgnored, type IgnoreRule } from './ignoreRules.ts';

const MAX_ENTRIES = 200_000;
const MAX_RULES_BYTES = 256 * 1024;
const MAX_DEPTH = 100;

/** Seldom wanted, and the largest folder of many; a .gitignore may bring it back. */
const FIRST_RULES = ignoreRules('node_modules/', '.');

export interface WalkOptions {
  /** Real path of the work folder. */
  readonly root: string;
  /** Where to begin, from the work folder; `.` for all of it. */
  readonly start: string;
  readonly isIgnoredWanted: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface WalkedFile {
  /** From the work folder, with `/`. */
  readonly path: string;
  readonly isLink: boolean;
}

/**
 * The files below a folder in the order of their paths, bounded in number and time. Links are shown and not followed, `.git` is
 * left out, and so is what the .gitignore files of the work folder leave out (not those of the user or of the clone).
 */
export class FolderWalk {
  readonly #options: WalkOptions;
  readonly #deadline: number;
  #entries = 0;
  #stopped: string | null = null;
  #unreadable = 0;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#deadline = performance.now() + options.timeoutMs;
  }

  /** Why not everything was walked; null: everything was. */
  get stopped(): string | null {
    return this.#stopped;
  }

  /** Folders that could not be read. */
  get unreadable(): number {
    return this.#unreadable;
  }

  get isOver(): boolean {
    if (this.#stopped === null && performance.now() > this.#deadline) {
      this.#stopped = `after ${Math.round(this.#options.timeoutMs / 1000)} s`;
    }
    return this.#stopped !== null;
  }

  async *files(): AsyncGenerator<WalkedFile> {
    const { start } = this.#options;
    let rules: readonly IgnoreRule[] | null = this.#options.isIgnoredWanted ? null : FIRST_RULES;
    const names = start === '.' ? [] : start.split('/');
    let folder = '.';
    for (const name of names) {
      if (rules !== null) rules = [...rules, ...(await this.#rulesIn(folder))];
      folder = below(folder, name);
      // A folder that was named itself is wanted, ignored or not.
      if (rules !== null && isIgnored(rules, folder, true)) rules = null;
    }
    yield* this.#walk(folder, rules, 0);
  }

  async *#walk(
    folder: string,
    outerRules: readonly IgnoreRule[] | null,
    depth: number,
  ): AsyncGenerator<WalkedFile> {
    this.#options.signal.throwIfAborted();
    if (this.isOver) return;
    const entries = await this.#entriesOf(folder);
    const hasRules =
      outerRules !== null && entries.some((entry) => entry.isFile() && entry.name === '.gitignore');
    const rules = hasRules ? [...outerRules, ...(await this.#rulesIn(folder))] : outerRules;
    for (const entry of entries) {
      if (entry.name === '.git') continue;
      this.#entries += 1;
      if (this.#entries > MAX_ENTRIES) this.#stopped ??= `after ${MAX_ENTRIES} files and folders`;
      if (this.isOver) return;
      const path = below(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (rules !== null && isIgnored(rules, path, isFolder)) continue;
      if (!isFolder) {
        if (entry.isFile() || entry.isSymbolicLink()) {
          yield { path, isLink: entry.isSymbolicLink() };
        }
      } else if (depth >= MAX_DEPTH) {
        this.#stopped ??= `at a depth of ${MAX_DEPTH} folders`;
      } else {
        yield* this.#walk(path, rules, depth + 1);
      }
    }
  }

  async #entriesOf(folder: string): Promise<Dirent[]> {
    try {
      const entries = await readdir(join(this.#options.root, folder), { withFileTypes: true });
      return entries
        .map((entry) => ({ entry, key: entry.isDirectory() ? `${entry.name}/` : entry.name }))
        .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
        .map(({ entry }) => entry);
    } catch (error) {
      if (!isFileTrouble(error)) throw error;
      this.#unreadable += 1;
      return [];
    }
  }

  async #rulesIn(folder: string): Promise<IgnoreRule[]> {
    try {
      const text = await readFile(join(this.#options.root, folder, '.gitignore'), 'utf8');
      return text.length > MAX_RULES_BYTES ? [] : ignoreRules(text, folder);
    } catch (error) {
      if (!isFileTrouble(error)) throw error;
      return [];
    }
  }
}

function below(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

function isFileTrouble(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code);
}
