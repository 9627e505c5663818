import type { Mark, Step } from './step.ts';

interface ItemBase {
  /** Grows from item to item, and stays the same however many come before it. */
  readonly id: number;
  readonly at: string | null;
  readonly seq: number | null;
  readonly isNested: boolean;
  /** Message of the model that this is part of; null when it is none of its own. */
  readonly message: string | null;
}

interface SaidItem extends ItemBase {
  readonly kind: 'said' | 'thought';
  readonly text: string;
}

export interface CallResult {
  readonly isError: boolean;
  readonly exit: number | null;
  readonly text: string;
}

interface CallItem extends ItemBase {
  readonly kind: 'call';
  readonly callId: string;
  readonly name: string;
  readonly subject: string;
  readonly input: string;
  /** Null while it runs, or when its end is not in the log. */
  readonly result: CallResult | null;
  /** The call itself lies before what is loaded. */
  readonly isOrphan: boolean;
}

interface MarkItem extends ItemBase, Omit<Mark, 'kind'> {
  readonly kind: 'mark';
}

/** One entry of a job's timeline. */
export type TimelineItem = SaidItem | CallItem | MarkItem;

type Place = Pick<ItemBase, 'id' | 'at' | 'seq' | 'isNested'>;

export function toItem(step: Exclude<Step, { kind: 'result' }>, place: Place): TimelineItem {
  switch (step.kind) {
    case 'said':
    case 'thought':
      return { ...place, ...step };
    case 'call':
      return { ...place, ...step, result: null, isOrphan: false };
    case 'mark':
      return { ...place, ...step, message: null };
  }
}

/** A result whose call is not there. */
export function toOrphan(callId: string, result: CallResult, place: Place): CallItem {
  const name = 'Result of an earlier call';
  return {
    ...place,
    ...{
      kind: 'call',
      callId,
      name,
      subject: '',
      input: '',
      message: null,
      result,
      isOrphan: true,
    },
  };
}

/** Characters that an item keeps in memory. */
export function sizeOfItem(item: TimelineItem): number {
  switch (item.kind) {
    case 'said':
    case 'thought':
      return item.text.length;
    case 'call':
      return item.input.length + (item.result?.text.length ?? 0);
    case 'mark':
      return item.text.length + item.detail.length;
  }
}
