import { serverMessage } from '../../../endpoints/explainFailure.ts';
import { asArray, asObject, asString, parseJson } from '../../../endpoints/jsonValue.ts';

const MAX_LENGTH = 300;

/** What a server says of an error, from its document or its plain text, on one line and bounded; empty: nothing. */
export function serverWords(text: string): string {
  const document = asObject(parseJson(text));
  if (document === null) return /^\s*</.test(text) ? webPageTitle(text) : bounded(text);
  // Z.ai's outer server says `msg`.
  const said =
    serverMessage(document) ?? asString(document['msg']) ?? validationWords(document['detail']);
  // OpenRouter passes the words of the provider on in a place of their own.
  const raw = asString(asObject(asObject(document['error'])?.['metadata'])?.['raw']);
  const provider = raw === null ? '' : (serverMessage(parseJson(raw)) ?? raw);
  return bounded([said ?? '', provider].filter((words) => words !== '').join(': '));
}

/** The list in which FastAPI says what is wrong with a request. */
function validationWords(detail: unknown): string {
  return asArray(detail)
    .map((entry) => {
      const { loc, msg } = asObject(entry) ?? {};
      return [asArray(loc).join('.'), asString(msg) ?? ''].filter((part) => part !== '').join(' ');
    })
    .filter((words) => words !== '')
    .join('; ');
}

function webPageTitle(text: string): string {
  return bounded(/<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? '');
}

function bounded(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH);
}
