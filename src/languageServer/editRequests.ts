import type { TextDocument } from 'vscode-languageserver-textdocument';
import { formatPath } from '../config/configPath.ts';
import { textsWithReferences } from '../config/checkSecrets.ts';
import { isOnlyReferences } from '../config/secrets.ts';
import { changesOf } from './changesOf.ts';
import { refuseMasked } from './form/refuseMasked.ts';
import type { ModelsDocuments } from './modelsDocuments.ts';
import { pathAt } from './pathAt.ts';
import type { RequestAnswers, RequestResult } from './requestAnswers.ts';
import { spanOfPath } from './spanOfPath.ts';

type EditAnswer = RequestResult<'delegationBridge/edit'>;

/** What the extension asks in order to change a document, or to find a place in it. */
export function editRequests(
  answers: RequestAnswers,
  models: ModelsDocuments,
  open: (uri: string) => TextDocument | undefined,
): void {
  answers.answer('delegationBridge/edit', ({ uri, version, edits }): EditAnswer => {
    const document = open(uri);
    if (document?.version !== version) return { kind: 'stale' };
    const refusal = refuseMasked(edits);
    if (refusal !== null) return { kind: 'refused', message: refusal };
    return changesOf(document, edits);
  });
  answers.answer('delegationBridge/pathAt', ({ uri, position }) => {
    const document = open(uri);
    const read = document === undefined ? null : models.read(document);
    if (read === null) return [];
    return [...pathAt(read.outline, read.document.offsetAt(position))];
  });
  answers.answer('delegationBridge/rangeOf', ({ uri, path }) => {
    const document = open(uri);
    const read = document === undefined ? null : models.read(document);
    const span = read === null ? null : spanOfPath(read.outline, path);
    if (read === null || span === null) return null;
    return {
      start: read.document.positionAt(span.start),
      end: read.document.positionAt(span.end),
    };
  });
  answers.answer('delegationBridge/literalSecret', ({ uri, path }) => {
    const document = open(uri);
    const read = document === undefined ? null : models.read(document);
    if (read === null) return null;
    const found = textsWithReferences(read.parsed.parts).find(
      (each) => formatPath(each.path) === formatPath(path),
    );
    if (found === undefined || !found.isSecret || isOnlyReferences(found.text)) return null;
    return { value: found.text };
  });
}
