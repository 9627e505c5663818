import type { TextDocument } from 'vscode-languageserver-textdocument';
import { changesOf } from '../changesOf.ts';
import type { ModelsDocument, ModelsDocuments } from '../modelsDocuments.ts';
import { problemFixes } from '../problemFixes.ts';
import type { RequestAnswers, RequestParams, RequestResult } from '../requestAnswers.ts';
import { formFields } from './formFields.ts';
import { formState } from './formState.ts';

type FixParams = RequestParams<'delegationBridge/fix'>;
type FixResult = RequestResult<'delegationBridge/fix'>;

/** What the registry form asks about its document. */
export function formRequests(
  answers: RequestAnswers,
  models: ModelsDocuments,
  open: (uri: string) => TextDocument | undefined,
): void {
  const read = (uri: string): ModelsDocument | null => {
    const document = open(uri);
    return document === undefined ? null : models.read(document);
  };
  answers.answer('delegationBridge/formFields', () => formFields());
  answers.answer('delegationBridge/formState', ({ uri }) => {
    const found = read(uri);
    if (found === null) return null;
    return formState(found, {
      inherited: models.loadWithout(found).config,
      fixesOf: (problem) => problemFixes(found, problem).map(({ title }) => title),
    });
  });
  answers.answer('delegationBridge/fix', (params) => fixOf(read(params.uri), params));
}

/** Problems and fixes are numbered as in the state of the same version. */
function fixOf(found: ModelsDocument | null, { version, ...chosen }: FixParams): FixResult {
  if (found?.document.version !== version) return { kind: 'stale' };
  const problem = found.problems[chosen.problem];
  const fix = problem === undefined ? undefined : problemFixes(found, problem)[chosen.fix];
  // What the endpoints say has changed since, and with it the problems.
  if (fix?.title !== chosen.title) return { kind: 'stale' };
  if ('edits' in fix) return changesOf(found.document, fix.edits);
  return { kind: 'moveSecret', path: [...fix.moveSecret.path], name: fix.moveSecret.name };
}
