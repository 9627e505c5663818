/** Why an edit is not made, as a sentence. */
export interface Refusal {
  readonly refused: string;
}

export function refuse(reason: string): Refusal {
  return { refused: reason };
}

export function isRefusal(value: unknown): value is Refusal {
  return value !== null && typeof value === 'object' && 'refused' in value;
}
