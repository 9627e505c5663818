import type { EndpointTarget, WireFormat } from '../../endpoints/endpointTarget.ts';

/** Where the turns of a job are asked for, and how. */
export interface LoopPlace {
  readonly endpoint: string;
  readonly target: EndpointTarget;
  readonly model: string;
  readonly format: WireFormat;
  /** Tokens per request; null: nobody said. */
  readonly contextWindow: number | null;
  /** Output limit of a turn, in tokens. */
  readonly maxTokens: number;
  readonly hasCacheMarks: boolean;
  readonly resendsReasoning: boolean;
}
