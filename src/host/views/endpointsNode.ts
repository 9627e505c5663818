import type { ConfigProblem } from './rows/configRow.ts';
import type { Endpoint } from './rows/endpointRow.ts';

/** What stands in a row of the endpoints view. */
export type EndpointsNode =
  | {
      readonly kind: 'error';
      readonly id: string;
      readonly message: string;
      readonly hint: string;
    }
  | { readonly kind: 'problem'; readonly index: number; readonly problem: ConfigProblem }
  | { readonly kind: 'untrusted'; readonly file: string }
  | { readonly kind: 'endpoint'; readonly name: string; readonly endpoint: Endpoint }
  | { readonly kind: 'unasked'; readonly name: string }
  | {
      readonly kind: 'model';
      readonly endpoint: string;
      readonly model: Endpoint['probe']['models'][number];
    }
  | { readonly kind: 'text'; readonly id: string; readonly text: string; readonly icon: string }
  | { readonly kind: 'jobLine'; readonly endpoint: string; readonly jobId: string };
