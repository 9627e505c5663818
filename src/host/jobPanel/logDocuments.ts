import * as vscode from 'vscode';
import { SCHEMES } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';

/** Logs that can be read as a document. */
type WholeLog = 'transcript' | 'gate';

/** As package.json declares it: no file name is claimed for it. */
const TRANSCRIPT_LANGUAGE = 'delegate-transcript';

/** VS Code opens no text that is much larger; who needs more has the command line. */
const MAX_BYTES = 16 * 1024 * 1024;
const PAGE_BYTES = 1_048_576;

/** Whole logs of jobs as read-only documents: to search, to copy, to save. They are read when they are opened. */
export class LogDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #link: HostParts['link'];
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changes.event;

  constructor({ link }: Pick<HostParts, 'link'>) {
    this.#link = link;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEMES.text, this);
  }

  async open(jobId: string, what: WholeLog): Promise<void> {
    const uri = vscode.Uri.from({
      scheme: SCHEMES.text,
      path: `/${what}.log`,
      query: new URLSearchParams({ job: jobId, what }).toString(),
    });
    // One that is open already is read anew: a log grows.
    this.#changes.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(
      what === 'transcript'
        ? await vscode.languages.setTextDocumentLanguage(document, TRANSCRIPT_LANGUAGE)
        : document,
    );
  }

  async provideTextDocumentContent(
    uri: vscode.Uri,
    token: vscode.CancellationToken,
  ): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const jobId = query.get('job') ?? '';
    const what: WholeLog = query.get('what') === 'gate' ? 'gate' : 'transcript';
    let text = '';
    let offset = 0;
    while (offset < MAX_BYTES && !token.isCancellationRequested) {
      const place = { offset, maxBytes: PAGE_BYTES };
      const page = await this.#link.call('read_log', { jobId, what, ...place });
      if (page.nextOffset <= offset) break;
      text += page.text;
      offset = page.nextOffset;
    }
    return text === '' ? 'Nothing has been written to this log.\n' : text;
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changes.dispose();
  }
}
