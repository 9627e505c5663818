import { type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { LANGUAGE_REQUESTS } from '../protocol/modelsLanguage/requests.ts';
import type { RequestAnswers, RequestParams } from './requestAnswers.ts';

/** Answers the requests of the extension. Parameters that the schema does not know are an error of the request, never of the process. */
export function extensionAnswers(connection: Connection): RequestAnswers {
  return {
    answer(name, handler) {
      connection.onRequest(name, async (raw: unknown) => {
        const parsed = LANGUAGE_REQUESTS[name].params.safeParse(raw);
        if (!parsed.success) {
          const why = parsed.error.issues[0];
          throw new ResponseError(
            ErrorCodes.InvalidParams,
            `${name}: ${why?.path.join('.') ?? ''} ${why?.message ?? 'cannot be understood'}`,
          );
        }
        return handler(parsed.data as RequestParams<typeof name>);
      });
    },
  };
}
