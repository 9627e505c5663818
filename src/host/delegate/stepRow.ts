/** A row of a step's list as plain data: what it says, and the act it stands for. */
export interface StepRow<Act> {
  /** Name of a codicon: in the label itself, screen readers would read it. */
  readonly icon?: string;
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** What Enter does; null for a heading and for a row that only tells something. */
  readonly act: Act | null;
  readonly isHeading?: boolean;
}

export function heading(label: string): StepRow<never> {
  return { label, act: null, isHeading: true };
}
