import { homedir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { workspaceFolder } from '../workspaceFolder.ts';
import { configPlaces } from './configPlaces.ts';

export type ProtocolSelector = {
  readonly scheme: string;
  readonly pattern: { readonly baseUri: string; readonly pattern: string };
}[];

/** The documents of this window that are models.yaml, whatever language VS Code takes them for. */
export class ConfigDocuments implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  readonly #added = new Set<string>();
  #files: readonly string[] = [];
  #watchers: vscode.FileSystemWatcher[] = [];

  constructor() {
    this.#look();
    this.#subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      this.#look();
      this.#changes.fire();
    });
  }

  /** Other documents from now on. */
  readonly onDidChange = this.#changes.event;

  get folders(): readonly string[] {
    return (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath);
  }

  /** Paths; they need not exist. */
  get files(): readonly string[] {
    return this.#files;
  }

  get selector(): vscode.DocumentFilter[] {
    return this.#files.map((file) => ({ scheme: 'file', pattern: patternOf(file) }));
  }

  /** The same as the language client wants it. */
  get protocolSelector(): ProtocolSelector {
    return this.#files.map((file) => ({
      scheme: 'file',
      pattern: {
        baseUri: vscode.Uri.file(path.dirname(file)).toString(),
        pattern: patternOf(file).pattern,
      },
    }));
  }

  /** Watches of their places on disk, made when they are first asked for: they need not exist yet. */
  get fileEvents(): readonly vscode.FileSystemWatcher[] {
    if (this.#watchers.length === 0) {
      this.#watchers = this.#files.map((file) =>
        vscode.workspace.createFileSystemWatcher(patternOf(file)),
      );
    }
    return this.#watchers;
  }

  has({ scheme, fsPath }: vscode.Uri): boolean {
    return scheme === 'file' && this.#files.includes(fsPath);
  }

  /** Counts a file as one of them until the window closes; true: it was none before. */
  add(uri: vscode.Uri): boolean {
    if (uri.scheme !== 'file' || this.has(uri)) return false;
    this.#added.add(uri.fsPath);
    this.#look();
    return true;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
    this.#unwatch();
  }

  #look(): void {
    const places = configPlaces({
      ...{ env: process.env, homeDir: homedir(), platform: process.platform },
      ...{ cwd: workspaceFolder() ?? homedir(), folders: this.folders },
    });
    this.#files = [...new Set([...places, ...this.#added])];
    this.#unwatch();
  }

  #unwatch(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.dispose();
  }
}

/** A pattern for one file: its folder is taken as it is, and in its name no character is one of a pattern. */
function patternOf(file: string): vscode.RelativePattern {
  const name = path.basename(file).replaceAll(/[*?{}[\]]/g, '?');
  return new vscode.RelativePattern(vscode.Uri.file(path.dirname(file)), name);
}
