import type * as z from 'zod';
import type { LANGUAGE_REQUESTS, LanguageRequest } from '../protocol/modelsLanguage/requests.ts';

/** What the handler of a request of the extension gets: what the schema made of the parameters. */
export type RequestParams<Name extends LanguageRequest> = z.output<
  (typeof LANGUAGE_REQUESTS)[Name]['params']
>;
export type RequestResult<Name extends LanguageRequest> = z.input<
  (typeof LANGUAGE_REQUESTS)[Name]['result']
>;

/** Where the parts of the language server register what they answer to the extension. */
export interface RequestAnswers {
  answer<Name extends LanguageRequest>(
    name: Name,
    handler: (params: RequestParams<Name>) => RequestResult<Name> | Promise<RequestResult<Name>>,
  ): void;
}
