import type { JsonObject } from './jsonValue.ts';
import type { Backend } from '../../config/endpointSchema.ts';
import type { EndpointTarget, WireFormat } from './endpointTarget.ts';
import type { EndpointProbe, ServedModel } from './endpointProbe.ts';
import type { ExchangeOptions, Reply } from './exchange.ts';

/** What the questions about one kind of server have to work with. */
export interface ProbeContext {
  readonly target: EndpointTarget;
  /** The raw entries behind the served ids. */
  readonly entries: readonly ModelEntry[];
  /**
   * One request; null when it failed in any way or ran into the deadline of the probe. Never
   * rejects.
   */
  ask(options: Omit<ExchangeOptions, 'signal'>): Promise<Reply | null>;
}

export interface ModelEntry {
  readonly id: string;
  readonly raw: JsonObject;
}

/** What was learnt beyond the list of ids. Absent fields mean nothing was learnt. */
export interface Findings {
  readonly models?: readonly (Partial<ServedModel> & { readonly id: string })[];
  readonly slots?: EndpointProbe['slots'];
  readonly load?: EndpointProbe['load'];
  readonly hasMetrics?: boolean;
  readonly hasTokenize?: boolean;
  readonly formats?: readonly WireFormat[];
  readonly backend?: Backend;
  /** Ids that serve no text (embeddings) and are left out. */
  readonly drop?: readonly string[];
  readonly needsKey?: boolean;
  readonly warnings?: readonly string[];
}
