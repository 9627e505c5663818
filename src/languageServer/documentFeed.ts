import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from 'vscode-languageserver/node';

/** Long enough that nobody waits for the check of every letter, short enough to follow. */
const PAUSE_MS = 150;

export interface DocumentFeedOptions {
  readonly documents: () => readonly TextDocument[];
  readonly diagnose: (document: TextDocument) => readonly Diagnostic[];
  readonly send: (document: TextDocument, diagnostics: readonly Diagnostic[]) => void;
  /** The form of a document may be another one. */
  readonly formChanged: (uri: string) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Tells what is wrong with the open documents: with all of them, because each is checked in the light of the others. */
export class DocumentFeed {
  readonly #options: DocumentFeedOptions;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: DocumentFeedOptions) {
    this.#options = options;
  }

  /** After a pause in what changes. */
  soon(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), PAUSE_MS);
  }

  now(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const document of this.#options.documents()) this.#tell(document);
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #tell(document: TextDocument): void {
    const { diagnose, send, formChanged, onTrouble } = this.#options;
    try {
      send(document, diagnose(document));
      formChanged(document.uri);
    } catch (error) {
      // One document that cannot be checked takes neither the others nor the process with it.
      onTrouble(error);
    }
  }
}
